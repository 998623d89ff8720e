// Snapshots one after the other: read here, written by the thread, then listed.
#include "io/snapshot.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "core/error.hpp"
#include "io/background_file.hpp"
#include "io/plane_blocks.hpp"
#include "io/text_file.hpp"

namespace tayra {
namespace {

std::string name_of(std::int64_t number) { return fmt::format("{:06}.vtkhdf", number); }

std::vector<int> planes_of(const AxisSelection& z, int first, int count) {
  std::vector<int> planes;
  for (int k = first; k < first + count; ++k) planes.push_back(z.at(k));
  return planes;
}

}  // namespace

SnapshotWriter::SnapshotWriter(const Config& config, const SnapshotSettings& settings, std::string directory,
                               WriterThread& thread, std::int64_t next)
    : plan_(config, settings), directory_(std::move(directory)), thread_(thread), next_(next) {
  list_earlier();
}

void SnapshotWriter::write(Simulation& simulation) {
  const std::string name = name_of(next_++);
  BackgroundFile<SnapshotFileWriter> file(thread_, "snapshot", directory_ + "/" + name);
  file.open(plan_, Instant{simulation.time(), simulation.step()});

  const AxisSelection& z = plan_.selection.axes[2];
  const Needs needs = plan_.needs();
  each_block({0, z.count}, state_bytes(plan_.grid, 1, Needs::own_cell), thread_.piece_bytes(),
             [&](int first, int count) {
               const std::size_t bytes = state_bytes(plan_.grid, count, needs);
               thread_.reserve(bytes);
               const auto block = std::make_shared<const StateBlock>(simulation, plan_.grid, plan_.gamma,
                                                                     planes_of(z, first, count), needs);
               file.add(bytes, [first, block](SnapshotFileWriter& writer) { writer.add(first, *block); });
             });

  const auto entry = std::make_shared<SnapshotEntry>();
  file.publish(
      Durability::cached, [entry](const std::string& path) { *entry = read_snapshot_entry(path); },
      [this, entry, name] {
        entry->file = name;
        written_.push_back(*entry);
        write_lists();
      });
}

std::string SnapshotWriter::last() const {
  return written_.empty() ? "" : directory_ + "/" + written_.back().file;
}

// One that is missing or damaged is left out of the lists; it harms no other.
void SnapshotWriter::list_earlier() {
  for (std::int64_t number = 0; number < next_; ++number) try {
      written_.push_back(read_snapshot_entry(directory_ + "/" + name_of(number)));
    } catch (const Error&) {
    }
}

void SnapshotWriter::write_lists() const {
  write_text_file(directory_ + "/snapshots.xmf", xdmf_text(written_));
  write_text_file(directory_ + "/snapshots.vtkhdf.series", series_text(written_));
}

}  // namespace tayra
