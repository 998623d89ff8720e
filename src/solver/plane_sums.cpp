// Sums of planes from those of their parts.
#include "solver/plane_sums.hpp"

namespace tayra {

std::vector<PlaneSums> whole_planes(const std::vector<PlaneSums>& branches,
                                    const std::vector<RowGroups>& side_by_side) {
  std::size_t of_plane = 0;
  for (const RowGroups& groups : side_by_side) of_plane += groups.branches();
  const std::size_t planes = branches.size() / of_plane;
  std::vector<TreeSum<PlaneSums>> trees(planes);
  auto next = branches.begin();
  for (const RowGroups& groups : side_by_side)
    for (TreeSum<PlaneSums>& tree : trees)
      groups.for_each_branch([&](int first, int terms) { tree.add(first, terms, *next++); });
  std::vector<PlaneSums> sums;
  for (const TreeSum<PlaneSums>& tree : trees) sums.push_back(tree.whole());
  return sums;
}

}  // namespace tayra
