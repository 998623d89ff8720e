// Halo backend `p2p`: all pieces of a GPU move at once, whichever slabs they come from and go to. Small ones
// by a kernel, which a graph can hold; large ones by one batched call, which leaves the work to the copy
// engines.
#include <cuda_runtime.h>

#include <algorithm>
#include <map>

#include "core/cuda_check.hpp"
#include "core/cuda_queue.hpp"
#include "halo/peers.hpp"
#include "halo/slab_gpus.hpp"
#include "halo/transport.hpp"

namespace tayra {
namespace {

/// All moves that start on one GPU. A batch that mixes source GPUs would run them one after the other.
struct Batch {
  std::vector<const Queue*> queues;  // of the slabs there; the call goes onto the first
  std::array<std::vector<const void*>, rotating_fields> sources;
  std::array<std::vector<void*>, rotating_fields> destinations;
  std::vector<std::size_t> bytes;
};

/// Pieces that a kernel moves, of one field.
struct Pieces {
  static constexpr int most = 8;
  const void* from[most];
  void* to[most];
  std::size_t bytes[most];
};

constexpr int move_threads = 256;
/// A few blocks keep a link busy with small pieces, and leave the GPU to the sweep.
constexpr std::size_t most_blocks = 8, bytes_a_block = 16 << 10;
/// Copy engines move larger pieces while the sweep has all of the GPU.
constexpr std::size_t most_bytes_by_kernel = 4 << 20;

template <class Word>
__device__ void move_words(const Pieces& pieces, int piece) {
  const Word* from = static_cast<const Word*>(pieces.from[piece]);
  Word* to = static_cast<Word*>(pieces.to[piece]);
  const std::size_t count = pieces.bytes[piece] / sizeof(Word), stride = std::size_t(gridDim.x) * blockDim.x;
#pragma unroll 4
  for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
    to[i] = from[i];
}

__global__ void move_kernel(const __grid_constant__ Pieces pieces) {
  const int piece = static_cast<int>(blockIdx.y);
  const auto bits = reinterpret_cast<std::size_t>(pieces.from[piece]) |
                    reinterpret_cast<std::size_t>(pieces.to[piece]) | pieces.bytes[piece];
  if (bits % sizeof(uint4) == 0)
    move_words<uint4>(pieces, piece);
  else
    move_words<float>(pieces, piece);  // a number is never smaller
}

class P2pTransport final : public Transport {
 public:
  explicit P2pTransport(HaloSite site) : Transport(std::move(site)), peers_(site_, ArrivalNotice::event) {
    for (const HaloSlab& slab : site_.slabs)
      batches_[slab.queue->device().number].queues.push_back(slab.queue);
    for (const Move& move : site_.plan.moves)
      if (site_.is_here(move.source_slab))
        add(move, batches_.at(site_.queue(move.source_slab).device().number));
    const double by_copies = seconds_with(false), by_kernel = seconds_with(true);
    by_kernel_ = by_kernel < by_copies && site_.plan.largest <= most_bytes_by_kernel;
  }

  void start_moves(int field) override {
    for (const auto& [device, batch] : batches_) {
      if (batch.bytes.empty()) continue;
      const UseDevice use(device);
      gather(batch.queues);
      by_kernel_ ? move(batch, field) : copy(batch, field);
      fork(batch.queues);
    }
    peers_.signal(field);
  }

  void finish_moves(int field) override { peers_.await(field); }
  /// CUDA refuses batches while a graph is recorded.
  TransportTraits traits() const override {
    return {.recordable = by_kernel_, .path = by_kernel_ ? "by a kernel" : "by copy engines"};
  }

 private:
  void add(const Move& move, Batch& batch) const {
    for (int field = 0; field < rotating_fields; ++field) {
      batch.sources[field].push_back(site_.source(move, field));
      batch.destinations[field].push_back(peers_.destination(move, field));
    }
    batch.bytes.push_back(move.bytes);
  }

  /// As in a run: many in a row, those of a kernel in a graph.
  double seconds_with(bool kernel) {
    by_kernel_ = kernel;
    const auto exchanges = [this] {
      for (int i = 0; i < 8 * rotating_fields; ++i) {
        start_moves(i % rotating_fields);
        finish_moves(i % rotating_fields);
      }
    };
    if (!kernel) return seconds_per_exchange(site_, [&](int) { exchanges(); });
    exchanges();  // nothing is loaded while a graph is recorded
    QueueGroup queues;
    for (const HaloSlab& slab : site_.slabs) queues.push_back(slab.queue);
    const WorkGraph graph({queues}, exchanges);
    return seconds_per_exchange(site_, [&](int) { graph.launch(); });
  }

  static void move(const Batch& batch, int field) {
    for (std::size_t first = 0; first < batch.bytes.size(); first += Pieces::most) {
      Pieces pieces;
      const int count = static_cast<int>(std::min<std::size_t>(batch.bytes.size() - first, Pieces::most));
      std::size_t largest = 1;
      for (int i = 0; i < count; ++i) {
        pieces.from[i] = batch.sources[field][first + i];
        pieces.to[i] = batch.destinations[field][first + i];
        pieces.bytes[i] = batch.bytes[first + i];
        largest = std::max(largest, pieces.bytes[i]);
      }
      const std::size_t blocks = std::min((largest + bytes_a_block - 1) / bytes_a_block, most_blocks);
      move_kernel<<<dim3(static_cast<unsigned>(blocks), static_cast<unsigned>(count)), move_threads, 0,
                    stream_of(*batch.queues.front())>>>(pieces);
      check_cuda(cudaGetLastError(), "moving boundary planes");
    }
  }

  static void copy(const Batch& batch, int field) {
    cudaMemcpyAttributes attributes{};
    attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    attributes.flags = cudaMemcpyFlagPreferOverlapWithCompute;
    std::size_t first = 0;
    const cudaStream_t stream = stream_of(*batch.queues.front());
    auto& from = batch.sources[field];
    auto& to = batch.destinations[field];
#if CUDART_VERSION >= 13000
    const cudaError_t status = cudaMemcpyBatchAsync(to.data(), from.data(), batch.bytes.data(), to.size(),
                                                    &attributes, &first, 1, stream);
#else
    std::size_t failed = 0;
    const cudaError_t status = cudaMemcpyBatchAsync(
        const_cast<void**>(to.data()), const_cast<void**>(from.data()),
        const_cast<std::size_t*>(batch.bytes.data()), to.size(), &attributes, &first, 1, &failed, stream);
#endif
    check_cuda(status, "copying a batch of boundary planes");
  }

  Peers peers_;
  std::map<int, Batch> batches_;  // by GPU
  bool by_kernel_ = false;
};

}  // namespace

std::unique_ptr<Transport> make_p2p_transport(HaloSite site) {
  return std::make_unique<P2pTransport>(std::move(site));
}

std::string p2p_lacks(const HaloPlace& place) { return no_peer_access(place, Partners::neighbours); }

}  // namespace tayra
