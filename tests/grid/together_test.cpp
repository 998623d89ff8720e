// Tests of work that may fail on some ranks.
#include "grid/together.hpp"

#include <gtest/gtest.h>

#include <new>

namespace tayra {
namespace {

/// What is thrown, with its code.
Outcome thrown(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  return {};
}

TEST(WorkTogether, ThatFailsOnSomeRanksFailsWithTheWordsOfTheFirst) {
  const std::vector<Outcome> outcomes{
      {}, {ExitCode::unavailable, "no way from rank 1"}, {ExitCode::lost, "nor from rank 2"}};
  const Outcome heard = thrown([&] { require_all_done(outcomes); });
  EXPECT_EQ(heard.code, ExitCode::unavailable);
  EXPECT_EQ(heard.problem, "no way from rank 1");
}

TEST(WorkTogether, ThatFailsNowhereGoesOn) {
  EXPECT_EQ(thrown([] { require_all_done({{}, {}}); }).problem, "");
}

TEST(WorkTogether, OfOneRankFailsAsItWouldAlone) {
  const auto fail = [] { throw Error(ExitCode::failed, "nothing there"); };
  const Outcome heard = thrown([&] { do_together(fail); });
  EXPECT_EQ(heard.code, ExitCode::failed);
  EXPECT_EQ(heard.problem, "nothing there");
}

TEST(WorkTogether, ThatRunsOutOfMemoryIsToldToAll) {
  const Outcome heard = thrown([] { do_together([] { throw std::bad_alloc(); }); });
  EXPECT_EQ(heard.code, ExitCode::failed);
  EXPECT_EQ(heard.problem, "out of memory");
}

}  // namespace
}  // namespace tayra
