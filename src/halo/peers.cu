// Pointers and events within a process, CUDA IPC and counters across processes.
#include <cuda_runtime.h>

#include <cstring>

#include "core/cuda_check.hpp"
#include "halo/peers.hpp"

namespace tayra {
namespace {

struct Raise {
  std::uint64_t* counters[2];
};

__global__ void announce_kernel(PeerSignals* signals, Raise raise) {
  const std::uint64_t exchange = ++signals->announced;
  __threadfence_system();
  for (std::uint64_t* counter : raise.counters)
    if (counter != nullptr)
      asm volatile("st.release.sys.u64 [%0], %1;" ::"l"(counter), "l"(exchange) : "memory");
}

__device__ std::uint64_t loaded(const std::uint64_t* counter) {
  std::uint64_t value;
  asm volatile("ld.acquire.sys.u64 %0, [%1];" : "=l"(value) : "l"(counter) : "memory");
  return value;
}

__device__ std::uint64_t nanoseconds_now() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

struct Awaited {
  int ranks[2];  // negative: nobody
};

__global__ void await_kernel(PeerSignals* signals, Awaited awaited, std::uint64_t patience, int* lost_rank) {
  const std::uint64_t exchange = ++signals->awaited;
  const std::uint64_t start = nanoseconds_now();
  for (int side = 0; side < 2; ++side) {
    if (awaited.ranks[side] < 0) continue;
    while (!signals->given_up && loaded(&signals->landed[side]) < exchange)
      if (nanoseconds_now() - start > patience) {
        signals->given_up = 1;
        *lost_rank = awaited.ranks[side] + 1;
      }
  }
}

cudaStream_t stream_of(const Queue& queue) { return static_cast<cudaStream_t>(queue.stream()); }

/// What a process tells the others of one of its slabs.
struct SlabHandles {
  cudaIpcMemHandle_t fields[rotating_fields];
  cudaIpcMemHandle_t signals;
};

cudaIpcMemHandle_t handle_of(void* memory) {
  cudaIpcMemHandle_t handle;
  check_cuda(cudaIpcGetMemHandle(&handle, memory), "sharing GPU memory with other processes");
  return handle;
}

/// The ghosts that a move fills: the destination's lower ones come first.
int ghosts_of(const Move& move) { return move.edge == Edge::upper ? 0 : 1; }

}  // namespace

std::string no_peer_access(const HaloPlace& place) {
  for (const int from : place.devices)
    for (const int to : place.devices)
      if (!has_peer_access(from, to))
        return "no peer access from GPU " + std::to_string(from) + " to GPU " + std::to_string(to);
  return "";
}

Peers::Peers(const HaloSite& site) : site_(site) {
  std::vector<int> devices;
  for (const HaloSlab& slab : site.slabs) {
    landed_.push_back(field_events(slab.queue->device()));
    devices.push_back(slab.queue->device().number);
  }
  enable_peer_access(devices);
  if (ranks().size() == 1) return;
  make_posts();
  open_neighbours();
}

Peers::~Peers() {
  for (void* memory : opened_) cudaIpcCloseMemHandle(memory);
}

void Peers::make_posts() {
  for (const HaloSlab& slab : site_.slabs) {
    const Device device = slab.queue->device();
    Post post{Buffer<PeerSignals>(device, 1), {}, {}, Buffer<int>(device, 1, Memory::pinned)};
    post.awaited_ranks[0] = post.awaited_ranks[1] = -1;
    const PeerSignals none;
    slab.queue->copy(post.signals.data(), &none, sizeof none);
    slab.queue->synchronize();
    *post.lost_rank.data() = 0;
    posts_.push_back(std::move(post));
  }
}

void Peers::open_neighbours() {
  const int slabs = static_cast<int>(site_.rank_of_slab.size());
  std::vector<SlabHandles> mine(static_cast<std::size_t>(slabs));  // zeros but for the slabs here
  std::memset(static_cast<void*>(mine.data()), 0, mine.size() * sizeof(SlabHandles));
  for (std::size_t i = 0; i < site_.slabs.size(); ++i) {
    SlabHandles& handles = mine[site_.first_slab + i];
    for (int field = 0; field < rotating_fields; ++field)
      handles.fields[field] = handle_of(site_.slabs[i].fields[field]);
    handles.signals = handle_of(posts_[i].signals.data());
  }
  std::vector<SlabHandles> all(mine.size() * ranks().size());
  ranks().gather_to_all(mine.data(), mine.size() * sizeof(SlabHandles), all.data());

  const auto open = [&](const cudaIpcMemHandle_t& handle) {
    void* memory = nullptr;
    check_cuda(cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess),
               "opening the GPU memory of another process");
    opened_.push_back(memory);
    return memory;
  };
  for (const Move& move : site_.plan.moves) {
    const int from_rank = site_.rank_of_slab[move.source_slab],
              to_rank = site_.rank_of_slab[move.destination_slab];
    if (from_rank == to_rank) continue;
    const int ghosts = ghosts_of(move);
    if (site_.is_here(move.destination_slab)) {
      Post& post = posts_[move.destination_slab - site_.first_slab];
      post.awaited_ranks[ghosts] = from_rank;
      post.crosses = true;
    }
    if (!site_.is_here(move.source_slab)) continue;
    const int device = site_.queue(move.source_slab).device().number;
    const UseDevice use(device);
    const auto [entry, is_new] = remote_.try_emplace({device, move.destination_slab});
    if (is_new) {
      const SlabHandles& handles = all[std::size_t(to_rank) * mine.size() + move.destination_slab];
      for (int field = 0; field < rotating_fields; ++field)
        entry->second.fields[field] = static_cast<std::byte*>(open(handles.fields[field]));
      entry->second.signals = static_cast<PeerSignals*>(open(handles.signals));
    }
    Post& post = posts_[move.source_slab - site_.first_slab];
    post.raise[move.edge == Edge::lower ? 0 : 1] = &entry->second.signals->landed[ghosts];
    post.crosses = true;
  }
}

