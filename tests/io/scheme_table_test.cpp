// README.md's table of schemes is made from what they say of themselves; this test keeps the two the same.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "io/generated_file.hpp"
#include "physics/schemes.hpp"

namespace tayra {
namespace {

TEST(SchemeTable, OfTheReadmeIsWhatSchemesSayOfThemselves) {
  const std::string readme = TAYRA_SOURCE_DIR "/README.md";
  const std::string head = "| scheme | use it for |\n|---|---|\n";
  std::string page = text_of(readme), rows;
  ASSERT_NE(page.find(head), std::string::npos);
  for (const auto& [name, traits] : all_schemes())
    rows += fmt::format("| `{}` | {} |\n", name, traits.summary);
  const std::size_t begin = page.find(head) + head.size(), end = page.find("\n\n", begin) + 1;
  expect_generated(readme, page.replace(begin, end - begin, rows));
}

}  // namespace
}  // namespace tayra
