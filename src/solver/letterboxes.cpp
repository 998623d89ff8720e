// Where letterboxes serve, how every GPU gets the addresses of all, and whose letter never came.
#include "solver/letterboxes.hpp"

#include "core/error.hpp"
#include "grid/together.hpp"
#include "halo/slab_gpus.hpp"

namespace tayra {
namespace {

/// In the memory of a GPU.
Buffer<Letter> empty_box(Device device, std::size_t letters) {
  const std::vector<Letter> none(letters);
  Buffer<Letter> box(device, letters);
  const Queue queue(device);
  queue.copy(box.data(), none.data(), box.bytes());
  queue.synchronize();
  return box;
}

}  // namespace

bool Letterboxes::serve(const HaloPlace& place, int slabs) {
  if (place.kind == DeviceKind::cpu) return false;
  if (slabs == 1) return true;
  if (slabs > most_letterboxes) return false;
  const bool reached = no_peer_access(place, Partners::all).empty();
  const bool fit_here = reached && !share_a_gpu(place.devices) && ranks().nodes() == 1;
  return holds_on_all_ranks(fit_here) && !ranks_share_a_gpu(place);
}

Letterboxes::Letterboxes(const Placement& placement, double patience)
    : rank_of_slab_(placement.rank_of_slab), patience_(patience) {
  const std::size_t slabs = rank_of_slab_.size();
  std::vector<void*> mine;
  do_together([&] {
    enable_peer_access(placement.halo_place().devices);
    for (const Device& device : placement.devices) {
      boxes_.push_back(empty_box(device, 2 * slabs));
      mine.push_back(boxes_.back().data());
      lost_slabs_.emplace_back(device, 1, Memory::pinned);
      *lost_slabs_.back().data() = 0;
    }
  });
  all_boxes_ = std::make_unique<SharedBlocks>(rank_of_slab_, placement.first_slab, mine);
  do_together([&] {
    for (std::size_t i = 0; i < placement.devices.size(); ++i)
      rounds_.push_back(round_of(i, placement.first_slab, placement.devices[i]));
  });
}

LetterRound Letterboxes::round_of(std::size_t slab_here, int first_slab, Device device) const {
  const int slabs = static_cast<int>(rank_of_slab_.size());
  LetterRound round{{},
                    slabs,
                    first_slab + static_cast<int>(slab_here),
                    static_cast<std::uint64_t>(patience_ * 1e9),
                    lost_slabs_[slab_here].data()};
  for (int slab = 0; slab < slabs; ++slab)
    round.boxes[slab] = static_cast<Letter*>(all_boxes_->of_slab(slab, device));
  return round;
}

void Letterboxes::check() const {
  for (const Buffer<int>& lost : lost_slabs_)
    if (const int number = *static_cast<volatile int*>(lost.data()); number != 0)
      throw Error(ExitCode::lost, lost_rank_message(rank_of_slab_[number - 1], patience_));
}

}  // namespace tayra
