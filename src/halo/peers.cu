// Events within a process, counters across processes.
#include <cuda_runtime.h>

#include "core/cuda_check.hpp"
#include "core/cuda_launch.cuh"
#include "core/cuda_queue.hpp"
#include "core/cuda_signal.cuh"
#include "grid/together.hpp"
#include "halo/await_ghosts.cuh"
#include "halo/peers.hpp"
#include "halo/slab_gpus.hpp"

namespace tayra {
namespace {

/// A lane for each neighbour: no notice waits for the other.
__device__ int side_of_lane() { return static_cast<int>(threadIdx.x); }

/// For the neighbour of a lane's side, after the kernel ahead. What is read before was written by a kernel
/// that had ended when that one let this one start; a plain load might find an older value in its cache.
__device__ void signal_after_kernel_ahead(PeerSignals& signals, const RaisedCounters& counters, int side) {
  const std::uint64_t signalled = load_acquired(&signals.signalled[side]) + 1;
  grid_dependency_synchronize();
  if (counters.of_side[side] != nullptr) store_released(counters.of_side[side], signalled);
  signals.signalled[side] = signalled;
}

__global__ void signal_kernel(PeerSignals* signals, const __grid_constant__ RaisedCounters counters) {
  trigger_launch_completion();
  signal_after_kernel_ahead(*signals, counters, side_of_lane());
}
__global__ void signal_and_await_kernel(const __grid_constant__ RaisedCounters counters,
                                        const __grid_constant__ AwaitedGhosts awaited) {
  signal_after_kernel_ahead(*awaited.signals, counters, side_of_lane());
  await_ghosts(awaited, side_of_lane());
}

}  // namespace

ArrivalNotice quickest_notice(const HaloSite& site) {
  return share_a_gpu(site.gpus()) ? ArrivalNotice::event : ArrivalNotice::counter;
}

Peers::Peers(const HaloSite& site, ArrivalNotice notice) : site_(site), notice_(notice) {
  for (const HaloSlab& slab : site.slabs) arrived_.push_back(field_events(slab.queue->device()));
  enable_peer_access(site.gpus());
  for (int field = 0; field < rotating_fields; ++field) {
    std::vector<void*> mine;
    for (const HaloSlab& slab : site.slabs) mine.push_back(slab.fields[field]);
    fields_.emplace_back(site.rank_of_slab, site.first_slab, mine);
  }
  make_counters();
  do_together([&] {
    connect_counters();
    for (const Move& move : site.plan.moves)
      for (int field = 0; field < rotating_fields; ++field)
        if (site.is_here(move.source_slab)) destination(move, field);
  });
}

void Peers::make_counters() {
  std::vector<void*> mine;
  for (const HaloSlab& slab : site_.slabs) {
    const Device device = slab.queue->device();
    Counters counters{Buffer<PeerSignals>(device, 1), {}, {}};
    const PeerSignals none;
    slab.queue->copy(counters.signals.data(), &none, sizeof none);
    slab.queue->synchronize();
    counters.awaited.signals = counters.signals.data();
    mine.push_back(counters.signals.data());
    counters_.push_back(std::move(counters));
  }
  signals_.emplace(site_.rank_of_slab, site_.first_slab, mine);
}

bool Peers::by_event(const Move& move) const {
  return notice_ == ArrivalNotice::event && site_.is_here(move.source_slab) &&
         site_.is_here(move.destination_slab);
}

void Peers::connect_counters() {
  for (const Move& move : site_.plan.moves) {
    if (by_event(move)) continue;
    const int ghosts = ghosts_filled_by(move.edge);
    if (site_.is_here(move.destination_slab)) {
      Counters& counters = counters_[move.destination_slab - site_.first_slab];
      counters.awaited.from_side[ghosts] = true;
      counters.in_use = true;
    }
    if (site_.is_here(move.source_slab)) {
      Counters& counters = counters_[move.source_slab - site_.first_slab];
      auto* signals = static_cast<PeerSignals*>(
          signals_->of_slab(move.destination_slab, site_.queue(move.source_slab).device()));
      counters.raised.of_side[number_of(move.edge)] = &signals->arrived[ghosts];
      counters.in_use = true;
    }
  }
}

std::byte* Peers::destination(const Move& move, int field) const {
  return static_cast<std::byte*>(
             fields_[field].of_slab(move.destination_slab, site_.queue(move.source_slab).device())) +
         move.destination_offset;
}

template <class Kernel, class... Arguments>
void Peers::launch(Kernel kernel, std::size_t slab_here, const char* doing,
                   const Arguments&... arguments) const {
  const Queue& queue = *site_.slabs[slab_here].queue;
  const UseDevice use(queue.device().number);
  launch_early(kernel, {dim3(1), edges}, stream_of(queue), doing, arguments...);
}

void Peers::signal(int field) const {
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    if (notice_ == ArrivalNotice::event) arrived_[i][field].record(*site_.slabs[i].queue);
    if (counters_[i].in_use)
      launch(signal_kernel, i, "telling neighbours of planes that have arrived", counters_[i].signals.data(),
             counters_[i].raised);
  }
}

void Peers::await(int field) const {
  for (const Move& move : site_.plan.moves)
    if (by_event(move))
      site_.queue(move.destination_slab).wait(arrived_[move.source_slab - site_.first_slab][field]);
  for (std::size_t i = 0; i < counters_.size(); ++i)
    if (counters_[i].in_use) launch(await_ghosts_kernel, i, awaiting_ghosts, counters_[i].awaited);
}

void Peers::signal_and_await(int field) const {
  if (notice_ == ArrivalNotice::event) {
    signal(field);
    await(field);
    return;
  }
  for (std::size_t i = 0; i < counters_.size(); ++i)
    if (counters_[i].in_use)
      launch(signal_and_await_kernel, i, "exchanging word of planes that have arrived", counters_[i].raised,
             counters_[i].awaited);
}

AwaitedGhosts Peers::awaited_by(int slab) const { return counters_[slab - site_.first_slab].awaited; }

}  // namespace tayra
