// Tests of JSON text.
#include "io/json.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace tayra {
namespace {

TEST(Json, EscapesQuotesBackslashesAndControlCharacters) {
  EXPECT_EQ(json_quoted("say \"a\\b\"\n\r\t\x01\x1f"), R"("say \"a\\b\"\n\r\t\u0001\u001f")");
}

TEST(Json, LeavesUtf8AsItIs) { EXPECT_EQ(json_quoted("Rayleigh–Taylor"), "\"Rayleigh–Taylor\""); }

TEST(Json, WritesBytesThatAreNoUtf8AsTheirCodes) {
  EXPECT_EQ(Json("a\xff").text(), R"("a\\xff")");
  EXPECT_EQ(Json::object().set("k\x80", 1).text(), "{\n  \"k\\\\x80\": 1\n}");
  for (const char* character :
       {"z", "\xc3\xb6", "\xe2\x80\x93", "\xed\x9f\xbf", "\xf0\x9f\x8c\x8a", "\xf4\x8f\xbf\xbf"})
    EXPECT_EQ(Json(character).text(), '"' + std::string(character) + '"');
  for (const std::string none : {"\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x8f\x8c\x8a",
                                 "\xf4\x90\x80\x80", "\xf8\x88\x80\x80"}) {
    std::string codes;
    for (const char byte : none) codes += fmt::format("\\\\x{:02x}", static_cast<unsigned char>(byte));
    EXPECT_EQ(Json(none).text(), '"' + codes + '"');
  }
}

TEST(Json, WritesPlainValues) {
  EXPECT_EQ(Json().text(), "null");
  EXPECT_EQ(Json(true).text(), "true");
  EXPECT_EQ(Json(-3).text(), "-3");
  EXPECT_EQ(Json("text").text(), "\"text\"");
}

TEST(Json, KeepsTheLargestIntegers) {
  EXPECT_EQ(Json(std::numeric_limits<std::int64_t>::max()).text(), "9223372036854775807");
  EXPECT_EQ(Json(std::numeric_limits<std::int64_t>::min()).text(), "-9223372036854775808");
}

TEST(Json, WritesNumbersThatReadBackExactly) {
  for (const double value : {0.1, 1.0 / 3, 1e-300, 6.02214076e23, -0.0})
    EXPECT_EQ(std::stod(Json(value).text()), value);
}

TEST(Json, WritesNullForWhatIsNoNumber) {
  EXPECT_EQ(Json(std::numeric_limits<double>::quiet_NaN()).text(), "null");
  EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).text(), "null");
}

TEST(Json, KeepsArraysOfPlainValuesOnOneLine) {
  EXPECT_EQ(Json(std::vector<int>{1, 2, 3}).text(), "[1, 2, 3]");
  EXPECT_EQ(Json::array().text(), "[]");
}

TEST(Json, IndentsNestedObjectsInTheOrderOfTheirKeys) {
  const Json inner = Json::object().set("z", 1).set("a", Json::object());
  const Json outer = Json::object().set("list", Json::array().push(inner));
  EXPECT_EQ(outer.text(), "{\n  \"list\": [\n    {\n      \"z\": 1,\n      \"a\": {}\n    }\n  ]\n}");
}

TEST(Json, ReplacesAKeyThatIsSetAgain) {
  EXPECT_EQ(Json::object().set("a", 1).set("b", 2).set("a", 3).text(), "{\n  \"a\": 3,\n  \"b\": 2\n}");
}

}  // namespace
}  // namespace tayra
