// Whatever is written ends with a meeting of all ranks.
#include "io/output_files.hpp"

#include <optional>

#include "core/host_memory.hpp"
#include "grid/ranks.hpp"
#include "grid/together.hpp"

namespace tayra {
namespace {

/// Damage that any rank finds is told on all.
template <class Read>
void read_together(Read read) {
  std::string damage;
  do_together([&] {
    try {
      read();
    } catch (const DamagedCheckpoint& found) {
      damage = found.what();
    }
  });
  for (const std::string& of_rank : ranks().gather_texts(damage))
    if (!of_rank.empty()) throw DamagedCheckpoint(ExitCode::failed, of_rank);
}

}  // namespace

std::size_t usual_writer_memory(std::size_t free) { return free / 4 / std::size_t(ranks().size_of_node()); }

OutputFiles::OutputFiles(const Config& config, const RunDirectory& directory, Simulation& simulation)
    : config_(config),
      simulation_(simulation),
      checkpoints_(config, directory.checkpoints(), writers_),
      pictures_(config, directory.folder(live_folder), simulation, writers_),
      writers_(writer_memory(config, usual_writer_memory(host_memory_available())), config.on_write_error,
               simulation.device()) {
  const auto folders = snapshot_folders(config);
  snapshots_.emplace_back(config, config.snapshots, directory.folder(folders[0]), writers_);
  for (const PartSettings* part : parts_in_files(config))
    snapshots_.emplace_back(config, part->second, directory.folder(folders[snapshots_.size()]), writers_);
}

// Ranks that had to wait for memory are waited for here: GPUs that wait for each other know nothing of files.
void OutputFiles::write_snapshot(std::size_t kind, std::int64_t number) {
  snapshots_[kind].write(simulation_, number);
  writers_.meet();
}

void OutputFiles::write_checkpoint(const RunPosition& position) {
  checkpoints_.write(position, simulation_);
  writers_.meet();
}

RunPosition OutputFiles::load_checkpoint(const std::string& path) {
  std::optional<CheckpointFile> file;
  read_together([&] { file.emplace(open_checkpoint(path, config_)); });
  // Not before all ranks have it open: one that has not would leave those waiting with which it shares
  // planes.
  read_together([&] { load_planes(*file, simulation_); });
  const RunPosition& position = file->head().position;
  simulation_.restart(position.clock);
  simulation_.restart_gravity_books(position.potential_energy);
  return position;
}

void OutputFiles::keep_up() {
  for (SnapshotWriter& snapshots : snapshots_) snapshots.keep_lists_up();
  if (writers_.is_behind()) writers_.meet();
}

void OutputFiles::finish() {
  writers_.finish();
  complete_lists();
}

void OutputFiles::complete_lists() {
  for (SnapshotWriter& snapshots : snapshots_) snapshots.complete_lists();
  writers_.wait();
}

std::vector<std::string> snapshot_folders(const Config& config) {
  std::vector<std::string> folders{snapshots_folder};
  for (const PartSettings* part : parts_in_files(config)) folders.push_back("parts/" + part->first);
  return folders;
}

}  // namespace tayra
