// Parts that ranks wrote of a file.
#include "io/common_file.hpp"

#include <gtest/gtest.h>

#include "io/temporary_directory.hpp"

namespace tayra {
namespace {

TEST(PartsOfAFile, AreRemovedAndThoseOfNoOther) {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory.path("ranks"));
  for (const char* part : {"100000-0.h5", "100000-12.h5", "100000-1.h5.tmp", "1000000-0.h5", "000000-0.h5"})
    std::ofstream(directory.path(std::string("ranks/") + part));
  remove_parts(directory.path("100000.h5"));
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(directory.path("ranks")))
    left.push_back(entry.path().filename().string());
  std::sort(left.begin(), left.end());
  EXPECT_EQ(left, (std::vector<std::string>{"000000-0.h5", "1000000-0.h5"}));
}

}  // namespace
}  // namespace tayra
