// Orders are words: few, and told only when something is due.
#include "io/output_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "core/host_memory.hpp"
#include "grid/ranks.hpp"
#include "solver/lead.hpp"

namespace tayra {
namespace {

/// Where the config names none; the flow has its fields by now. The same on all ranks, since it says in how
/// many pieces they write together.
std::size_t common_writer_memory() {
  const auto of_ranks = ranks().gather_values(usual_writer_memory(host_memory_available()));
  return *std::min_element(of_ranks.begin(), of_ranks.end());
}

}  // namespace

std::size_t usual_writer_memory(std::size_t free) { return free / 4 / std::size_t(ranks().size_of_node()); }

OutputFiles::OutputFiles(const Config& config, const RunDirectory& directory, Simulation& simulation)
    : config_(config),
      simulation_(simulation),
      checkpoints_(config, directory.checkpoints(), writers_),
      writers_(config.writer_memory.value_or(common_writer_memory()), config.on_write_error,
               simulation.device()) {
  const auto folders = snapshot_folders(config);
  snapshots_.emplace_back(config, config.snapshots, directory.folder(folders[0]), writers_);
  for (const auto& [name, settings] : config.parts)
    snapshots_.emplace_back(config, settings, directory.folder(folders[snapshots_.size()]), writers_);
}

void OutputFiles::write_snapshot(std::size_t kind, std::int64_t number) {
  order(fmt::format("snapshot {} {}", kind, number));
  write_planes_of_snapshot(kind, number);
}

// Ranks that had to wait for memory are waited for here: GPUs that wait for each other hear no signs of life.
void OutputFiles::write_planes_of_snapshot(std::size_t kind, std::int64_t number) {
  snapshots_[kind].write(simulation_, number);
  writers_.meet();
}

void OutputFiles::write_planes_of_checkpoint(const RunPosition& position) {
  checkpoints_.write(position, simulation_);
  writers_.meet();
}

void OutputFiles::write_checkpoint(const RunPosition& position) {
  order("checkpoint");
  write_planes_of_checkpoint(position);
}

RunPosition OutputFiles::load_checkpoint(const std::string& path) {
  const RunPosition position = ranks().from_files([&] { return read_position(path, config_); });
  order("load " + path);
  load_planes_together(path);
  simulation_.restart(position.clock);
  return position;
}

// One rank's trouble is heard by the first, who looks for another checkpoint.
void OutputFiles::load_planes_together(const std::string& path) {
  struct LoadResult {
    ExitCode code = ExitCode::done;
    bool is_damage = false;
  } mine;
  std::string problem;
  try {
    load_planes(path, simulation_);
  } catch (const std::exception& failure) {
    const Error error = as_error(failure);
    if (error.code() == ExitCode::lost) throw;  // another checkpoint would not help
    problem = error.what();
    mine = {error.code(), dynamic_cast<const DamagedCheckpoint*>(&failure) != nullptr};
  }
  const auto problems = ranks().gather_texts(problem);
  const auto of_all = ranks().gather_values(mine);
  if (!ranks().is_first()) return;
  for (std::size_t rank = 0; rank < of_all.size(); ++rank)
    require(of_all[rank].code == ExitCode::done || of_all[rank].is_damage, of_all[rank].code, problems[rank]);
  for (std::size_t rank = 0; rank < of_all.size(); ++rank)
    if (of_all[rank].is_damage) throw DamagedCheckpoint(of_all[rank].code, problems[rank]);
}

void OutputFiles::keep_up() {
  for (SnapshotWriter& snapshots : snapshots_) snapshots.keep_lists_up();
  if (!writers_.is_behind()) return;
  order("meet");
  writers_.meet();
}

void OutputFiles::finish() {
  order("finish");
  writers_.finish();
  complete_lists();
}

void OutputFiles::complete_lists() {
  for (SnapshotWriter& snapshots : snapshots_) snapshots.complete_lists();
  writers_.thread().wait();
}

bool OutputFiles::wind_up() {
  try {
    complete_lists();
    return true;
  } catch (const Error&) {
    return false;
  }
}

void OutputFiles::obey(const std::string& order) {
  std::istringstream words(order);
  std::string what;
  words >> what;
  if (what == "snapshot") {
    std::size_t kind = 0;
    std::int64_t number = 0;
    words >> kind >> number;
    write_planes_of_snapshot(kind, number);
  } else if (what == "checkpoint") {
    write_planes_of_checkpoint({});
  } else if (what == "load") {
    load_planes_together(order.substr(what.size() + 1));
  } else if (what == "meet") {
    writers_.meet();
  } else if (what == "finish") {
    writers_.finish();
  } else {
    throw Error(ExitCode::failed, "unknown order '" + order + "'");
  }
}

std::vector<std::string> snapshot_folders(const Config& config) {
  std::vector<std::string> folders{snapshots_folder};
  for (const auto& part : config.parts) folders.push_back("parts/" + part.first);
  return folders;
}

}  // namespace tayra
