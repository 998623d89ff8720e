// Tests of the thread that writes files.
#include "io/writer_thread.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

namespace tayra {
namespace {

using namespace std::chrono_literals;

TEST(WriterThread, DoesEverythingInOrderBeforeItEnds) {
  std::vector<int> done;
  {
    WriterThread thread(1000, OnWriteError::stop);
    for (int i = 0; i < 20; ++i) thread.run(0, [&done, i] { done.push_back(i); });
  }
  for (int i = 0; i < 20; ++i) EXPECT_EQ(done.at(i), i);
}

TEST(WriterThread, HoldsTheFlowBackRatherThanTakeMoreMemory) {
  WriterThread thread(1000, OnWriteError::stop);
  std::atomic<std::size_t> held = 0, most = 0;
  for (int i = 0; i < 20; ++i) {
    thread.reserve(400);
    held += 400;
    most = std::max(most.load(), held.load());
    thread.run(400, [&held] {
      std::this_thread::sleep_for(1ms);
      held -= 400;
    });
  }
  thread.wait();
  EXPECT_EQ(held, 0u);
  EXPECT_GT(most, 400u) << "something should have waited";
  EXPECT_LE(most, 1000u);
}

TEST(WriterThread, LetsMoreThanItsMemoryThroughAlone) {
  WriterThread thread(1000, OnWriteError::stop);
  for (int i = 0; i < 3; ++i) {
    thread.reserve(5000);
    thread.run(5000, [] {});
  }
  thread.wait();
}

TEST(WriterThread, WithoutMemoryWorksAtOnce) {
  WriterThread thread(0, OnWriteError::stop);
  bool done = false;
  thread.reserve(100);
  thread.run(100, [&] { done = true; });
  EXPECT_TRUE(done);
}

TEST(WriterThread, TellsFailuresOnceAndGoesOnOnlyWhenTheRunDoes) {
  for (const std::size_t memory : {0, 1000})
    for (const OnWriteError on_error : {OnWriteError::stop, OnWriteError::warn}) {
      WriterThread thread(memory, on_error);
      bool later = false, always = false;
      thread.run(0, [] { throw Error(ExitCode::failed, "no room"); });
      thread.run(0, [&] { always = true; });
      thread.run_if_sound([&] { later = true; });
      thread.wait();
      const auto failures = thread.take_failures();
      ASSERT_EQ(failures.size(), 1u);
      EXPECT_STREQ(failures.front().what(), "no room");
      EXPECT_TRUE(thread.take_failures().empty());
      EXPECT_TRUE(always);
      EXPECT_EQ(later, on_error == OnWriteError::warn);
    }
}

}  // namespace
}  // namespace tayra
