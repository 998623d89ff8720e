// Ranks tell each other the handles of their blocks; a block of another rank is opened when it is first
// wanted.
#include "halo/shared_blocks.hpp"

#include <exception>

#include "grid/ranks.hpp"
#include "grid/together.hpp"

namespace tayra {

SharedBlocks::SharedBlocks(const std::vector<int>& rank_of_slab, int first_slab, std::vector<void*> mine)
    : first_slab_(first_slab), mine_(std::move(mine)) {
  if (ranks().size() == 1) return;
  const std::size_t slabs = rank_of_slab.size();
  std::vector<MemoryHandle> ours(slabs);
  do_together([&] {
    for (std::size_t i = 0; i < mine_.size(); ++i) ours[first_slab + i] = handle_of(mine_[i]);
  });
  std::vector<MemoryHandle> all(slabs * ranks().size());
  ranks().gather_to_all(ours.data(), slabs * sizeof(MemoryHandle), all.data());
  for (std::size_t slab = 0; slab < slabs; ++slab) handles_.push_back(all[rank_of_slab[slab] * slabs + slab]);
}

SharedBlocks::~SharedBlocks() {
  for (const auto& [place, memory] : opened_) close_memory(memory, {DeviceKind::cuda, place.second});
  const bool is_shared = !handles_.empty();
  if (!is_shared || std::uncaught_exceptions() > 0) return;  // the others may be anywhere
  try {
    ranks().gather_values(0);
  } catch (const Error&) {
    ranks().abort(ExitCode::lost);
  }
}

void* SharedBlocks::of_slab(int slab, Device reached_from) const {
  const int here = slab - first_slab_;
  if (here >= 0 && here < static_cast<int>(mine_.size())) return mine_[here];
  const std::pair place{slab, reached_from.number};
  if (const auto known = opened_.find(place); known != opened_.end()) return known->second;
  return opened_.emplace(place, open_memory(handles_[slab], reached_from)).first->second;
}

}  // namespace tayra
