// Tests of reading YAML: what a text means, and that no text takes long or much memory.
#include "io/yaml_tree.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"

namespace tayra {
namespace {

using testing::HasSubstr;

std::optional<YamlNode> parsed(const std::string& text) {
  return parse_yaml(text, [](int line) { return "line " + std::to_string(line); });
}

std::string mistake_in(const std::string& text) {
  try {
    parsed(text);
    return "none";
  } catch (const Error& mistake) {
    return mistake.what();
  }
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(YamlTree, HoldsKeysAndValuesInOrderWithTheirLines) {
  const auto root = parsed("b: [1, '2', ~]\na:\n  c: d\n");
  ASSERT_TRUE(root && root->is_section());
  ASSERT_EQ(root->entries.size(), 2u);
  const auto& [b, list] = root->entries[0];
  EXPECT_EQ(b.text, "b");
  ASSERT_EQ(list.items.size(), 3u);
  EXPECT_FALSE(list.items[0].is_quoted);
  EXPECT_EQ(list.items[1].text, "2");
  EXPECT_TRUE(list.items[1].is_quoted);
  EXPECT_TRUE(list.items[2].is_null());
  const auto& [a, section] = root->entries[1];
  EXPECT_EQ(a.line, 2);
  ASSERT_EQ(section.entries.size(), 1u);
  EXPECT_EQ(section.entries[0].first.line, 3);
  EXPECT_EQ(section.entries[0].second.text, "d");
}

TEST(YamlTree, IsNothingWhereNothingIsWritten) {
  EXPECT_FALSE(parsed(""));
  EXPECT_FALSE(parsed("# a comment\n"));
  EXPECT_TRUE(parsed("---\n")->is_null());
}

TEST(YamlTree, AliasesAreCopiesOfWhatTheyName) {
  const auto root = parsed("a: &x {k: [1, 2]}\nb: *x\nc: *x\n");
  for (const auto& [name, value] : root->entries) {
    ASSERT_EQ(value.entries.size(), 1u) << name.text;
    EXPECT_EQ(value.entries[0].second.items.size(), 2u) << name.text;
  }
}

// A token that begins no value, at the end of a document, makes yaml-cpp 0.7 find documents without end.
TEST(YamlTree, ACommaBetweenDocumentsEndsTheReading) {
  for (const char* text : {",", ", ,", "[1], 2", "{a: b}, c", "'a', b", "--- a\n...\n,", "--- ,", "# c\n ,"})
    EXPECT_THAT(mistake_in(text), HasSubstr("a comma stands outside of [ ] and { }")) << text;
  for (const char* text : {"]", "}", "- ,", "a: ,", "? ,", "a: b\n,", "!|\n? "})
    EXPECT_NE(mistake_in(text), "none") << text;
  EXPECT_EQ(mistake_in("a\n--- b"), "line 2: a second YAML document starts here");
}

TEST(YamlTree, AliasesThatRepeatWithoutEndAreRefused) {
  std::string lists = "a: &a [x, x, x, x, x, x, x, x, x]\n", sections = "a: &a {x: 1, y: 1}\n";
  for (char name = 'b'; name < 'z'; ++name) {
    const std::string before = std::string("*") + static_cast<char>(name - 1);
    const std::string key = std::string(1, name) + ": &" + name;
    lists += key + " [" + repeated(before + ", ", 8) + before + "]\n";
    sections += key + " {x: " + before + " , y: " + before + " }\n";
  }
  const std::string text = "a: &a " + std::string(100000, 'x') + "\nb: [" + repeated("*a, ", 1000) + "]\n";
  const std::string nested = repeated("&a [", 60) + repeated("1, ", 10000) + std::string(60, ']');
  for (const auto& bomb : {lists, sections, text, nested})
    EXPECT_THAT(mistake_in(bomb), HasSubstr("anchors (&) and aliases (*) stand for too much"));
}

TEST(YamlTree, AnAliasWithinWhatItNamesIsRefused) {
  EXPECT_EQ(mistake_in("a: &a\n  b: *a\n"), "line 2: an alias lies within what it names");
  EXPECT_EQ(mistake_in("&a [*a]"), "line 1: an alias lies within what it names");
}

TEST(YamlTree, DeepNestingIsRefused) {
  EXPECT_EQ(mistake_in(std::string(64, '[') + std::string(64, ']')), "none");
  for (const auto& text : {std::string(100000, '['), std::string(100000, '{'), repeated("- ", 100000),
                           repeated("? ", 100000), repeated("{a: ", 50000)})
    EXPECT_THAT(mistake_in(text), HasSubstr("is nested more than 64 deep"));
}

}  // namespace
}  // namespace tayra
