// Where flags serve, how every GPU gets the addresses of all slots, and the tables of those without.
#include "halo/reduction.hpp"

#include <span>
#include <utility>

#include "core/error.hpp"
#include "grid/together.hpp"
#include "halo/slab_gpus.hpp"
#include "halo/transport.hpp"

namespace tayra {
namespace {

/// In the memory of a GPU.
Buffer<ReportSlot> empty_slots(Device device, std::size_t count) {
  const std::vector<ReportSlot> none(count);
  Buffer<ReportSlot> slots(device, count);
  const Queue queue(device);
  queue.copy(slots.data(), none.data(), slots.bytes());
  queue.synchronize();
  return slots;
}

/// For slabs with a GPU each, on one node. All ranks must call it together.
bool flags_serve(const HaloSite& site) {
  const HaloPlace place = site.place();
  const std::size_t slabs = site.rank_of_slab.size();
  if (place.kind == DeviceKind::cpu) return false;
  if (slabs == 1) return true;
  if (slabs > most_report_slots) return false;
  const bool reached = no_peer_access(place, Partners::all).empty();
  const bool fit_here = reached && !share_a_gpu(place.devices) && ranks().nodes() == 1;
  return holds_on_all_ranks(fit_here) && !ranks_share_a_gpu(place);
}

}  // namespace

const char* name_of(ReductionWay way) {
  constexpr std::array names{"flags", "table", "gathered", "hosts"};
  return names[static_cast<int>(way)];
}

class Reduction::Slots {
 public:
  /// All ranks must construct it together.
  explicit Slots(const HaloSite& site) {
    const std::size_t slabs = site.rank_of_slab.size();
    std::vector<void*> mine;
    do_together([&] {
      enable_peer_access(site.gpus());
      for (const HaloSlab& slab : site.slabs) {
        own_.push_back(empty_slots(slab.queue->device(), 2 * slabs));
        mine.push_back(own_.back().data());
      }
    });
    all_.emplace(site.rank_of_slab, site.first_slab, mine);
    do_together([&] {
      for (std::size_t i = 0; i < site.slabs.size(); ++i)
        as_reached_.push_back(
            reached_by(site.first_slab + static_cast<int>(i), slabs, site.slabs[i].queue->device()));
    });
  }

  const ReportSlots& of_slab(std::size_t slab_here) const { return as_reached_[slab_here]; }

 private:
  ReportSlots reached_by(int slab, std::size_t slabs, Device device) const {
    ReportSlots slots{{}, static_cast<int>(slabs), slab};
    for (int other = 0; other < slots.slabs; ++other)
      slots.of_slab[other] = static_cast<ReportSlot*>(all_->of_slab(other, device));
    return slots;
  }

  std::vector<Buffer<ReportSlot>> own_;
  std::optional<SharedBlocks> all_;
  std::vector<ReportSlots> as_reached_;  // by slab of this process
};

Reduction::Reduction(const HaloSite& site)
    : reports_(site.slabs.front().queue->device(), 2 * site.slabs.size(), Memory::pinned) {
  for (const HaloSlab& slab : site.slabs) {
    slabs_.push_back(slab.end);
    published_.emplace_back(slab.queue->device());
  }
  if (!flags_serve(site)) return;
  // Ranks of a node may still be kept from each other's GPUs: no peer access, or a container's walls.
  try {
    do_together([&] { slots_ = std::make_shared<Slots>(site); });
  } catch (const Error& error) {
    if (error.code() == ExitCode::lost) throw;
    slots_.reset();
  }
}

ReductionWay Reduction::way(const TransportTraits& transport) const {
  if (slots_ && (slabs_.size() == 1 || !transport.ties_queues)) return ReductionWay::flags;
  if (ranks().size() == 1) return ReductionWay::table;
  return transport.gathers_reports ? ReductionWay::gathered : ReductionWay::hosts;
}

void Reduction::enqueue(ReductionWay way) const {
  if (way == ReductionWay::flags) {
    for (std::size_t i = 0; i < slabs_.size(); ++i) slabs_[i]->publish_and_end_step(slots_->of_slab(i));
    return;
  }
  publish();
  if (way == ReductionWay::hosts) return;
  for (const StepEnd* slab : slabs_)
    for (const Event& other : published_) slab->end_queue().wait(other);
  end_step();
}

void Reduction::publish() const {
  for (std::size_t i = 0; i < slabs_.size(); ++i) {
    slabs_[i]->publish(table(), static_cast<int>(i));
    published_[i].record(slabs_[i]->end_queue());
  }
}

void Reduction::end_step() const {
  for (StepEnd* slab : slabs_) slab->end_step(table());
}

void Reduction::end_by_hosts(unsigned epoch) const {
  const std::span row(table().row(epoch), slabs_.size());
  SlabReport of_rank;
  for (SlabReport& of_slab : row) merge(of_rank, std::exchange(of_slab, {}));
  row.front() = ranks().merged(of_rank, [](SlabReport& sum, const SlabReport& part) { merge(sum, part); });
  end_step();
}

}  // namespace tayra
