// Tests of text from strangers on its way to a terminal.
#include "core/printable.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tayra {
namespace {

TEST(Printable, LeavesLettersOfAllScriptsAlone) {
  for (const char* text : {"results/a b.yaml", "Größe, 密度, плотность, 🌊", "back\\slash"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, ShowsWhatATerminalWouldObey) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"\x1b[2J\x1b]0;title\a", "\\x1b[2J\\x1b]0;title\\x07"},
      {"a\rb\tc\bd\x7f", "a\\rb\\tc\\x08d\\x7f"},
      {std::string("a\0b", 3), "a\\x00b"},
      {"\u009b31m", "\\x9b31m"},                 // C1: as good as ESC [
      {"a\u202eb\u2066c", "a\\u202eb\\u2066c"},  // turn letters around
      {"a\u200bb\ufeffc\u2028d", "a\\u200bb\\ufeffc\\u2028d"},
      {"a\U000e0041", "a\\U000e0041"},
  };
  for (const auto& [text, shown] : cases) EXPECT_EQ(printable(text), shown);
}

TEST(Printable, ShowsBytesThatAreNoUtf8) {
  EXPECT_EQ(printable("a\x9b\xff"), "a\\x9b\\xff");
  EXPECT_EQ(printable("\xc0\x8a"), "\\xc0\\x8a") << "a line break, longer than it may be";
  EXPECT_EQ(printable("\xe2\x80"), "\\xe2\\x80") << "cut short";
  EXPECT_EQ(as_utf8("a\x1b\xff"), "a\x1b\\xff");
}

TEST(Printable, NoNameBeginsALineOfItsOwn) {
  EXPECT_EQ(printable("a.yaml\ntayra: all is well"), "a.yaml\\ntayra: all is well");
  EXPECT_EQ(printable("rank 0: x\n  rank 1: y\n"), "rank 0: x\n  rank 1: y\n") << "a message of two lines";
}

TEST(Printable, LongTextIsShortenedForMessages) {
  EXPECT_EQ(shortened("short"), "short");
  EXPECT_EQ(shortened(std::string(5000, 'a')), std::string(100, 'a') + "... (5000 bytes)");
}

}  // namespace
}  // namespace tayra
