// A block's threads as fibers: they share one thread of the CPU, each with a stack of its own, and one runs
// until it must wait for others. To ThreadSanitizer each is a thread, and nothing but barriers orders what
// two of them do: it finds their races whoever runs first.
#pragma once

#include <cstdint>
#include <functional>

namespace emulated {

inline constexpr unsigned warp_threads = 32, most_threads = 1024;

/// Who goes on where several could. In each of them a warp gets as far ahead of others as barriers let it.
enum class Order { forward, backward, shuffled };
inline Order order = Order::forward;

/// Runs a kernel to its end, as so many threads.
void run_block(unsigned threads, const std::function<void()>& kernel);

/// As large as a GPU's in shared memory.
class alignas(8) Barrier {
 public:
  Barrier() = default;
  explicit Barrier(unsigned threads) : threads_(static_cast<std::uint16_t>(threads)) {}

  // ThreadSanitizer sees either read the number of threads: nobody may come before that is set.
  void arrive() { arrive_with(threads_); }
  void wait(unsigned round) { wait_for(threads_, round); }
  void arrive_and_wait() {
    const unsigned round = rounds();
    arrive();
    wait(round);
  }

  /// Waits for all, too, but orders nothing.
  void meet();
  /// That are complete.
  unsigned rounds() const;

 private:
  void arrive_with(unsigned threads);
  void wait_for(unsigned threads, unsigned round);
  void count_in(unsigned threads);
  void await(unsigned round);
  void* order_of(unsigned round);

  std::uint16_t threads_ = 0, arrived_ = 0;
  std::uint32_t rounds_ = 0;
};

/// Those that the running thread shares with its block and with its warp.
Barrier& barrier_of_block();
Barrier& barrier_of_warp();

/// What another lane of the warp passes; its own word where there is none. As on a GPU this orders nothing.
std::uint64_t word_from_lane(std::uint64_t own, int lane);

}  // namespace emulated
