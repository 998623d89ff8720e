// Snapshots one after the other: read here, written by the thread, then listed.
#include "io/snapshot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "core/error.hpp"
#include "io/text_file.hpp"

namespace tayra {
namespace {

std::string name_of(std::int64_t number) { return fmt::format("{:06}.vtkhdf", number); }

/// Large enough that a GPU starts few of them, small enough that several are on their way to the disk.
constexpr std::size_t block_bytes = 128u << 20;

void write_lists(const std::string& directory, const std::vector<SnapshotEntry>& snapshots) {
  write_text_file(directory + "/snapshots.xmf", xdmf_text(snapshots));
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
  const Shares shares = shares_of(plan_.selection.axes[2], simulation.planes_of_ranks());
  CommonFile<SnapshotData> file(writers_, "snapshot", directory_ + "/" + name_of(number), shares);
  file.open(plan_);
  if (!std::exchange(stocked_, true)) stock_memory(shares);
  add_planes(simulation, file, shares);
  file.close();

  const Instant instant{simulation.time(), simulation.step()};
  const auto entry = std::make_shared<SnapshotEntry>();
  file.publish(
      [plan = plan_, instant, entry](const std::string& path, const std::vector<h5::Part>& parts) {
        complete_snapshot(path, plan, instant, parts);
        *entry = read_snapshot_entry(path);
      },
      [this, entry, number] {
        entry->file = name_of(number);
        written_.push_back(*entry);
        lists_lag_ = true;
        list_if_due();
      });
}

void SnapshotWriter::list_if_due() {
  if (lists_lag_ && listing_.is_due(Rationed::Clock::now())) list_all();
}

void SnapshotWriter::list_all() {
  const auto begin = Rationed::Clock::now();
  lists_lag_ = false;  // also where this fails: the next snapshot is the time to try again
  write_lists(directory_, written_);
  listing_.note_done(begin, Rationed::Clock::now());
}

void SnapshotWriter::keep_lists_up() {
  // Once at a time: many tasks that wait would hold the flow up.
  if (lists_lag_ && !asked_for_lists_.exchange(true))
    writers_.thread().run([this] {
      asked_for_lists_ = false;
      list_if_due();
    });
}

void SnapshotWriter::complete_lists() {
  writers_.thread().run([this] {
    if (lists_lag_) list_all();
  });
}

void SnapshotWriter::stock_memory(const Shares& shares) {
  const std::size_t plane_bytes = plan_.choice().plane_bytes();
  int largest = 0;
  std::size_t blocks = 0;
  each_block(shares, plane_bytes, writers_.thread().piece_bytes(block_bytes), [&](int, int count) {
    largest = std::max(largest, count);
    blocks += count > 0;
  });
  writers_.stock(plane_bytes * largest, blocks);
}

void SnapshotWriter::add_planes(Simulation& simulation, CommonFile<SnapshotData>& file,
                                const Shares& shares) {
  const FieldChoice choice = plan_.choice();
  const std::size_t plane_bytes = choice.plane_bytes();
  each_block(shares, plane_bytes, writers_.thread().piece_bytes(block_bytes), [&](int first, int count) {
    file.add([&] {
      const auto fields = writers_.take(plane_bytes * count);
      const auto arrival =
          std::make_shared<const Arrival>(simulation.start_fields(choice, first, count, fields.get()));
      return [=] {
        arrival->wait();
        return PlaneBlock{first, count, fields.get()};
      };
    });
  });
}

std::string SnapshotWriter::last() const {
  return written_.empty() ? "" : directory_ + "/" + written_.back().file;
}

}  // namespace tayra
