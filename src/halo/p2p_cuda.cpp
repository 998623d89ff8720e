// Halo backend `p2p`: one batched call moves all pieces of a GPU, whichever slabs they come from and go to.
#include <cuda_runtime.h>

#include <map>

#include "core/cuda_check.hpp"
#include "core/cuda_queue.hpp"
#include "halo/backends.hpp"
#include "halo/peers.hpp"
#include "halo/slab_gpus.hpp"

namespace tayra {
namespace {

/// All moves that start on one GPU. A batch that mixes source GPUs would run them one after the other.
struct Batch {
  std::vector<const Queue*> queues;  // of the slabs there; the call goes onto the first
  std::array<std::vector<const void*>, rotating_fields> sources;
  std::array<std::vector<void*>, rotating_fields> destinations;
  std::vector<std::size_t> bytes;
};

class P2pHalo final : public Halo {
 public:
  explicit P2pHalo(HaloSite site) : site_(std::move(site)), peers_(site_, LandingNotice::event) {
    for (const HaloSlab& slab : site_.slabs)
      batches_[slab.queue->device().number].queues.push_back(slab.queue);
    for (const Move& move : site_.plan.moves)
      if (site_.is_here(move.source_slab))
        add(move, batches_.at(site_.queue(move.source_slab).device().number));
  }

  void send(int field) override {
    for (const auto& [device, batch] : batches_) {
      if (batch.bytes.empty()) continue;
      const UseDevice use(device);
      gather(batch.queues);
      copy(batch, field);
      fork(batch.queues);
    }
    peers_.announce(field);
  }

  void wait(int field) override { peers_.await(field); }
  bool can_be_recorded() const override { return false; }  // CUDA refuses batches while a graph is recorded
  void check() const override { peers_.check(); }

 private:
  void add(const Move& move, Batch& batch) const {
    for (int field = 0; field < rotating_fields; ++field) {
      batch.sources[field].push_back(site_.source(move, field));
      batch.destinations[field].push_back(peers_.destination(move, field));
    }
    batch.bytes.push_back(move.bytes);
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
    check_cuda(status, "copying a batch of edges");
  }

  HaloSite site_;
  Peers peers_;
  std::map<int, Batch> batches_;  // by GPU
};

}  // namespace

std::unique_ptr<Halo> make_p2p_halo(HaloSite site) { return std::make_unique<P2pHalo>(std::move(site)); }

std::string p2p_lacks(const HaloPlace& place) { return no_peer_access(place, Partners::neighbours); }

}  // namespace tayra
