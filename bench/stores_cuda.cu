// One launch a slab stores all its blocks, 16 bytes a thread where they are aligned.
#include <cuda_runtime.h>

#include <algorithm>

#include "bench/stores.hpp"
#include "core/cuda_check.hpp"
#include "core/cuda_queue.hpp"
#include "halo/peers.hpp"

namespace tayra {
namespace {

struct Block {
  std::byte* to;
  const std::byte* from;
  std::size_t bytes;
};

template <class Word>
__device__ void copy_words(const Block& block) {
  auto* to = reinterpret_cast<Word*>(block.to);
  const auto* from = reinterpret_cast<const Word*>(block.from);
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
       i < block.bytes / sizeof(Word); i += step)
    to[i] = from[i];
}

/// A row of thread blocks for each block of bytes, all of which are whole words of 8.
__global__ void store_kernel(const Block* blocks) {
  const Block block = blocks[blockIdx.y];
  const auto bits =
      reinterpret_cast<std::uintptr_t>(block.to) | reinterpret_cast<std::uintptr_t>(block.from) | block.bytes;
  if (bits % sizeof(uint4) == 0)
    copy_words<uint4>(block);
  else
    copy_words<std::uint64_t>(block);
}

/// Planes as the sweeps of `direct` do; rows as they lie.
class StoresTransport final : public Transport {
 public:
  explicit StoresTransport(const HaloSite& site)
      : Transport(site.without_blocks_of_rows()),
        // By counters where `direct` uses them; but one kernel gives notice and waits.
        peers_(site_, quickest_notice(site_)) {
    for (std::size_t i = 0; i < site_.slabs.size(); ++i)
      launches_.push_back(launch_of(site_.first_slab + static_cast<int>(i)));
  }

  void start_moves(int field) override {
    for (std::size_t i = 0; i < launches_.size(); ++i) {
      const Launch& launch = launches_[i];
      if (launch.rows == 0) continue;
      const Queue& queue = *site_.slabs[i].queue;
      const UseDevice use(queue.device().number);
      store_kernel<<<dim3(launch.columns, launch.rows), threads, 0, stream_of(queue)>>>(
          launch.blocks[field].data());
      check_cuda(cudaGetLastError(), "storing blocks");
    }
  }

  void finish_moves(int field) override { peers_.signal_and_await(field); }
  TransportTraits traits() const override { return {.recordable = true}; }

 private:
  static constexpr unsigned threads = 256;

  struct Launch {
    std::array<Buffer<Block>, rotating_fields> blocks;
    unsigned columns = 0, rows = 0;
  };

  Launch launch_of(int slab) const {
    Launch launch;
    for (int field = 0; field < rotating_fields; ++field) {
      std::vector<Block> blocks;
      std::size_t longest = 0;
      for (const Move& move : site_.plan.moves) {
        if (move.source_slab != slab) continue;
        for (std::size_t i = 0; i < move.pieces; ++i)
          blocks.push_back({peers_.destination(move, field) + i * move.destination_apart,
                            site_.source(move, field) + i * move.source_apart, move.bytes});
        longest = std::max(longest, move.bytes);
      }
      if (blocks.empty()) return launch;
      constexpr std::size_t enough = 1024;  // to keep a GPU's memory busy
      const std::size_t wanted = (longest / sizeof(uint4) + threads - 1) / threads;
      launch.columns = static_cast<unsigned>(std::clamp<std::size_t>(wanted, 1, enough));
      launch.rows = static_cast<unsigned>(blocks.size());
      const Queue& queue = site_.queue(slab);
      launch.blocks[field] = Buffer<Block>(queue.device(), blocks.size());
      queue.copy(launch.blocks[field].data(), blocks.data(), launch.blocks[field].bytes());
      queue.synchronize();
    }
    return launch;
  }

  Peers peers_;
  std::vector<Launch> launches_;  // by slab of this process
};

}  // namespace

std::unique_ptr<Transport> make_stores_transport(HaloSite site) {
  return std::make_unique<StoresTransport>(site);
}

}  // namespace tayra
