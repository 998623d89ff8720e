// Which logs a run has, and where an earlier part of it left gaps.
#include "app/run_logs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <filesystem>
#include <set>

#include "io/statistics.hpp"

namespace tayra {
namespace {

/// Those after the step with which the logs begin.
std::string gaps_text(const std::vector<MissingRows>& missing, std::int64_t logs_begin) {
  constexpr std::size_t most_named = 5;
  std::vector<std::string> gaps;
  for (const auto& [after, up_to] : missing)
    if (up_to > logs_begin)
      gaps.push_back((after < 0 ? "" : fmt::format("after step {} ", after)) +
                     fmt::format("up to step {}", up_to));
  if (gaps.size() <= most_named) return fmt::format("{}", fmt::join(gaps, ", "));
  return fmt::format("{} and in {} more places", fmt::join(gaps.begin(), gaps.begin() + most_named, ", "),
                     gaps.size() - most_named);
}

LastRow last_step(const std::optional<Resumption>& resumed) {
  return resumed ? LastRow(resumed->position.clock.step) : LastRow();
}

LastRow last_row(const std::optional<Resumption>& resumed, const std::string& part) {
  if (!resumed) return {};
  const auto& counts = resumed->position.snapshots;
  const auto count = counts.find(part);
  return count == counts.end() ? -1 : count->second.last_step;
}

}  // namespace

RunLogs::RunLogs(const RunDirectory& directory, const Config& config, const Problem& problem,
                 const SimulationFacts& facts, const std::optional<Resumption>& resumed)
    : box{.grid = config.solver.grid, .gravity = config.solver.gravity, .layers = problem.layers()},
      timings(directory.timings(), timings_header, last_step(resumed), Rows::of_every_step),
      diagnostics(directory.diagnostics(),
                  diagnostics_header(box.layers.has_value(), config.solver.gravity_course.varies()),
                  resumed ? LastRow(resumed->position.last_diagnostics) : LastRow()) {
  std::set<std::string> wanted;
  // An earlier part of the run may have had several slabs: what it wrote after the checkpoint is cut away,
  // too.
  if (config.statistics.are_wanted() || (resumed && std::filesystem::exists(directory.statistics())))
    statistics.emplace(directory.statistics(), statistics_head(config, problem),
                       groups_of(statistics_parts(config, problem)),
                       resumed ? LastRow(resumed->position.last_statistics) : LastRow());
  if (facts.slab_planes.size() > 1 || std::filesystem::exists(directory.slab_timings()))
    slab_timings.emplace(directory.slab_timings(), slab_timings_header, last_step(resumed));
  for (const PartSettings* part : parts_in_one_file(config)) {
    const std::string key = part_key(part->first);
    directory.add_folder("parts");
    parts.emplace_back(directory.folder(key), config, SnapshotPlan(config, part->second),
                       last_row(resumed, key));
    wanted.insert(key);
  }
  if (resumed)
    for (const auto& [key, count] : resumed->position.snapshots)
      if (is_part_in_one_file(key) && !wanted.contains(key) && std::filesystem::exists(directory.folder(key)))
        parts.emplace_back(directory.folder(key), config, last_row(resumed, key));
}

std::vector<std::string> RunLogs::incomplete() {
  std::vector<std::string> names;
  for_each([&](const auto& log) {
    if (log.has_waiting()) names.push_back(std::filesystem::path(log.path()).filename());
  });
  return names;
}

// Logs are written through before a checkpoint is: what it counts on was there, or could not be written. Of
// slabs' timings an earlier part of the run may rightly have had none.
std::vector<std::string> RunLogs::gaps(const Resumption& resumed) {
  std::vector<std::string> all;
  const auto look = [&](const auto& log) {
    if (const std::string gaps = gaps_text(log.missing(), resumed.logs_begin); !gaps.empty())
      all.push_back(fmt::format("{} lacks rows {}", log.path(), gaps));
  };
  look(timings);
  look(diagnostics);
  if (statistics) look(*statistics);
  for (const PartFile& part : parts) look(part);
  return all;
}

}  // namespace tayra
