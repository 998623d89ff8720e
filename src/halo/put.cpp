// Halo backend `put`: each side writes into the other's memory and raises a signal there (NVSHMEM). Edges
// arrive in the library's own symmetric memory and are copied into the ghosts from there. So do reports,
// where flags don't serve.
#include <cuda_runtime.h>
#include <nvshmem_host.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "core/cuda_queue.hpp"
#include "core/error.hpp"
#include "grid/together.hpp"
#include "halo/gathered_reports.hpp"
#include "halo/slab_gpus.hpp"
#include "halo/transport.hpp"

namespace tayra {
namespace {

/// One GPU a process.
class Library {
 public:
  Library() {
    // Multicast serves collectives alone, and its set-up fails on machines that withhold it.
    setenv("NVSHMEM_DISABLE_NVLS", "1", 0);
    nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
    check(ranks().from_first(ranks().is_first() ? nvshmemx_get_uniqueid(&id) : 0));
    ranks().broadcast(&id, sizeof id);
    nvshmemx_init_attr_t attributes = NVSHMEMX_INIT_ATTR_INITIALIZER;
    do_together(
        [&] { check(nvshmemx_set_attr_uniqueid_args(ranks().rank(), ranks().size(), &id, &attributes)); });
    do_together([&] { check(nvshmemx_hostlib_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attributes)); });
  }
  ~Library() { nvshmemx_hostlib_finalize(); }

  /// Starting takes seconds, so halos that live at the same time share it.
  static std::shared_ptr<Library> started() {
    static std::weak_ptr<Library> in_use;
    auto library = in_use.lock();
    if (library == nullptr) in_use = library = std::make_shared<Library>();
    return library;
  }

  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

 private:
  static void check(int status) {
    require(status == 0, ExitCode::unavailable,
            "NVSHMEM failed while starting (status " + std::to_string(status) + ")");
  }
};

/// The same size on every rank, as the library wants it.
template <class T>
class SymmetricBuffer {
 public:
  explicit SymmetricBuffer(std::size_t count) : data_(static_cast<T*>(nvshmem_calloc(count, sizeof(T)))) {
    require(data_ != nullptr, ExitCode::unavailable,
            "NVSHMEM has no memory left: set NVSHMEM_SYMMETRIC_SIZE higher");
  }
  ~SymmetricBuffer() { nvshmem_free(data_); }
  SymmetricBuffer(SymmetricBuffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  SymmetricBuffer& operator=(SymmetricBuffer&&) = delete;
  T* data() const { return data_; }

 private:
  T* data_;
};

/// Where reports of all GPUs travel. A rank may be a step ahead of others that are no neighbours, and then
/// writes to them while they still read what came in the step before. It can't be two ahead, since they give
/// to the step between only after they have read: so two places take turns.
class GatheringMemory {
 public:
  explicit GatheringMemory(const GatheredReports::Gpu& gpu)
      : leaving_(words_in(gpu.published)),
        arriving_{SymmetricBuffer<std::uint32_t>(words_in(gpu.of_all)),
                  SymmetricBuffer<std::uint32_t>(words_in(gpu.of_all))} {}

  /// Ranks gather nothing else, so all do so in the same order, as the library wants it.
  void gather(const GatheredReports::Gpu& gpu) {
    const Queue& queue = *gpu.queues.front();
    std::uint32_t* arriving = arriving_[gatherings_++ % arriving_.size()].data();
    queue.copy(leaving_.data(), gpu.published.data(), gpu.published.bytes());
    // Words bring flags of their own; for single bytes NVSHMEM has a barrier of all ranks.
    require(nvshmemx_uint32_fcollect_on_stream(NVSHMEM_TEAM_WORLD, arriving, leaving_.data(),
                                               words_in(gpu.published), stream_of(queue)) == 0,
            ExitCode::failed, "NVSHMEM failed while gathering");
    queue.copy(gpu.of_all.data(), arriving, gpu.of_all.bytes());
  }

 private:
  static std::size_t words_in(const Buffer<SlabReport>& reports) {
    return reports.bytes() / sizeof(std::uint32_t);
  }

  SymmetricBuffer<std::uint32_t> leaving_;
  std::array<SymmetricBuffer<std::uint32_t>, 2> arriving_;
  std::size_t gatherings_ = 0;
};

class PutTransport final : public Transport {
 public:
  explicit PutTransport(HaloSite site) : Transport(std::move(site)) {
    const std::size_t places = edges_in_use() * site_.slabs.size();
    // One by one: the library finds no room for pieces as large as all of them together.
    for (std::size_t i = 0; i < places * rotating_fields; ++i) {
      leaving_.emplace_back(site_.plan.largest);
      arriving_.emplace_back(site_.plan.largest);
    }
    signals_.emplace(places);
    if (!site_.reduction || site_.reduction->way(traits()) != ReductionWay::gathered) return;
    reports_.emplace(site_.slabs, ranks().size());
    gathering_.emplace(reports_->gpus().front());
  }

