// The same plans that the writers of snapshots and checkpoints have.
#include "app/disk_needs.hpp"

#include <algorithm>
#include <cmath>

#include "app/schedule.hpp"
#include "io/checkpoint.hpp"
#include "io/output_files.hpp"
#include "io/snapshot_file.hpp"

namespace tayra {
namespace {

/// Occasions of one cadence up to the end, and whether the last falls on it.
struct Due {
  double count = 0;
  bool at_end = false;
};

Due due(double end, double every) {
  const double count = std::floor(end / every);
  return {count, is_reached(count * every, end)};
}

double snapshot_count(const Cadence& cadence, const RunLength& length) {
  const Due by_time = cadence.every_time ? due(length.time, *cadence.every_time) : Due{};
  const Due by_steps =
      cadence.every_steps ? due(length.steps, static_cast<double>(*cadence.every_steps)) : Due{};
  const double ends = by_time.at_end && by_steps.at_end ? -1 : by_time.at_end || by_steps.at_end ? 0 : 1;
  return std::max(1., 1 + by_time.count + by_steps.count + ends);
}

/// With what HDF5 keeps around numbers and checksums, and the lines of both lists.
std::uint64_t snapshot_bytes(const Config& config, const SnapshotSettings& settings) {
  constexpr std::uint64_t around_numbers = 11 << 10, for_a_field = 1 << 10;
  const SnapshotPlan plan(config, settings);
  return plan.choice.plane_bytes() * static_cast<std::uint64_t>(plan.choice.axes[2].count) +
         around_numbers + for_a_field * plan.choice.fields.size();
}

std::uint64_t checkpoint_bytes(const Config& config) {
  constexpr std::uint64_t around_numbers = 6 << 10;
  return checkpoint_head(config, {}).plane_bytes() * static_cast<std::uint64_t>(config.solver.grid.cells[2]) +
         around_numbers;
}

}  // namespace

std::vector<FilesOfKind> files_of_run(const Config& config, const RunLength& length) {
  const auto folders = snapshot_folders(config);
  std::vector<FilesOfKind> files;
  const auto add = [&](const SnapshotSettings& settings) {
    files.push_back(
        {folders[files.size()], snapshot_count(settings.cadence, length), snapshot_bytes(config, settings)});
  };
  add(config.snapshots);
  for (const auto& part : config.parts) add(part.second);
  if (config.checkpoints.keep > 0) {
    const double written =
        config.checkpoints.every_minutes
            ? INFINITY  // how fast the machine is decides
            : std::max(1., std::ceil(length.steps / static_cast<double>(*config.checkpoints.every_steps)));
    const int beside = config.audit_every_steps ? 2 : 1;  // the one under way, and one that is right
    files.push_back({"checkpoints", std::min(written, static_cast<double>(config.checkpoints.keep + beside)),
                     checkpoint_bytes(config)});
  }
  return files;
}

}  // namespace tayra
