// Tests that a run whose directory was moved away leaves the one alone that came to its place.
#include <fcntl.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <optional>

#include "core/error.hpp"
#include "io/file.hpp"
#include "io/run_directory.hpp"
#include "io/run_lock.hpp"
#include "io/temporary_directory.hpp"

namespace tayra {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class ADirectoryInThePlaceOfAMovedOne : public testing::Test {
 protected:
  ADirectoryInThePlaceOfAMovedOne() { fs::create_directory(path_); }

  void replace() const {
    fs::rename(path_, folder_.path("moved"));
    fs::create_directories(path_ + "/snapshots");
    for (const char* file : {"run.json", "run.json.tmp", "snapshots/000001.vtkhdf.tmp"})
      std::ofstream(path_ + "/" + file) << "another run's";
  }
  void expect_untouched() const {
    for (const char* file : {"run.json", "run.json.tmp", "snapshots/000001.vtkhdf.tmp"})
      EXPECT_EQ(text_of(path_ + "/" + file), "another run's") << file;
  }
  template <class Work>
  static void expect_refused(Work work) {
    try {
      work();
      ADD_FAILURE() << "it was done";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::failed);
      EXPECT_THAT(error.what(), AllOf(HasSubstr("/results any more (the directory of this run was moved"),
                                      HasSubstr("--resume")));
    }
  }

  TemporaryDirectory folder_;
  std::string path_ = folder_.path("results");
};

TEST_F(ADirectoryInThePlaceOfAMovedOne, GetsNoTextsOfThatRun) {
  const HeldDirectory held(path_);
  write_text_file(path_ + "/run.json", "ours");
  replace();
  expect_refused([&] { write_text_file(path_ + "/run.json", "ours"); });
  expect_untouched();
}

TEST_F(ADirectoryInThePlaceOfAMovedOne, GetsNoFileThatWasBegunBefore) {
  const HeldDirectory held(path_);
  {
    FileBeside file(path_ + "/snapshots/000001.vtkhdf");
    replace();
    expect_refused([&] { file.publish(); });
  }
  expect_untouched();
  EXPECT_FALSE(fs::exists(path_ + "/snapshots/000001.vtkhdf"));
}

TEST_F(ADirectoryInThePlaceOfAMovedOne, GetsNoFileThatIsOpenedThere) {
  const HeldDirectory held(path_);
  replace();
  expect_refused([&] { open_held(path_ + "/timings.csv", O_WRONLY | O_CREAT); });
  EXPECT_GE(held.open(path_ + "/timings.csv", O_WRONLY | O_CREAT).id(), 0);
  EXPECT_FALSE(fs::exists(path_ + "/timings.csv"));
  EXPECT_TRUE(fs::exists(folder_.path("moved/timings.csv")));
}

TEST_F(ADirectoryInThePlaceOfAMovedOne, IsNotClearedOfItsResults) {
  const HeldDirectory held(path_);
  replace();
  expect_refused([&] { RunDirectory(path_).create(ExistingResults::replace); });
  expect_refused([&] { RunDirectory(path_).cut_back({}, 0); });
  expect_untouched();
}

TEST_F(ADirectoryInThePlaceOfAMovedOne, IsNotRemovedWithTheLockOfThatRun) {
  fs::remove(path_);
  std::optional<RunLock> lock(std::in_place, path_, std::chrono::milliseconds(0));
  fs::rename(path_, folder_.path("moved"));
  fs::create_directory(path_);
  lock.reset();
  EXPECT_TRUE(fs::exists(path_)) << "another run may just have made it";
}

TEST_F(ADirectoryInThePlaceOfAMovedOne, IsAsGoodAsAnyOnceThatRunHasEnded) {
  { const HeldDirectory held(path_); }
  replace();
  write_text_file(path_ + "/run.json", "ours");
  EXPECT_EQ(text_of(path_ + "/run.json"), "ours");
}

}  // namespace
}  // namespace tayra
