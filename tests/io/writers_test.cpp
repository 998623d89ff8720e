// Tests of the threads that write files, and of the memory that output waits in.
#include "io/writers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
#include <new>
#include <stdexcept>

#include "io/output_files.hpp"

namespace tayra {
namespace {

using namespace std::chrono_literals;

TEST(Writers, DoesEverythingInOrderBeforeItEnds) {
  std::vector<int> done;
  {
    Writers thread(1000, OnWriteError::stop, Device{});
    for (int i = 0; i < 20; ++i) thread.run([&done, i] { done.push_back(i); });
  }
  for (int i = 0; i < 20; ++i) EXPECT_EQ(done.at(i), i);
}

TEST(Writers, HoldsTheFlowBackRatherThanTakeMoreMemory) {
  Writers thread(1000, OnWriteError::stop, Device{});
  std::atomic<std::size_t> held = 0, most = 0;
  for (int i = 0; i < 20; ++i) {
    const auto reserved = thread.take(400);
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

TEST(Writers, HoldsTheFlowBackRatherThanFallBehindByCountlessFiles) {
  Writers thread(1000, OnWriteError::stop, Device{});
  std::promise<void> disk_is_back;
  thread.run([&] { disk_is_back.get_future().wait(); });
  std::atomic<std::size_t> asked_for = 0;
  std::thread flow([&] {
    for (; asked_for < 2 * Writers::most_waiting; ++asked_for) thread.run([] {});
  });
  while (asked_for < Writers::most_waiting) std::this_thread::yield();
  std::this_thread::sleep_for(100ms);
  EXPECT_LE(asked_for, Writers::most_waiting + 1);
  disk_is_back.set_value();
  flow.join();
  thread.wait();
}

TEST(Writers, LetsMoreThanItsMemoryThroughAlone) {
  Writers thread(1000, OnWriteError::stop, Device{});
  for (int i = 0; i < 3; ++i) {
    const auto reserved = thread.take(5000);
    thread.run([reserved] {});
  }
  thread.wait();
}

TEST(Writers, LetsSeveralPiecesWaitAtOnceUnlessTheyWouldBeTiny) {
  constexpr std::size_t mebibyte = 1 << 20;
  const Writers ample(1000 * mebibyte, OnWriteError::stop, Device{}),
      tight(40 * mebibyte, OnWriteError::stop, Device{}), none(0, OnWriteError::stop, Device{});
  EXPECT_EQ(ample.piece_bytes(8 * mebibyte), 8 * mebibyte);
  EXPECT_EQ(tight.piece_bytes(128 * mebibyte), 10 * mebibyte);
  EXPECT_EQ(none.piece_bytes(8 * mebibyte), mebibyte);
}

TEST(Writers, WithoutMemoryWorksAtOnce) {
  Writers thread(0, OnWriteError::stop, Device{});
  bool done = false;
  for (int i = 0; i < 2; ++i) {
    const auto reserved = thread.take(100);
    thread.run([&, reserved] { done = true; });
  }
  EXPECT_TRUE(done);
}

TEST(Writers, TellFailuresOnceAndPublishOnlyWhenTheRunGoesOn) {
  for (const std::size_t memory : {0, 1000})
    for (const OnWriteError on_error : {OnWriteError::stop, OnWriteError::warn}) {
      Writers writers(memory, on_error, Device{});
      bool later = false, always = false;
      writers.run([] { throw Error(ExitCode::failed, "no room"); });
      writers.run([&] {
        always = true;
        writers.note_part({});
      });
      writers.publish([&](const WrittenPart&) { later = true; });
      writers.wait();
      const auto failures = writers.take_failures();
      ASSERT_EQ(failures.size(), 1u);
      EXPECT_STREQ(failures.front().what(), "no room");
      EXPECT_TRUE(writers.take_failures().empty());
      EXPECT_TRUE(always);
      EXPECT_EQ(later, on_error == OnWriteError::warn);
    }
}

TEST(Writers, TellsAnyExceptionAsAFailure) {
  Writers thread(1000, OnWriteError::stop, Device{});
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

TEST(MemoryPool, HoldsNoMoreThanItMayWhateverSizesAreTaken) {
  MemoryPool pool(Device{}, 1000);
  for (int round = 0; round < 4; ++round)
    for (const std::size_t bytes : {900, 60, 400, 300, 700}) {
      const auto taken = pool.take(bytes);
      const auto rest = pool.take(1000 - bytes);
      EXPECT_LE(pool.held(), 1000u);
    }
}

TEST(MemoryPool, GivesTheSameMemoryAgainForTheSameSize) {
  MemoryPool pool(Device{}, 1000);
  const std::byte* const first = pool.take(300).get();
  const auto kept = pool.take(200);
  EXPECT_EQ(pool.take(300).get(), first);
  EXPECT_EQ(pool.held(), 500u);
}

TEST(MemoryPool, GivesUpAPieceThatWasMoreThanItMayForTheNextOne) {
  MemoryPool pool(Device{}, 1000);
  const std::byte* const large = pool.take(5000).get();
  EXPECT_EQ(pool.take(5000).get(), large);
  pool.take(10);
  EXPECT_EQ(pool.held(), 10u);
}

}  // namespace
}  // namespace tayra