  ~PutTransport() override {
    for (const HaloSlab& slab : site_.slabs) {
      cudaStreamSynchronize(stream_of(*slab.queue));
      if (reports_) cudaStreamSynchronize(stream_of(slab.end->end_queue()));
    }
  }

  void start_moves(int field) override {
    ++exchanges_;
    for (const Move& move : site_.plan.moves) {
      if (!site_.is_here(move.source_slab)) continue;
      const Queue& queue = site_.queue(move.source_slab);
      if (site_.is_here(move.destination_slab)) {
        queue.copy(site_.destination(move, field), site_.source(move, field), move.bytes);
        continue;
      }
      std::byte* leaving = leaving_[number(leaving_place(move), field)].data();
      queue.copy(leaving, site_.source(move, field), move.bytes);
      nvshmemx_putmem_signal_on_stream(arriving_[number(arriving_place(move), field)].data(), leaving,
                                       move.bytes, signal_of(move), exchanges_, NVSHMEM_SIGNAL_SET,
                                       site_.rank_of_slab[move.destination_slab], stream_of(queue));
    }
    for (const Move& move : site_.plan.moves)
      if (site_.is_here(move.source_slab) && site_.is_here(move.destination_slab))
        site_.queue(move.destination_slab).follow(site_.queue(move.source_slab));
  }

  void finish_moves(int field) override {
    for (const Move& move : site_.plan.moves) {
      if (!site_.is_here(move.destination_slab) || site_.is_here(move.source_slab)) continue;
      const Queue& queue = site_.queue(move.destination_slab);
      nvshmemx_signal_wait_until_on_stream(signal_of(move), NVSHMEM_CMP_GE, exchanges_, stream_of(queue));
      queue.copy(site_.destination(move, field), arriving_[number(arriving_place(move), field)].data(),
                 move.bytes);
    }
  }

  void reduce() override {
    if (!reports_) return Transport::reduce();
    reports_->publish();
    gathering_->gather(reports_->gpus().front());
    reports_->end_step();
  }

  /// A graph would repeat the signals' values.
  TransportTraits traits() const override { return {.gathers_reports = true}; }

 private:
  /// On every rank the same: where ranks lie side by side all have a neighbour there.
  int edges_in_use() const { return site_.plan.unpacked.empty() ? 2 : edges; }
  /// By the slab's place on its rank, and an edge of it: symmetric, so that the sender can name it, too.
  std::size_t arriving_place(const Move& move) const {
    return edges_in_use() * (move.destination_slab % site_.slabs.size()) + ghosts_filled_by(move.edge);
  }
  std::size_t leaving_place(const Move& move) const {
    return edges_in_use() * (move.source_slab % site_.slabs.size()) + number_of(move.edge);
  }
  static std::size_t number(std::size_t place, int field) { return place * rotating_fields + field; }
  std::uint64_t* signal_of(const Move& move) const { return signals_->data() + arriving_place(move); }

  std::shared_ptr<Library> library_ = Library::started();
  std::vector<SymmetricBuffer<std::byte>> leaving_, arriving_;  // by place, then by field
  std::optional<SymmetricBuffer<std::uint64_t>> signals_;
  std::uint64_t exchanges_ = 0;
  std::optional<GatheredReports> reports_;
  std::optional<GatheringMemory> gathering_;
};

}  // namespace

std::unique_ptr<Transport> make_put_transport(HaloSite site) {
  use_device(site.slabs.front().queue->device());  // NVSHMEM takes the current GPU for this process's
  return std::make_unique<PutTransport>(std::move(site));
}

std::string put_lacks(const HaloPlace& place) {
  if (ranks().size() == 1)
    return "puts go from process to process, and there is one: start several with mpirun";
  const bool shared = ranks_share_a_gpu(place);  // asked by all ranks, whatever each finds else
  if (std::count(place.devices.begin(), place.devices.end(), place.devices.front()) !=
      std::ptrdiff_t(place.devices.size()))
    return "NVSHMEM drives one GPU per process, and this one has several";
  return shared ? "ranks share a GPU, and NVSHMEM needs one for each" : "";
}

}  // namespace tayra
