// What the solver asks for beside what is free and what a GPU takes; the same plans of files that the writers
// have.
#include "app/needs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "app/schedule.hpp"
#include "app/units.hpp"
#include "io/checkpoint.hpp"
#include "io/output_files.hpp"
#include "io/part_file.hpp"
#include "io/snapshot_file.hpp"
#include "solver/audit.hpp"
#include "solver/placement.hpp"
#include "solver/plane_waves.hpp"
#include "solver/profiles.hpp"

namespace tayra {
namespace {

std::uint64_t cells_across(const SolverSettings& settings) {
  return static_cast<std::uint64_t>(settings.grid.cells[0]) * settings.grid.cells[1];
}

std::size_t stack_of_thread() {
  pthread_attr_t attributes;
  std::size_t bytes = 0;
  if (pthread_getattr_default_np(&attributes) == 0) {
    pthread_attr_getstacksize(&attributes, &bytes);
    pthread_attr_destroy(&attributes);
  }
  return bytes;
}

/// Stacks of the threads that write and wait, HDF5's own, and of a plane the copies made to compress it.
std::size_t memory_of_output(const Config& config) {
  constexpr std::size_t threads = 2, of_hdf5 = 32 << 20, copies = 4, longest_value = 3 * sizeof(double);
  return threads * stack_of_thread() + of_hdf5 + copies * longest_value * cells_across(config.solver);
}

/// Occasions up to the end, and whether the last falls on it.
struct Due {
  double count = 0;
  bool at_end = false;
};

Due due(double end, double every) {
  const double count = std::floor(end / every);
  return {count, is_reached(count * every, end)};
}

Due due(const Cadence& cadence, const RunLength& length) {
  const Due by_time = cadence.every_time ? due(length.time, *cadence.every_time) : Due{};
  const Due by_steps =
      cadence.every_steps ? due(length.steps, static_cast<double>(*cadence.every_steps)) : Due{};
  const double twice = by_time.at_end && by_steps.at_end ? 1 : 0;
  return {by_time.count + by_steps.count - twice, by_time.at_end || by_steps.at_end};
}

/// Of the start and of every time due.
double row_count(const Cadence& cadence, const RunLength& length) {
  return std::max(1., 1 + due(cadence, length).count);
}

/// Of the end, too.
double snapshot_count(const Cadence& cadence, const RunLength& length) {
  const Due all = due(cadence, length);
  return std::max(1., 1 + all.count + (all.at_end ? 0 : 1));
}

/// With what HDF5 keeps around numbers and checksums, and the lines of both lists.
std::uint64_t snapshot_bytes(const Config& config, const SnapshotSettings& settings) {
  constexpr std::uint64_t around_numbers = 11 << 10, for_a_field = 1 << 10;
  const SnapshotPlan plan(config, settings);
  return plan.choice.plane_bytes() * static_cast<std::uint64_t>(plan.choice.axes[2].count) + around_numbers +
         for_a_field * plan.choice.fields.size();
}

std::uint64_t checkpoint_bytes(const Config& config) {
  constexpr std::uint64_t around_numbers = 6 << 10;
  return checkpoint_head(config, {}).plane_bytes() * static_cast<std::uint64_t>(config.solver.grid.cells[2]) +
         around_numbers;
}

void add_statistics(std::vector<FilesOfKind>& files, const Config& config, const RunLength& length) {
  const StatisticsSettings& wanted = config.statistics;
  const auto add = [&](const char* rows, const Cadence& cadence, std::uint64_t numbers) {
    if (cadence.is_set()) files.push_back({rows, row_count(cadence, length), sizeof(double) * numbers});
  };
  add("rows of profiles", wanted.of_profiles(), std::uint64_t(profile_count) * config.solver.grid.cells[2]);
  if (wanted.of_spectra().is_set()) {
    const std::size_t places = std::max<std::size_t>(1, wanted.spectra.heights.size());
    add("rows of spectra", wanted.of_spectra(),
        WavePlan(config.solver.grid).shells * (wanted.spectra.fields.size() * places + 1));
  }
  add("rows of histograms", wanted.of_pdf(), wanted.pdf.fields.size() * wanted.pdf.bins);
}

/// Of planes that are being transformed.
std::uint64_t spectra_memory(const Config& config) {
  if (!config.statistics.of_spectra().is_set()) return 0;
  const std::uint64_t cells = cells_across(config.solver);
  const bool is_gpu = config.solver.device == DeviceKind::cuda;
  return 2 * sizeof(Complex) * cells *
         (is_gpu ? planes_at_once(cells) * most_slabs_of_a_device(config.solver) : 1);
}

}  // namespace

std::uint64_t memory_of_run(const Config& config) {
  return memory_needed(config.solver) + (config.audit_every_steps ? audit_memory(config.solver) : 0) +
         spectra_memory(config);
}

void require_fit(const Config& config) {
  // Audits compute whole planes.
  const std::uint64_t across =
      config.audit_every_steps ? cells_across(config.solver) : cells_across_slab(config.solver);
  if (across > most_cells_across(config.solver))
    throw config_error(config, ExitCode::bad_input, "grid.cells",
                       fmt::format("planes of {} cells are more than the {} that a GPU takes: make the "
                                   "longest axis the third{}, or take fewer cells",
                                   across, most_cells_across(config.solver),
                                   config.audit_every_steps ? "" : ", cut them along y (run.cut_y)"));
  if (!missing_devices(config.solver).empty()) return;  // it is theirs that counts
  const std::uint64_t needed = memory_of_run(config);
  const std::uint64_t available = memory_available(config.solver);
  if (needed <= available) return;
  throw config_error(
      config, ExitCode::bad_input, "grid.cells",
      fmt::format(
          "{} cells in {} precision need {} of memory on each device, {} are free: take fewer cells{}",
          fmt::join(config.solver.grid.cells, " x "), name_of(config.solver.precision), bytes_text(needed),
          bytes_text(available), config.solver.device == DeviceKind::cuda ? " or more GPUs" : ""));
}

void require_room_for_output(const Config& config) {
  const std::size_t needed = memory_of_output(config);
  // Not touched, it takes address space alone, of which `ulimit -v` speaks.
  void* room =
      mmap(nullptr, needed, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  require(
      room != MAP_FAILED, ExitCode::bad_input,
      fmt::format("writing files takes up to {} of memory, which can't be had ({}): raise the limit of this "
                  "shell or job (ulimit -v, ulimit -d) or take fewer cells",
                  bytes_text(needed), std::strerror(errno)));
  munmap(room, needed);
}

std::vector<FilesOfKind> files_of_run(const Config& config, const RunLength& length) {
  const auto folders = snapshot_folders(config);
  std::vector<FilesOfKind> files;
  const auto add = [&](const SnapshotSettings& settings) {
    files.push_back(
        {folders[files.size()], snapshot_count(settings.cadence, length), snapshot_bytes(config, settings)});
  };
  add(config.snapshots);
  for (const PartSettings* part : parts_in_files(config)) add(part->second);
  for (const PartSettings* part : parts_in_one_file(config))
    files.push_back({"rows of parts/" + part->first + ".h5", row_count(part->second.cadence, length),
                     part_group(SnapshotPlan(config, part->second)).row_bytes()});
  add_statistics(files, config, length);
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
