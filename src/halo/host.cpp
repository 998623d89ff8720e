#include "halo/host.hpp"

namespace tayra {
namespace {

/// On the CPU a face is copied straight into the neighbour's ghosts. From a GPU all faces go to pinned memory
/// first, then all come back: the queue keeps that order, so nothing has to be waited for.
class HostHalo final : public Halo {
 public:
  explicit HostHalo(HaloSite site) : site_(std::move(site)) {
    if (site_.queue->device().kind == DeviceKind::cuda)
      staging_ = Buffer<std::byte>(site_.queue->device(), site_.plan.bytes(), Memory::pinned);
  }

  void send(int field) override {
    if (staging_.size() == 0) {
      for (const Move& move : site_.plan.moves)
        site_.queue->copy(destination(move, field), source(move, field), move.bytes);
      return;
    }
    std::byte* staged = staging_.data();
    for (const Move& move : site_.plan.moves) {
      site_.queue->copy(staged, source(move, field), move.bytes);
      staged += move.bytes;
    }
    staged = staging_.data();
    for (const Move& move : site_.plan.moves) {
      site_.queue->copy(destination(move, field), staged, move.bytes);
      staged += move.bytes;
    }
  }

  void wait(int) override {}

 private:
  const std::byte* source(const Move& move, int field) const {
    return site_.fields[move.source_slab][field] + move.source_offset;
  }
  std::byte* destination(const Move& move, int field) const {
    return site_.fields[move.destination_slab][field] + move.destination_offset;
  }

  HaloSite site_;
  Buffer<std::byte> staging_;
};

}  // namespace

std::unique_ptr<Halo> make_host_halo(HaloSite site) { return std::make_unique<HostHalo>(std::move(site)); }

}  // namespace tayra
