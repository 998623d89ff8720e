// Tests of "did you mean".
#include "core/nearest_name.hpp"

#include <gtest/gtest.h>

namespace tayra {
namespace {

const std::vector<std::string> names{"scheme", "precision", "hydrostatic", "rt_single", "rt_multi"};

TEST(NearestName, ForgivesMissingWrongAndSwappedLetters) {
  EXPECT_EQ(nearest_name("sheme", names), "scheme");
  EXPECT_EQ(nearest_name("schame", names), "scheme");
  EXPECT_EQ(nearest_name("rt_mutli", names), "rt_multi");
  EXPECT_EQ(nearest_name("Precision", names), "precision");
}

TEST(NearestName, CompletesABeginningOfThreeLettersOrMore) {
  EXPECT_EQ(nearest_name("hydro", names), "hydrostatic");
  EXPECT_EQ(nearest_name("hyd", names), "hydrostatic");
  EXPECT_EQ(nearest_name("hy", names), "");
}

TEST(NearestName, IsTheFirstOfThoseThatAreEquallyNear) {
  EXPECT_EQ(nearest_name("rt_", names), "rt_single");
  EXPECT_EQ(nearest_name("cat", {"bat", "rat"}), "bat");
}

TEST(NearestName, HasOneWrongLetterInThreeAtMost) {
  EXPECT_EQ(nearest_name("ab", {"ac"}), "ac");
  EXPECT_EQ(nearest_name("abc", {"axx"}), "");
  EXPECT_EQ(nearest_name("abcdef", {"abcdxx"}), "abcdxx");
  EXPECT_EQ(nearest_name("abcdef", {"abcxxx"}), "");
}

TEST(NearestName, IsEmptyWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("zzz", names), "");
  EXPECT_EQ(did_you_mean("zzz", names), "");
}

TEST(NearestName, OfNamesThatNobodyCouldHaveMeantIsFoundAtOnce) {
  const std::string endless(1 << 20, 'a');  // their distance would take 1e12 steps, and as many numbers
  EXPECT_EQ(nearest_name(endless, names), "");
  EXPECT_EQ(nearest_name(endless, {endless + "b"}), endless + "b") << "a beginning of it";
  EXPECT_EQ(nearest_name("b" + endless, {endless}), "");
}

}  // namespace
}  // namespace tayra
