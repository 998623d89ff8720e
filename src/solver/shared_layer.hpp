// Planes whose rows lie on several ranks, side by side along y. Files want whole planes, so each of these
// ranks has some of its own, for which the others give it their rows, or take theirs.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "core/device.hpp"
#include "grid/decomposition.hpp"
#include "solver/placement.hpp"

namespace tayra {

/// Rows of a field or a variable without a gap, in each plane so many times.
struct RowRuns {
  std::size_t row_bytes;
  int a_plane = 1;
};

/// Some rows of planes as they lie in memory: the planes of one kind of runs after those of the other.
struct RowsOfPlanes {
  std::vector<RowRange> of_ranks;  // that each rank of the layer has, one after the other
  std::vector<RowRuns> runs;
  bool are_summed = false;  // over the planes, which come to one

  int count() const { return of_ranks.back().first + of_ranks.back().rows; }
};

/// Those ranks must make its calls together, each for as many planes as it wants, or none.
class SharedLayer {
 public:
  SharedLayer(RankGroup group, std::vector<RowRange> rows_of_ranks, Device device);

  const RowRange& own_rows() const { return rows_of_ranks_[own_]; }
  const std::vector<RowRange>& rows_of_ranks() const { return rows_of_ranks_; }
  /// `read` puts this rank's rows of what another wants into pinned memory.
  void gather(const RowsOfPlanes& what, const SlabRange& wanted, std::byte* out,
              const std::function<void(const SlabRange& planes, std::byte* to)>& read);
  /// `write` takes this rank's rows of what another has.
  void scatter(const RowsOfPlanes& what, const SlabRange& here, const std::byte* in,
               const std::function<void(const SlabRange& planes, const std::byte* from)>& write);

 private:
  using Pieces = std::vector<std::vector<std::byte>>;  // by member of the group

  int size() const { return group_.count; }
  std::vector<SlabRange> told_by_all(const SlabRange& mine) const;
  void swap(const std::vector<std::span<std::byte>>& leaving, Pieces& arriving) const;

  RankGroup group_;
  int own_;  // member of the group
  std::vector<RowRange> rows_of_ranks_;
  Device device_;
  std::vector<Buffer<std::byte>> pinned_;  // for each member, as large as was ever needed
};

}  // namespace tayra
