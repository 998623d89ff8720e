// Halo backend `host`: device to pinned host memory to device; between processes, MPI carries it.
#include "halo/messages.hpp"
#include "halo/transport.hpp"

namespace tayra {
namespace {

/// On the CPU an edge is copied straight into the neighbour's ghosts. From a GPU it goes to pinned memory in
/// the order of its own queue, and from there to the neighbour in the order of the neighbour's.
class HostTransport final : public Transport {
 public:
  explicit HostTransport(HaloSite site)
      : Transport(std::move(site)),
        messages_(make_messages(site_, Moves::between_processes, {.staged = on_gpu(site_), .pieces = 1})) {
    for (const Move& move : site_.plan.moves)
      if (site_.is_here(move.source_slab) && site_.is_here(move.destination_slab)) local_.push_back(move);
    for (const Move& move : local_) {
      const Device device = site_.queue(move.source_slab).device();
      if (on_gpu(site_))
        for (auto& buffer : staging_.emplace_back())
          buffer = Buffer<std::byte>(device, move.bytes, Memory::pinned);
      staged_.push_back(field_events(device));
    }
  }

  void start_moves(int field) override {
    for (std::size_t i = 0; i < local_.size(); ++i) {
      const Move& move = local_[i];
      const Queue& queue = site_.queue(move.source_slab);
      queue.copy(stop_on_the_way(i, field), site_.source(move, field), move.bytes);
      staged_[i][field].record(queue);
    }
    if (messages_) messages_->start(field);
  }

  void finish_moves(int field) override {
    for (std::size_t i = 0; i < staging_.size(); ++i) {
      const Move& move = local_[i];
      const Queue& queue = site_.queue(move.destination_slab);
      queue.wait(staged_[i][field]);
      queue.copy(site_.destination(move, field), staging_[i][field].data(), move.bytes);
    }
    if (messages_) messages_->finish(field);
  }

  TransportTraits traits() const override { return {.recordable = !messages_}; }

 private:
  using StagedFields = std::array<Buffer<std::byte>, rotating_fields>;

  static bool on_gpu(const HaloSite& site) {
    return site.slabs.front().queue->device().kind == DeviceKind::cuda;
  }

  std::byte* stop_on_the_way(std::size_t i, int field) const {
    return staging_.empty() ? site_.destination(local_[i], field) : staging_[i][field].data();
  }

  std::unique_ptr<Messages> messages_;  // to and from other processes
  std::vector<Move> local_;
  std::vector<StagedFields> staging_;  // empty on the CPU
  std::vector<FieldEvents> staged_;
};

}  // namespace

std::unique_ptr<Transport> make_host_transport(HaloSite site) {
  return std::make_unique<HostTransport>(std::move(site));
}

}  // namespace tayra
