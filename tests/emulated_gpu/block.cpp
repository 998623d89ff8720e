// Fibers and their barriers. ThreadSanitizer does not look into this file, but is told of both.
#include "block.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "cuda_runtime.h"
#include "fiber_context.hpp"

#ifdef TAYRA_RACES
#include <sanitizer/tsan_interface.h>
#else
static void* __tsan_get_current_fiber() { return nullptr; }
static void* __tsan_create_fiber(unsigned) { return nullptr; }
static void __tsan_destroy_fiber(void*) {}
static void __tsan_switch_to_fiber(void*, unsigned) {}
static void __tsan_acquire(void*) {}
static void __tsan_release(void*) {}
static constexpr unsigned __tsan_switch_to_fiber_no_sync = 0;
#endif

namespace emulated {
namespace {

void run_fiber();

/// One thread of a block after the other.
class Fiber {
  static constexpr std::size_t stack = 256 * 1024, guard = 64 * 1024;  // nobody may write to the guard below

 public:
  Fiber()
      : memory_(
            static_cast<char*>(mmap(nullptr, guard + stack, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    if (memory_ == MAP_FAILED || mprotect(memory_ + guard, stack, PROT_READ | PROT_WRITE) != 0) std::abort();
    context.begin(memory_ + guard, stack, run_fiber);
  }
  ~Fiber() {
    __tsan_destroy_fiber(seen);
    munmap(memory_, guard + stack);
  }
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  bool can_go_on() const { return !ended && (awaited == nullptr || awaited->rounds() > round); }

  FiberContext context;
  void* const seen = __tsan_create_fiber(0);
  unsigned number = 0, place = 0;
  bool ended = false;
  const Barrier* awaited = nullptr;
  unsigned round = 0;

 private:
  char* memory_;
};

struct Warp {
  Barrier all;
  std::array<std::array<std::uint64_t, warp_threads>, 2> words;  // a lane may be a shuffle ahead
};

struct Block {
  unsigned threads;
  const std::function<void()>& kernel;
  Barrier all{threads};
  std::vector<Warp> warps = {};
  std::vector<Fiber*> places = {};  // in the order in which they begin
  FiberContext host = {};
  void* const host_seen = __tsan_get_current_fiber();

  unsigned lanes() const { return std::min(threads, warp_threads); }
};

std::vector<std::unique_ptr<Fiber>> fibers;  // of all blocks
Block* block = nullptr;
Fiber* running = nullptr;

Warp& warp() { return block->warps[running->number / warp_threads]; }

/// Lanes of a warp stay together in all orders.
std::vector<unsigned> numbers_in_order(unsigned threads) {
  std::vector<unsigned> numbers(threads), ranks(threads / warp_threads + 1);
  std::iota(numbers.begin(), numbers.end(), 0);
  std::iota(ranks.begin(), ranks.end(), 0);
  if (order == Order::backward) std::reverse(numbers.begin(), numbers.end());
  if (order == Order::shuffled) {
    static std::mt19937 random;
    std::shuffle(numbers.begin(), numbers.end(), random);
    std::shuffle(ranks.begin(), ranks.end(), random);
    std::stable_sort(numbers.begin(), numbers.end(), [&](unsigned one, unsigned other) {
      return ranks[one / warp_threads] < ranks[other / warp_threads];
    });
  }
  return numbers;
}

/// In the same warp, as long as one there can; none if all have ended.
Fiber* next_fiber() {
  const unsigned lanes = block->lanes(), lane = running->place % lanes, first = running->place - lane;
  for (unsigned skipped = 0; skipped < block->threads; skipped += lanes)
    for (unsigned on = 1; on <= lanes; ++on) {
      Fiber* fiber = block->places[(first + skipped) % block->threads + (lane + on) % lanes];
      if (fiber->can_go_on()) return fiber;
    }
  if (!std::all_of(block->places.begin(), block->places.end(), [](Fiber* one) { return one->ended; })) {
    std::fputs(
        "The threads of a block wait for each other in different places, or for some that have ended.\n",
        stderr);
    std::abort();
  }
  return nullptr;
}

void go_on_with(Fiber& fiber) {
  running = &fiber;
  threadIdx = {fiber.number, 0, 0};
  __tsan_switch_to_fiber(fiber.seen, __tsan_switch_to_fiber_no_sync);
}

void let_others_run() {
  Fiber& self = *running;
  Fiber* next = next_fiber();
  if (next == &self) return;
  if (next == nullptr) {
    __tsan_switch_to_fiber(block->host_seen, __tsan_switch_to_fiber_no_sync);
    self.context.switch_to(block->host);
  } else {
    go_on_with(*next);
    self.context.switch_to(next->context);
  }
}

char begin_of_block, end_of_block;  // by their addresses

void run_fiber() {
  for (;;) {
    __tsan_acquire(&begin_of_block);
    block->kernel();
    __tsan_release(&end_of_block);
    running->ended = true;
    let_others_run();
  }
}

}  // namespace

void run_block(unsigned threads, const std::function<void()>& kernel) {
  while (fibers.size() < threads) fibers.push_back(std::make_unique<Fiber>());
  Block now{threads, kernel};
  now.warps.resize((threads + warp_threads - 1) / warp_threads, {Barrier(now.lanes()), {}});
  for (const unsigned number : numbers_in_order(threads)) {
    Fiber& fiber = *fibers[number];
    fiber.number = number;
    fiber.place = static_cast<unsigned>(now.places.size());
    fiber.ended = false;
    now.places.push_back(&fiber);
  }
  block = &now;
  __tsan_release(&begin_of_block);
  go_on_with(*now.places.front());
  now.host.switch_to(running->context);
  __tsan_acquire(&end_of_block);
}

unsigned Barrier::rounds() const { return rounds_; }

// An address of its own for even and for odd rounds: a thread may begin the next before others have left one.
void* Barrier::order_of(unsigned round) { return reinterpret_cast<char*>(this) + round % 2; }

void Barrier::count_in(unsigned threads) {
  if (++arrived_ < threads) return;
  arrived_ = 0;
  ++rounds_;
}

void Barrier::await(unsigned round) {
  if (rounds_ > round) return;
  running->awaited = this;
  running->round = round;
  let_others_run();
  running->awaited = nullptr;
}

void Barrier::arrive_with(unsigned threads) {
  __tsan_release(order_of(rounds_));
  count_in(threads);
}

void Barrier::wait_for(unsigned threads, unsigned round) {
  if (threads == 0) std::abort();  // it has ended
  await(round);
  __tsan_acquire(order_of(round));
}

void Barrier::meet() {
  const unsigned round = rounds_;
  count_in(threads_);
  await(round);
}

Barrier& barrier_of_block() { return block->all; }
Barrier& barrier_of_warp() { return warp().all; }

std::uint64_t word_from_lane(std::uint64_t own, int lane) {
  Warp& now = warp();
  std::array<std::uint64_t, warp_threads>& words = now.words[now.all.rounds() % 2];
  words[running->number % warp_threads] = own;
  now.all.meet();
  return lane >= 0 && lane < static_cast<int>(warp_threads) ? words[lane] : own;
}

}  // namespace emulated
