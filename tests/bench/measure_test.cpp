// What the time of a call is made of.
#include "bench/measure.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace tayra {
namespace {

TEST(Measure, GivesTheMicrosecondsOfOneCallHoweverManyASampleHas) {
  int most_calls = 0;
  const Spread time = microseconds_per_call({.repeats = 3, .sample_seconds = 20e-3}, [&](int calls) {
    most_calls = std::max(most_calls, calls);
    std::this_thread::sleep_for(std::chrono::microseconds(500) * calls);
  });
  EXPECT_GT(most_calls, 1);
  EXPECT_GE(time.least, 500);
  EXPECT_LT(time.least, 5000);
}

}  // namespace
}  // namespace tayra
