// Tests of how amounts are written for readers.
#include "app/units.hpp"

#include <gtest/gtest.h>

namespace tayra {
namespace {

TEST(Units, HaveNoExponentAndNoFourDigitsButOfBytes) {
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(1024), "1 KiB");
  EXPECT_EQ(bytes_text(999u << 10), "999 KiB");
  EXPECT_EQ(bytes_text(1020u << 10), "0.996 MiB");
  EXPECT_EQ(bytes_text(std::uint64_t{1} << 40), "1 TiB");
}

TEST(Units, OfTimeAreMinutesAndHoursAsSoonAsThereIsAWholeOne) {
  EXPECT_EQ(duration_text(59.9), "59.9 s");
  EXPECT_EQ(duration_text(60), "1m 00s");
  EXPECT_EQ(duration_text(3599.9), "59m 59s");
  EXPECT_EQ(duration_text(3600), "1h 00m 00s");
  EXPECT_EQ(duration_text(100 * 3600.), "100h 00m 00s");
}

}  // namespace
}  // namespace tayra
