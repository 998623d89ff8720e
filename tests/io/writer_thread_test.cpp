// Tests of the thread that writes files.
#include "io/writer_thread.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
#include <new>
#include <stdexcept>

#include "io/output_files.hpp"
#include "io/writers.hpp"

namespace tayra {
namespace {

using namespace std::chrono_literals;

TEST(WriterThread, DoesEverythingInOrderBeforeItEnds) {
  std::vector<int> done;
  {
    WriterThread thread(1000, OnWriteError::stop);
    for (int i = 0; i < 20; ++i) thread.run([&done, i] { done.push_back(i); });
  }
  for (int i = 0; i < 20; ++i) EXPECT_EQ(done.at(i), i);
}

TEST(WriterThread, HoldsTheFlowBackRatherThanTakeMoreMemory) {
  WriterThread thread(1000, OnWriteError::stop);
  std::atomic<std::size_t> held = 0, most = 0;
  for (int i = 0; i < 20; ++i) {
    const auto reserved = thread.reserve(400);
    held += 400;
    most = std::max(most.load(), held.load());
    thread.run([&held, reserved] {
      std::this_thread::sleep_for(1ms);
      held -= 400;
    });
  }
  thread.wait();
  EXPECT_EQ(held, 0u);
  EXPECT_GT(most, 400u) << "something should have waited";
  EXPECT_LE(most, 1000u);
}

TEST(WriterThread, HoldsTheFlowBackRatherThanFallBehindByCountlessFiles) {
  WriterThread thread(1000, OnWriteError::stop);
  std::promise<void> disk_is_back;
  thread.run([&] { disk_is_back.get_future().wait(); });
  std::atomic<std::size_t> asked_for = 0;
  std::thread flow([&] {
    for (; asked_for < 2 * WriterThread::most_waiting; ++asked_for) thread.run([] {});
  });
  while (asked_for < WriterThread::most_waiting) std::this_thread::yield();
  std::this_thread::sleep_for(100ms);
  EXPECT_LE(asked_for, WriterThread::most_waiting + 1);
  disk_is_back.set_value();
  flow.join();
  thread.wait();
}

TEST(WriterThread, LetsMoreThanItsMemoryThroughAlone) {
  WriterThread thread(1000, OnWriteError::stop);
  for (int i = 0; i < 3; ++i) {
    const auto reserved = thread.reserve(5000);
    thread.run([reserved] {});
  }
  thread.wait();
}

TEST(WriterThread, LetsSeveralPiecesWaitAtOnceUnlessTheyWouldBeTiny) {
  constexpr std::size_t mebibyte = 1 << 20;
  const WriterThread ample(1000 * mebibyte, OnWriteError::stop), tight(40 * mebibyte, OnWriteError::stop),
      none(0, OnWriteError::stop);
  EXPECT_EQ(ample.piece_bytes(8 * mebibyte), 8 * mebibyte);
  EXPECT_EQ(tight.piece_bytes(128 * mebibyte), 10 * mebibyte);
  EXPECT_EQ(tight.pieces_of(10 * mebibyte), 4u);
  EXPECT_EQ(none.piece_bytes(8 * mebibyte), mebibyte);
}

TEST(WriterThread, WithoutMemoryWorksAtOnce) {
  WriterThread thread(0, OnWriteError::stop);
  bool done = false;
  for (int i = 0; i < 2; ++i) {
    const auto reserved = thread.reserve(100);
    thread.run([&, reserved] { done = true; });
  }
  EXPECT_TRUE(done);
}

TEST(WriterThread, TellsFailuresOnceAndGoesOnOnlyWhenTheRunDoes) {
  for (const std::size_t memory : {0, 1000})
    for (const OnWriteError on_error : {OnWriteError::stop, OnWriteError::warn}) {
      WriterThread thread(memory, on_error);
      bool later = false, always = false;
      thread.run([] { throw Error(ExitCode::failed, "no room"); });
      thread.run([&] { always = true; });
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

TEST(WriterThread, TellsAnyExceptionAsAFailure) {
  WriterThread thread(1000, OnWriteError::stop);
  thread.run([] { throw std::length_error("no such length"); });
  thread.run([] { throw std::bad_alloc(); });
  thread.wait();
  const auto failures = thread.take_failures();
  ASSERT_EQ(failures.size(), 2u);
  EXPECT_STREQ(failures[0].what(), "no such length");
  EXPECT_STREQ(failures[1].what(), "out of memory");
}

// As when a driver refuses to pin memory.
TEST(Writers, HaveAQuarterOfTheFreeMemoryUnlessToldOtherwise) { EXPECT_EQ(usual_writer_memory(800), 200u); }

TEST(Writers, CountNoMemoryThatTheyDidNotGet) {
  constexpr std::size_t more_than_there_is = std::size_t(1) << 60;
  Writers writers(1000, OnWriteError::stop, Device{});
  EXPECT_THROW(writers.take(more_than_there_is), std::bad_alloc);
  const auto next = std::async(std::launch::async, [&] { return writers.take(800); });
  EXPECT_EQ(next.wait_for(10s), std::future_status::ready) << "nothing else holds memory";
  if (next.wait_for(0s) != std::future_status::ready) std::abort();  // it would wait for ever
}

}  // namespace
}  // namespace tayra
