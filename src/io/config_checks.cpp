// Each check says what is wrong, why, and what would do.
#include "io/config_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <vector>

#include "grid/ranks.hpp"
#include "solver/audit.hpp"

namespace tayra {
namespace {

constexpr int fewest_planes = 2;  // of a slab: its neighbour's ghosts are two layers

void require_together(const Config& config, bool ok, const std::string& key, const std::string& problem) {
  if (!ok) throw config_error(config, ExitCode::bad_input, key, problem);
}

void check_box(const Config& config) {
  const Grid& grid = config.solver.grid;
  const char axes[] = {'x', 'y', 'z'};
  for (int axis = 0; axis < 3; ++axis)
    require_together(
        config, grid.lower[axis] < grid.upper[axis],
        config.places.contains("grid.upper") ? "grid.upper" : "grid.lower",
        fmt::format("along {} the box reaches from {} (lower) to {} (upper): lower must be below upper",
                    axes[axis], grid.lower[axis], grid.upper[axis]));
}

/// A stencil reads four cells, or none along an axis of one.
void check_cells(const Config& config) {
  const Grid& grid = config.solver.grid;
  for (int axis = 0; axis < 3; ++axis) {
    const int cells = grid.cells[axis];
    require_together(
        config, cells >= 4 || (cells == 1 && axis < 2), "grid.cells",
        fmt::format("{} along {} (a face's flux reads four cells): take at least 4{}", cells, "xyz"[axis],
                    axis < 2 ? ", or 1 where the flow does not vary along it" : ""));
    const std::string boundary = std::string("grid.boundary.") + "xyz"[axis];
    require_together(
        config, cells > 1 || grid.boundary[axis] == Boundary::periodic, boundary,
        fmt::format("{} along an axis of one cell (the flow goes on without end there): leave it "
                    "out, or set periodic",
                    name_of(grid.boundary[axis])));
  }
}

void check_slabs(const Config& config) {
  const int planes = config.solver.grid.cells[2];
  const int slabs = config.solver.slabs;
  const bool chosen = config.places.contains("run.slabs");
  const int most = planes / fewest_planes;
  require_together(
      config, slabs > 1 || ranks().size() <= most, "grid.cells",
      fmt::format(
          "{} ranks with a slab of at least {} planes each don't fit into the {} cells along z: start "
          "at most {} ranks",
          ranks().size(), fewest_planes, planes, most));
  const std::string of_ranks = ranks().size() > 1 ? fmt::format("{} ranks with ", ranks().size()) : "";
  require_together(
      config, ranks().size() * slabs <= most, chosen ? "run.slabs" : "run.gpus",
      fmt::format("{}{} slabs of at least {} planes don't fit into the {} cells along z: at most {} in all",
                  of_ranks, slabs, fewest_planes, planes, most));
  require_together(
      config, slabs >= config.solver.gpus, "run.slabs",
      fmt::format(
          "{} slabs for {} GPUs leave some idle: give every GPU a slab (run.slabs: {}, or leave it out)",
          slabs, config.solver.gpus, config.solver.gpus));
}

void check_audit(const Config& config) {
  if (!config.audit_every_steps) return;
  require_together(
      config, auditable_planes(config.solver) > 0, "run.audit.every_steps",
      fmt::format(
          "none of the {} planes on {} ranks can be audited (a step of a plane follows from {} planes on "
          "either side, which must be of the same rank): start fewer ranks, or leave it out",
          config.solver.grid.cells[2], ranks().size(), planes_a_step_reads));
}

void check_gravity(const Config& config) {
  const Boundary z = config.solver.grid.boundary[2];
  require_together(
      config, config.solver.gravity == 0 || z == Boundary::mirror, "grid.boundary.z",
      fmt::format(
          "{}, with physics.gravity {} ({}): use mirror, or no gravity", name_of(z), config.solver.gravity,
          z == Boundary::periodic ? "pressure rises towards the floor, so floor and ceiling differ"
                                  : "whatever moves at an open end grows until the column has left the box"));
}

void check_end(const Config& config) {
  require_together(config, config.limits.time || config.limits.steps, "run",
                   "no end is given: set run.time, run.steps or both");
}

void check_fields(const Config& config, const std::string& section, std::vector<std::string> fields) {
  std::sort(fields.begin(), fields.end());
  const auto twice = std::adjacent_find(fields.begin(), fields.end());
  if (twice == fields.end()) return;
  require_together(config, false, section + ".fields", fmt::format("'{}' is named twice", *twice));
}

void check_part(const Config& config, const std::string& section, const SnapshotSettings& part) {
  const Grid& grid = config.solver.grid;
  for (int axis = 0; axis < 3; ++axis) {
    const double lower = part.lower.value_or(grid.lower)[axis], upper = part.upper.value_or(grid.upper)[axis];
    require_together(config, lower <= upper, section + (part.lower ? ".lower" : ".upper"),
                     fmt::format("along {} the part begins at {}, above its end at {}: exchange them",
                                 "xyz"[axis], lower, upper));
    require_together(config, grid.lower[axis] <= lower && upper <= grid.upper[axis],
                     section + (part.lower ? ".lower" : ".upper"),
                     fmt::format("along {} the part reaches from {} to {}: it must lie in the box, {} to {}",
                                 "xyz"[axis], lower, upper, grid.lower[axis], grid.upper[axis]));
  }
  require_together(config, part.cadence.every_time || part.cadence.every_steps, section,
                   "no cadence is given, so it would be written at the start and at the end only: set "
                   "every_time, every_steps or both");
}

void check_snapshots(const Config& config) {
  check_fields(config, "output.snapshots", config.snapshots.fields);
  for (const auto& [name, part] : config.parts) {
    check_fields(config, "output.parts." + name, part.fields);
    check_part(config, "output.parts." + name, part);
  }
}

void check_directory(const Config& config) {
  require_together(
      config, config.output_directory.size() < PATH_MAX, "output.directory",
      fmt::format("has {} letters, more than any path: take a shorter one", config.output_directory.size()));
  require_together(config, !config.output_directory.starts_with('~'), "output.directory",
                   "~ is the shell's name of your home and would become a folder: write the path out");
  require_together(
      config, !config.output_directory.starts_with('$'), "output.directory",
      "variables such as $HOME are the shell's and would become a folder: write the path out, or "
      "use --output");
}

}  // namespace

void check_together(const Config& config) {
  check_directory(config);
  check_end(config);
  check_cells(config);
  check_box(config);
  check_gravity(config);
  check_slabs(config);
  check_audit(config);
  check_snapshots(config);
}

}  // namespace tayra
