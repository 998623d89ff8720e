// Events within a process, counters across processes.
#include <cuda_runtime.h>

#include "core/cuda_check.hpp"
#include "core/cuda_launch.cuh"
#include "core/cuda_queue.hpp"
#include "core/cuda_signal.cuh"
#include "grid/together.hpp"
#include "halo/peers.hpp"
#include "halo/slab_gpus.hpp"

namespace tayra {
namespace {

/// What a slab's kernels need for telling and awaiting.
struct Duty {
  PeerSignals* signals;
  std::uint64_t* raise[2];
  int awaited_ranks[2];  // negative: nobody
  std::uint64_t patience;
  int* lost_rank;
};

/// A neighbour's part, for a lane of its own: none waits for the word to another.
class Side {
 public:
  /// No kernel ahead that may still run writes what is read here.
  __device__ explicit Side(const Duty& duty)
      : duty_(duty),
        side_(static_cast<int>(threadIdx.x)),
        announced_(duty.signals->announced[side_]),
        awaited_(duty.signals->awaited[side_]) {}

  __device__ void announce() {
    if (duty_.raise[side_] == nullptr) return;
    store_released(duty_.raise[side_], announced_ + 1);
    duty_.signals->announced[side_] = announced_ + 1;
  }

  __device__ void await() {
    PeerSignals& signals = *duty_.signals;
    if (duty_.awaited_ranks[side_] < 0 || signals.given_up) return;
    signals.awaited[side_] = awaited_ + 1;
    if (wait_until([&] { return load_acquired(&signals.landed[side_]) > awaited_; }, duty_.patience)) return;
    signals.given_up = 1;
    *duty_.lost_rank = duty_.awaited_ranks[side_] + 1;
  }

 private:
  const Duty& duty_;
  const int side_;
  const std::uint64_t announced_, awaited_;
};

__global__ void announce_kernel(const __grid_constant__ Duty duty) {
  Side side(duty);
  await_kernel_ahead();
  side.announce();
}
__global__ void await_kernel(const __grid_constant__ Duty duty) {
  Side side(duty);
  await_kernel_ahead();
  side.await();
}
__global__ void announce_and_await_kernel(const __grid_constant__ Duty duty) {
  Side side(duty);
  await_kernel_ahead();
  side.announce();
  side.await();
}

/// The ghosts that a move fills: the destination's lower ones come first.
int ghosts_of(const Move& move) { return move.edge == Edge::upper ? 0 : 1; }

}  // namespace

WordWithinProcess quickest_word(const HaloSite& site) {
  return share_a_gpu(site.gpus()) ? WordWithinProcess::event : WordWithinProcess::counter;
}

Peers::Peers(const HaloSite& site, WordWithinProcess word) : site_(site), word_(word) {
  for (const HaloSlab& slab : site.slabs) landed_.push_back(field_events(slab.queue->device()));
  enable_peer_access(site.gpus());
  for (int field = 0; field < rotating_fields; ++field) {
    std::vector<void*> mine;
    for (const HaloSlab& slab : site.slabs) mine.push_back(slab.fields[field]);
    fields_.emplace_back(site.rank_of_slab, site.first_slab, mine);
  }
  make_posts();
  do_together([&] {
    connect_posts();
    for (const Move& move : site.plan.moves)
      for (int field = 0; field < rotating_fields; ++field)
        if (site.is_here(move.source_slab)) destination(move, field);
  });
}

void Peers::make_posts() {
  std::vector<void*> mine;
  for (const HaloSlab& slab : site_.slabs) {
    const Device device = slab.queue->device();
    Post post{Buffer<PeerSignals>(device, 1), {}, {-1, -1}, Buffer<int>(device, 1, Memory::pinned)};
    const PeerSignals none;
    slab.queue->copy(post.signals.data(), &none, sizeof none);
    slab.queue->synchronize();
    *post.lost_rank.data() = 0;
    mine.push_back(post.signals.data());
    posts_.push_back(std::move(post));
  }
  signals_.emplace(site_.rank_of_slab, site_.first_slab, mine);
}

bool Peers::by_event(const Move& move) const {
  return word_ == WordWithinProcess::event && site_.is_here(move.source_slab) &&
         site_.is_here(move.destination_slab);
}

void Peers::connect_posts() {
  for (const Move& move : site_.plan.moves) {
    if (by_event(move)) continue;
    const int ghosts = ghosts_of(move);
    if (site_.is_here(move.destination_slab)) {
      Post& post = posts_[move.destination_slab - site_.first_slab];
      post.awaited_ranks[ghosts] = site_.rank_of_slab[move.source_slab];
      post.counts = true;
    }
    if (site_.is_here(move.source_slab)) {
      Post& post = posts_[move.source_slab - site_.first_slab];
      auto* signals = static_cast<PeerSignals*>(
          signals_->of_slab(move.destination_slab, site_.queue(move.source_slab).device()));
      post.raise[move.edge == Edge::lower ? 0 : 1] = &signals->landed[ghosts];
      post.counts = true;
    }
  }
}

std::byte* Peers::destination(const Move& move, int field) const {
  return static_cast<std::byte*>(
             fields_[field].of_slab(move.destination_slab, site_.queue(move.source_slab).device())) +
         move.destination_offset;
}

template <class Kernel>
void Peers::for_counting_posts(Kernel kernel, const char* doing) const {
  for (std::size_t i = 0; i < posts_.size(); ++i) {
    const Post& post = posts_[i];
    if (!post.counts) continue;
    const Queue& queue = *site_.slabs[i].queue;
    const UseDevice use(queue.device().number);
    launch_early(kernel, {dim3(1), 2}, stream_of(queue), doing,
                 Duty{post.signals.data(),
                      {post.raise[0], post.raise[1]},
                      {post.awaited_ranks[0], post.awaited_ranks[1]},
                      static_cast<std::uint64_t>(site_.patience * 1e9),
                      post.lost_rank.data()});
  }
}

void Peers::announce(int field) const {
  for (std::size_t i = 0; i < site_.slabs.size(); ++i) landed_[i][field].record(*site_.slabs[i].queue);
  for_counting_posts(announce_kernel, "telling neighbours of landed planes");
}

void Peers::await(int field) const {
  for (const Move& move : site_.plan.moves)
    if (by_event(move))
      site_.queue(move.destination_slab).wait(landed_[move.source_slab - site_.first_slab][field]);
  for_counting_posts(await_kernel, "waiting for neighbours' planes");
}

void Peers::announce_and_await(int field) const {
  if (word_ == WordWithinProcess::event) {
    announce(field);
    await(field);
  } else {
    for_counting_posts(announce_and_await_kernel, "exchanging word of landed planes");
  }
}

void Peers::check() const {
  for (const Post& post : posts_)
    if (*static_cast<volatile int*>(post.lost_rank.data()) != 0)
      throw Error(ExitCode::lost, lost_rank_message(*post.lost_rank.data() - 1, site_.patience));
}

}  // namespace tayra
