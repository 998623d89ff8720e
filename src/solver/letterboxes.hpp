// How GPUs end a step without the host and without waiting for each other's events: every slab has a
// letterbox in its own GPU's memory, and each slab writes its report into all of them. For slabs with a GPU
// each, on one node.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "halo/shared_blocks.hpp"
#include "solver/clock.hpp"
#include "solver/placement.hpp"

namespace tayra {

/// More GPUs than a node has; a thread of one warp for each.
inline constexpr int most_letterboxes = 32;

/// A report with the number of the turn that it is for, counted from one.
struct Letter {
  SlabReport report;
  unsigned turn = 0;
};

/// What a slab's GPU needs for letters. A letterbox is a mailbox whose letters say when they have come; its
/// rows take turns in the same way.
struct LetterRound {
  std::array<Letter*, most_letterboxes> boxes;  // of all slabs, as this GPU reaches them
  int slabs;
  int slab;                // its own
  std::uint64_t patience;  // in nanoseconds
  int* lost_slab;          // pinned: one more than the slab that did not write in time, or zero

  TAYRA_HD std::size_t place(unsigned turn, int from) const { return std::size_t(turn % 2) * slabs + from; }
};

class Letterboxes {
 public:
  /// Whether the slabs of all ranks can use them. All ranks must call it together.
  static bool serve(const HaloPlace& place, int slabs);

  /// All ranks must construct it together.
  Letterboxes(const Placement& placement, double patience);

  /// By slab of this process.
  const LetterRound& round(std::size_t slab) const { return rounds_[slab]; }
  /// Throws when a GPU has given up waiting.
  void check() const;

 private:
  LetterRound round_of(std::size_t slab_here, int first_slab, Device device) const;

  std::vector<int> rank_of_slab_;
  double patience_;
  std::vector<Buffer<Letter>> boxes_;
  std::unique_ptr<SharedBlocks> all_boxes_;
  std::vector<Buffer<int>> lost_slabs_;
  std::vector<LetterRound> rounds_;
};

}  // namespace tayra
