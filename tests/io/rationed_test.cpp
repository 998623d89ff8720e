// How often growing work is done.
#include "io/rationed.hpp"

#include <gtest/gtest.h>

namespace tayra {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;

TEST(Rationed, TakesATwentiethOfTheTimeButIsNeverPutOffForLong) {
  Rationed work;
  const Rationed::Clock::time_point begin{};
  EXPECT_TRUE(work.is_due(begin));
  const auto end = begin + milliseconds(10);
  work.note_done(begin, end);
  EXPECT_FALSE(work.is_due(end + milliseconds(199)));
  EXPECT_TRUE(work.is_due(end + milliseconds(200)));
  work.note_done(begin, begin + minutes(10));
  EXPECT_TRUE(work.is_due(begin + minutes(11)));
}

}  // namespace
}  // namespace tayra
