// Snapshots one after the other: read here, written by the thread, then listed.
#include "io/snapshot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "core/error.hpp"
#include "grid/ranks.hpp"
#include "io/file.hpp"
#include "io/json.hpp"
#include "io/xdmf.hpp"

namespace tayra {
namespace {

std::string name_of(std::int64_t number) { return fmt::format("{:06}.vtkhdf", number); }

/// Large enough that a GPU starts few of them, small enough that several are on their way to the disk.
constexpr std::size_t block_bytes = 128u << 20;

/// For ParaView before 5.12 and VisIt.
std::string xdmf_list(const std::vector<SnapshotEntry>& snapshots) {
  std::vector<XdmfGrid> grids;
  for (const SnapshotEntry& of : snapshots) {
    grids.push_back({of.time, of.cells, of.lower, of.spacing, {}});
    for (const StoredField& field : of.fields)
      grids.back().fields.push_back(
          {field.name, field.components,
           xdmf_dataset(of.cells, {field.components, field.bytes}, of.file + ":/" + field.name)});
  }
  return xdmf_text("snapshots", grids);
}

/// ParaView's file series.
std::string series_text(const std::vector<SnapshotEntry>& snapshots) {
  Json files = Json::array();
  for (const SnapshotEntry& snapshot : snapshots)
    files.push(Json::object().set("name", snapshot.file).set("time", snapshot.time));
  return Json::object().set("file-series-version", "1.0").set("files", files).text() + "\n";
}

/// The lists that open all snapshots of a run at once, with their times.
void write_lists(const std::string& directory, const std::vector<SnapshotEntry>& snapshots) {
  write_text_file(directory + "/snapshots.xmf", xdmf_list(snapshots));
  write_text_file(directory + "/snapshots.vtkhdf.series", series_text(snapshots));
}

}  // namespace

// One that is missing or damaged is left out of the lists; it harms no other.
std::vector<SnapshotEntry> list_anew(const std::string& directory, std::int64_t count) {
  std::vector<SnapshotEntry> found;
  for (std::int64_t number = 0; number < count; ++number) try {
      found.push_back(read_snapshot_entry(directory + "/" + name_of(number)));
    } catch (const Error&) {
    }
  if (!found.empty()) write_lists(directory, found);
  return found;
}

SnapshotWriter::SnapshotWriter(const Config& config, const SnapshotSettings& settings, std::string directory,
                               Writers& writers)
    : plan_(config, settings), directory_(std::move(directory)), writers_(writers) {}

bool SnapshotWriter::go_on_after(std::int64_t count) {
  written_ = list_anew(directory_, count);
  return count == 0 || (!written_.empty() && written_.back().file == name_of(count - 1));
}

void SnapshotWriter::write(Simulation& simulation, std::int64_t number) {
  std::vector<SlabRange> of_ranks;
  for (const SlabRange& planes : simulation.planes_of_ranks())
    of_ranks.push_back(selected_in(plan_.choice.axes[2], planes));
  if (!std::exchange(stocked_, true)) stock_memory(of_ranks[ranks().rank()]);
  const Instant instant{simulation.time(), simulation.step()};
  const auto entry = std::make_shared<SnapshotEntry>();
  CommonFile file{.kind = "snapshot",
                  .path = directory_ + "/" + name_of(number),
                  .of_ranks = of_ranks,
                  .layout = plan_.layout(),
                  .block_bytes = block_bytes};
  file.make = [&](const std::string& beside) { return make_snapshot(beside, plan_); };
  file.read = [&](int first, int count, std::byte* out) {
    return simulation.start_fields(plan_.choice, first, count, out);
  };
  file.complete = [plan = plan_, instant, entry](const std::string& beside, const auto& facts) {
    complete_snapshot(beside, plan, instant, facts);
    *entry = read_snapshot_entry(beside);
  };
  file.then = [this, entry, number] {
    entry->file = name_of(number);
    written_.push_back(*entry);
    lists_lag_ = true;
    list_if_due();
  };
  write_common_file(writers_, file);
}

void SnapshotWriter::list_if_due() {
  if (lists_lag_ && std::chrono::steady_clock::now() >= lists_due_) list_all();
}

// They grow with the run: at most a twentieth of the time goes into them, unless they take longer than
// seconds.
void SnapshotWriter::list_all() {
  constexpr std::chrono::steady_clock::duration longest_pause = std::chrono::minutes(1);
  const auto begin = std::chrono::steady_clock::now();
  lists_lag_ = false;  // also where this fails: the next snapshot is the time to try again
  write_lists(directory_, written_);
  const auto end = std::chrono::steady_clock::now();
  lists_due_ = end + std::min(20 * (end - begin), longest_pause);
}

void SnapshotWriter::keep_lists_up() {
  // Once at a time: many tasks that wait would hold the flow up.
  if (lists_lag_ && !asked_for_lists_.exchange(true))
    writers_.run([this] {
      asked_for_lists_ = false;
      list_if_due();
    });
}

void SnapshotWriter::complete_lists() {
  writers_.run([this] {
    if (lists_lag_) list_all();
  });
}

void SnapshotWriter::stock_memory(SlabRange mine) {
  int largest = 0;
  std::size_t blocks = 0;
  const std::size_t plane_bytes = plan_.choice.plane_bytes();
  each_block(mine, plane_bytes, writers_.piece_bytes(block_bytes), [&](int, int count) {
    largest = std::max(largest, count);
    ++blocks;
  });
  writers_.stock(plane_bytes * largest, blocks);
}

std::string SnapshotWriter::last() const {
  return written_.empty() ? "" : directory_ + "/" + written_.back().file;
}

}  // namespace tayra
