// Four cells a wave.
#include "solver/problems/resolved_waves.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "core/error.hpp"

namespace tayra {

void require_resolved_waves(const std::string& key, const std::vector<std::int64_t>& waves,
                            const Grid& grid) {
  for (std::size_t axis = 0; axis < waves.size(); ++axis)
    require(std::abs(waves[axis]) <= grid.cells[axis] / 4, ExitCode::bad_input,
            fmt::format("{}: {} waves along {} have fewer than 4 cells each (there are {} cells): take fewer "
                        "waves or refine the grid",
                        key, std::abs(waves[axis]), "xyz"[axis], grid.cells[axis]));
}

}  // namespace tayra
