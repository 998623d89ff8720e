// Writing planes as they come and reading them back under suspicion.
#include "io/checkpoint_file.hpp"

#include <fmt/format.h>

#include <span>
#include <sstream>
#include <utility>

#include "core/checksum.hpp"
#include "grid/layout.hpp"
#include "io/file.hpp"
#include "tayra_version.hpp"

namespace tayra {
namespace {

/// Raised whenever an older Tayra could not read the file any more.
constexpr std::int64_t format_version = 1;

constexpr h5::Format file_format = h5::Format::guarded;
constexpr const char* sums_name = "plane_checksums";
enum Dataset { state_number, sums_number };  // their order in Offsets

/// Every number of a head with its name: one list to write, read and sum by.
template <class Head, class Visit>
void each_number(Head& head, Visit visit) {
  auto& clock = head.position.clock;
  visit("time", clock.time);
  visit("step", clock.step);
  visit("dt", clock.dt);
  visit("signal_rate", clock.last.signal_rate);
  visit("limited_faces", head.position.limited_faces);
  visit("last_diagnostics", head.position.last_diagnostics);
  visit("cells_x", head.cells[0]);
  visit("cells_y", head.cells[1]);
  visit("cells_z", head.cells[2]);
  visit("bytes_per_number", head.bytes_per_number);
}

/// One line a folder: its name, how many were written, the step of the last.
std::string snapshots_text(const RunPosition& position) {
  std::string text;
  for (const auto& [folder, count] : position.snapshots)
    text += fmt::format("{} {} {}\n", folder, count.written, count.last_step);
  return text;
}

std::map<std::string, SnapshotCount> read_snapshots_text(const std::string& text) {
  std::map<std::string, SnapshotCount> counts;
  std::istringstream lines(text);
  SnapshotCount count;
  for (std::string folder; lines >> folder >> count.written >> count.last_step;) counts[folder] = count;
  return counts;
}

std::int64_t sum_of(const CheckpointHead& head, const std::vector<std::uint64_t>& plane_sums) {
  std::string text = head.config + snapshots_text(head.position);
  if (head.position.potential_energy) text += fmt::format("{}\n", *head.position.potential_energy);
  each_number(head, [&](const char* name, auto value) { text += fmt::format("{} {}\n", name, value); });
  for (const std::uint64_t sum : plane_sums) text += fmt::format("{}\n", sum);
  return static_cast<std::int64_t>(checksum(std::as_bytes(std::span(text))));
}

hid_t stored_type(const CheckpointHead& head) {
  return head.bytes_per_number == sizeof(float) ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
}

hid_t native_type(const CheckpointHead& head) {
  return head.bytes_per_number == sizeof(float) ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
}

std::vector<hsize_t> extent(const CheckpointHead& head) {
  return {hsize_t(head.cells[2]), hsize_t(field_variables + head.scalars), hsize_t(head.cells[1]),
          hsize_t(head.cells[0])};
}

/// Not as an attribute: long texts would lie where HDF5 keeps no checksum and follows lengths blindly.
void write_text(hid_t file, const std::string& name, const std::string& text) {
  h5::write_dataset(file, name, H5T_STD_U8LE, H5T_NATIVE_UINT8, text.size(), text.data());
}

std::string read_text(hid_t file, const std::string& name) {
  constexpr hsize_t longest = 16 << 20;
  const h5::Handle data = h5::open_dataset(file, name);
  const auto sizes = h5::extent_of(data);
  require(sizes.size() == 1 && sizes[0] <= longest, ExitCode::failed, name + " is no text");
  std::string text(sizes[0], ' ');
  h5::check(H5Dread(data, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()), "read " + name);
  return text;
}

std::vector<std::uint64_t> sums_in(hid_t file, std::int64_t planes) {
  const h5::Handle data = h5::open_dataset(file, sums_name);
  require(h5::extent_of(data) == std::vector{hsize_t(planes)}, ExitCode::failed, "checksums are missing");
  std::vector<std::uint64_t> sums(planes);
  h5::check(H5Dread(data, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, sums.data()), "read checksums");
  return sums;
}

/// Runs `read` and turns what HDF5 says into damage of this file, unless the system kept it from looking.
template <class Read>
auto guarded(const std::string& path, Read read) {
  try {
    return read();
  } catch (const DamagedCheckpoint&) {
    throw;
  } catch (const h5::OutOfReach& error) {
    throw Error(ExitCode::failed,
                fmt::format("{} cannot be read just now: {}: try again when it can, or name an earlier "
                            "checkpoint; nothing was changed",
                            path, error.what()));
  } catch (const Error& error) {
    throw DamagedCheckpoint(ExitCode::failed, fmt::format("{} is damaged: {}", path, error.what()));
  }
}

void require_intact(bool ok, const std::string& path, const std::string& problem) {
  if (!ok) throw DamagedCheckpoint(ExitCode::failed, fmt::format("{} is damaged: {}", path, problem));
}

h5::Handle opened(const std::string& path) {
  h5::prepare();
  return guarded(path, [&] { return h5::open_file(path); });
}

}  // namespace

std::size_t CheckpointHead::plane_bytes() const {
  return std::size_t(field_variables + scalars) * cells[0] * cells[1] * bytes_per_number;
}

CheckpointHead checkpoint_head(const Config& config, const RunPosition& position) {
  const auto [nx, ny, nz] = config.solver.grid.cells;
  const bool single = config.solver.precision == Precision::single;
  return {.position = position,
          .cells = {nx, ny, nz},
          .bytes_per_number = std::int64_t(single ? sizeof(float) : sizeof(double)),
          .scalars = static_cast<int>(config.solver.scalars.size()),
          .config = config.flow_yaml};
}

PlaneLayout checkpoint_layout(const CheckpointHead& head) {
  return {.field_bytes = {head.plane_bytes()}, .sum = checksum, .is_read_back = true};
}

Offsets make_checkpoint(const std::string& path, const CheckpointHead& head) {
  const auto alone = h5::prepare_alone();
  h5::Handle file = h5::create_file(path, file_format);
  const Offsets offsets{h5::make_room(file, "state", stored_type(head), extent(head))};
  h5::flush_and_close(file);
  return offsets;
}

void complete_checkpoint(const std::string& path, const CheckpointHead& head,
                         const std::vector<PlaneFacts>& facts) {
  const auto alone = h5::prepare_alone();
  std::vector<std::uint64_t> sums;
  for (const PlaneFacts& plane : facts) sums.push_back(plane.sum);
  h5::Handle file = h5::open_to_add(path, file_format);
  h5::write_dataset(file, sums_name, H5T_STD_U64LE, H5T_NATIVE_UINT64, sums.size(), sums.data());
  write_text(file, "config", head.config);
  write_text(file, "snapshots", snapshots_text(head.position));
  h5::write_attribute(file, "format", format_version);
  each_number(head, [&](const char* name, auto value) { h5::write_attribute(file, name, value); });
  h5::write_attribute(file, "checksum", sum_of(head, sums));
  if (head.position.last_statistics >= 0)
    h5::write_attribute(file, "last_statistics", head.position.last_statistics);
  if (head.position.potential_energy)
    h5::write_attribute(file, "potential_energy", *head.position.potential_energy);
  h5::write_ascii_attribute(file, "tayra_version", tayra::version);
  h5::write_ascii_attribute(file, "tayra_commit", tayra::commit);
  h5::flush_and_close(file);
  leave_to_disk(path);
  CheckpointFile{path};
}

// A checkpoint whose first bytes are lost is still known by its name.
std::string other_than_checkpoint(const std::string& path) {
  h5::prepare();
  if (const std::string other = other_than_file(path); !other.empty()) return other;
  if (H5Fis_hdf5(path.c_str()) == 0) return path.ends_with(".h5") ? "" : "no HDF5 file";
  try {
    const h5::Handle file = h5::open_file(path);
    if (H5Lexists(file, "VTKHDF", H5P_DEFAULT) > 0) return "a snapshot";
    const bool may_be = H5Aexists(file, "format") != 0 || H5Lexists(file, sums_name, H5P_DEFAULT) != 0;
    return may_be ? "" : "an HDF5 file without a run's state";
  } catch (const Error&) {
    return "";
  }
}

CheckpointFile::CheckpointFile(std::string path) : path_(std::move(path)), file_(opened(path_)) {
  const std::int64_t format = guarded(path_, [&] { return read_format(); });
  require(
      format == format_version, ExitCode::failed,
      fmt::format("{} has format {}, this Tayra reads {}: go on with the Tayra that wrote it; nothing was "
                  "changed",
                  path_, format, format_version));
  guarded(path_, [&] { read_head(); });
}

std::int64_t CheckpointFile::read_format() const {
  std::int64_t format = 0;
  require_intact(H5Aexists(file_, "format") > 0, path_, "it holds no checkpoint");
  h5::read_attribute(file_, "format", std::span(&format, 1));
  return format;
}

void CheckpointFile::read_head() {
  std::int64_t sum = 0;
  each_number(head_,
              [&](const char* name, auto& value) { h5::read_attribute(file_, name, std::span(&value, 1)); });
  h5::read_attribute(file_, "checksum", std::span(&sum, 1));
  // Not among the numbers above, which every checkpoint has: older ones lack it.
  if (H5Aexists(file_, "last_statistics") > 0)
    h5::read_attribute(file_, "last_statistics", std::span(&head_.position.last_statistics, 1));
  if (H5Aexists(file_, "potential_energy") > 0)
    h5::read_attribute(file_, "potential_energy", std::span(&head_.position.potential_energy.emplace(), 1));
  check_extent();
  head_.config = read_text(file_, "config");
  head_.position.snapshots = read_snapshots_text(read_text(file_, "snapshots"));
  plane_sums_ = sums_in(file_, head_.cells[2]);
  require_intact(sum == sum_of(head_, plane_sums_), path_, "its checksum does not fit its head");
}

void CheckpointFile::check_extent() {
  require_intact(head_.bytes_per_number == sizeof(float) || head_.bytes_per_number == sizeof(double), path_,
                 fmt::format("numbers of {} bytes", head_.bytes_per_number));
  const auto stored = h5::extent_of(h5::open_dataset(file_, "state"));
  if (stored.size() == 4 && stored[1] >= field_variables && stored[1] <= field_variables + most_scalars)
    head_.scalars = static_cast<int>(stored[1]) - field_variables;
  require_intact(stored == extent(head_), path_, "its fields are not of the size that it states");
}

void CheckpointFile::require_parts() const {
  h5::prepare();  // any thread may ask
  guarded(path_, [&] { h5::require_parts(path_, h5::open_dataset(file_, "state")); });
}

void CheckpointFile::read(int first, int count, std::byte* planes) const {
  h5::prepare();  // any thread may read
  guarded(path_, [&] {
    h5::read_planes(h5::open_dataset(file_, "state"), native_type(head_), {first, count}, planes);
  });
  const std::size_t plane = head_.plane_bytes();
  for (int k = 0; k < count; ++k) {
    if (checksum({planes + k * plane, plane}) == plane_sums_[first + k]) continue;
    require_parts();  // HDF5 reads zeros where it may not open one just now
    require_intact(false, path_, fmt::format("plane {} has another checksum than was written", first + k));
  }
}

}  // namespace tayra
