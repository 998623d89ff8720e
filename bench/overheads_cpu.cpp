// Copies within host memory, threads waking each other, parallel regions, messages between two ranks.
#include <omp.h>

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>

#include "bench/overheads.hpp"
#include "grid/ranks.hpp"

namespace tayra {
namespace {

using Bytes = std::unique_ptr<std::byte[]>;

void measure_copies(const OverheadPlan& plan, const AddOverhead& add) {
  for (const std::uint64_t bytes : overhead_sizes(plan)) {
    const Bytes from = std::make_unique<std::byte[]>(bytes), to = std::make_unique<std::byte[]>(bytes);
    add({"memory_copy", "memory reused", bytes, microseconds_per_call(plan.measuring, [&](int count) {
           for (int i = 0; i < count; ++i) {
             from[0] = static_cast<std::byte>(i);  // lest the compiler copies once
             std::memcpy(to.get(), from.get(), bytes);
             std::atomic_signal_fence(std::memory_order_seq_cst);
           }
         })});
    add({"memory_copy", "memory allocated each time", bytes,
         microseconds_per_call(plan.measuring, [&](int count) {
           for (int i = 0; i < count; ++i) {
             const auto fresh = std::make_unique_for_overwrite<std::byte[]>(bytes);
             std::memcpy(fresh.get(), from.get(), bytes);
             std::atomic_signal_fence(std::memory_order_seq_cst);
           }
         })});
  }
}

/// Passes a turn to and fro between two threads; a wake-up is half a round.
class SleepingTurns {
 public:
  void pass(int mine) {
    const std::lock_guard lock(mutex_);
    turn_ = 1 - mine;
    changed_.notify_one();
  }
  void await(int mine) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return turn_ == mine; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int turn_ = 0;
};

class YieldingTurns {
 public:
  void pass(int mine) { turn_.store(1 - mine, std::memory_order_release); }
  void await(int mine) {
    while (turn_.load(std::memory_order_acquire) != mine) std::this_thread::yield();
  }

 private:
  std::atomic<int> turn_{0};
};

template <class Turns>
Spread microseconds_per_wake_up(const MeasuringPlan& plan) {
  Spread round = microseconds_per_call(plan, [](int rounds) {
    Turns turns;
    std::thread other([&] {
      for (int i = 0; i < rounds; ++i) {
        turns.await(1);
        turns.pass(1);
      }
    });
    for (int i = 0; i < rounds; ++i) {
      turns.pass(0);
      turns.await(0);
    }
    other.join();
  });
  return {round.median / 2, round.least / 2, round.most / 2};
}

void measure_threads(const OverheadPlan& plan, const AddOverhead& add) {
  add({"thread_wake", "sleeping on a condition variable", 0,
       microseconds_per_wake_up<SleepingTurns>(plan.measuring)});
  add({"thread_wake", "yielding", 0, microseconds_per_wake_up<YieldingTurns>(plan.measuring)});
  add({"parallel_region", std::to_string(omp_get_max_threads()) + " threads", 0,
       microseconds_per_call(plan.measuring, [](int count) {
         for (int i = 0; i < count; ++i) {
#pragma omp parallel
           std::atomic_signal_fence(std::memory_order_seq_cst);
         }
       })});
}

/// All ranks may call it; only the two have to do with it.
void send(int from, int to, std::vector<std::byte>& data) {
  if (ranks().rank() == from) ranks().swap({{to, data.data(), data.size()}}, {});
  if (ranks().rank() == to) ranks().swap({}, {{from, data.data(), data.size()}});
}

/// To and fro between the first two ranks; a message is half a round.
void measure_messages(const OverheadPlan& plan, const AddOverhead& add) {
  if (ranks().size() < 2) return;
  auto sizes = overhead_sizes(plan);
  sizes.insert(sizes.begin(), 8);
  for (const std::uint64_t bytes : sizes) {
    std::vector<std::byte> data(bytes);
    const Spread round = microseconds_per_call(plan.measuring, [&](int rounds) {
      for (int i = 0; i < rounds; ++i) {
        send(0, 1, data);
        send(1, 0, data);
      }
    });
    add({"mpi_message",
         ranks().nodes() == 1 ? "within a node" : "between the first two ranks",
         bytes,
         {round.median / 2, round.least / 2, round.most / 2}});
  }
}

}  // namespace

std::vector<std::uint64_t> overhead_sizes(const OverheadPlan& plan) {
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t bytes = 1024; bytes <= plan.most_bytes; bytes *= 4) sizes.push_back(bytes);
  return sizes;
}

void measure_cpu_overheads(const OverheadPlan& plan, const AddOverhead& add) {
  measure_copies(plan, add);
  measure_threads(plan, add);
  measure_messages(plan, add);
}

}  // namespace tayra