const Peers::RemoteSlab& Peers::remote(const Move& move) const {
  return remote_.at({site_.queue(move.source_slab).device().number, move.destination_slab});
}

std::byte* Peers::destination(const Move& move, int field) const {
  if (site_.is_here(move.destination_slab)) return site_.destination(move, field);
  return remote(move).fields[field] + move.destination_offset;
}

void Peers::announce(int field) const {
  for (std::size_t i = 0; i < site_.slabs.size(); ++i) {
    const Queue& queue = *site_.slabs[i].queue;
    landed_[i][field].record(queue);
    if (posts_.empty() || !posts_[i].crosses) continue;
    const UseDevice use(queue.device().number);
    announce_kernel<<<1, 1, 0, stream_of(queue)>>>(posts_[i].signals.data(),
                                                   {{posts_[i].raise[0], posts_[i].raise[1]}});
    check_cuda(cudaGetLastError(), "telling neighbours of landed planes");
  }
}

void Peers::await(int field) const {
  for (const Move& move : site_.plan.moves)
    if (site_.is_here(move.source_slab) && site_.is_here(move.destination_slab))
      site_.queue(move.destination_slab).wait(landed_[move.source_slab - site_.first_slab][field]);
  for (std::size_t i = 0; i < posts_.size(); ++i) {
    const Post& post = posts_[i];
    if (!post.crosses) continue;
    const Queue& queue = *site_.slabs[i].queue;
    const UseDevice use(queue.device().number);
    await_kernel<<<1, 1, 0, stream_of(queue)>>>(
        post.signals.data(), {{post.awaited_ranks[0], post.awaited_ranks[1]}},
        static_cast<std::uint64_t>(site_.patience * 1e9), post.lost_rank.data());
    check_cuda(cudaGetLastError(), "waiting for neighbours' planes");
  }
}

void Peers::check() const {
  for (const Post& post : posts_)
    if (*static_cast<volatile int*>(post.lost_rank.data()) != 0)
      throw Error(ExitCode::lost, lost_rank_message(*post.lost_rank.data() - 1, site_.patience));
}

}  // namespace tayra
