// Tests of work that may fail on some ranks.
#include "grid/together.hpp"

#include <gtest/gtest.h>

#include <new>

namespace tayra {
namespace {

/// What is thrown, with its code.
Error thrown(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error;
  }
  return {ExitCode::done, ""};
}

TEST(WorkTogether, OfOneRankFailsAsItWouldAlone) {
  const auto fail = [] { throw Error(ExitCode::failed, "nothing there"); };
  const Error heard = thrown([&] { do_together(fail); });
  EXPECT_EQ(heard.code(), ExitCode::failed);
  EXPECT_STREQ(heard.what(), "nothing there");
}

TEST(WorkTogether, ThatRunsOutOfMemoryIsToldToAll) {
  const Error heard = thrown([] { do_together([] { throw std::bad_alloc(); }); });
  EXPECT_EQ(heard.code(), ExitCode::failed);
  EXPECT_STREQ(heard.what(), "out of memory");
}

}  // namespace
}  // namespace tayra
