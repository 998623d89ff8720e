// Writing planes as they come and reading them back under suspicion.
#include "io/checkpoint_file.hpp"

#include <fmt/format.h>

#include <span>
#include <sstream>
#include <utility>

#include "core/checksum.hpp"
#include "grid/layout.hpp"
#include "tayra_version.hpp"

namespace tayra {
namespace {

/// Raised whenever an older Tayra could not read the file any more.
constexpr std::int64_t format_version = 1;

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

std::vector<hsize_t> extent(const CheckpointHead& head, std::int64_t planes) {
  return {hsize_t(planes), hsize_t(field_variables), hsize_t(head.cells[1]), hsize_t(head.cells[0])};
}

h5::Handle space_of(const std::vector<hsize_t>& sizes) {
  return {H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), H5Sclose,
          "create a space"};
}

h5::Handle create_dataset(hid_t file, const std::string& name, hid_t type,
                          const std::vector<hsize_t>& sizes) {
  const h5::Handle settings(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "create dataset settings");
  h5::check(H5Pset_fill_time(settings, H5D_FILL_TIME_NEVER), "turn filling off");
  h5::check(H5Pset_obj_track_times(settings, false), "leave out times");
  return {H5Dcreate2(file, name.c_str(), type, space_of(sizes), H5P_DEFAULT, settings, H5P_DEFAULT), H5Dclose,
          "create dataset " + name};
}

/// Not as an attribute: long texts would lie where HDF5 keeps no checksum and follows lengths blindly.
void write_text(hid_t file, const std::string& name, const std::string& text) {
  const h5::Handle data = create_dataset(file, name, H5T_STD_U8LE, {text.size()});
  h5::check(H5Dwrite(data, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()), "write " + name);
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

/// Runs `read` and turns what HDF5 says into damage of this file.
template <class Read>
auto guarded(const std::string& path, Read read) {
  try {
    return read();
  } catch (const DamagedCheckpoint&) {
    throw;
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
  return std::size_t(field_variables) * cells[0] * cells[1] * bytes_per_number;
}

CheckpointHead checkpoint_head(const Config& config, const RunPosition& position) {
  const auto [nx, ny, nz] = config.solver.grid.cells;
  const bool single = config.solver.precision == Precision::single;
  return {.position = position,
          .cells = {nx, ny, nz},
          .bytes_per_number = std::int64_t(single ? sizeof(float) : sizeof(double)),
          .config = config.flow_yaml};
}

CheckpointFileWriter::CheckpointFileWriter(const std::string& path, CheckpointHead head)
    : head_(std::move(head)),
      plane_sums_(head_.cells[2]),
      file_((h5::prepare(), h5::create_file(path, h5::Format::guarded))),
      state_(create_dataset(file_, "state", stored_type(head_), extent(head_, head_.cells[2]))) {}

void CheckpointFileWriter::add(int first, int count, const std::byte* planes) {
  const std::size_t plane = head_.plane_bytes();
#pragma omp parallel for
  for (int k = 0; k < count; ++k) plane_sums_[first + k] = checksum({planes + k * plane, plane});
  h5::check(H5Dwrite(state_, native_type(head_), space_of(extent(head_, count)),
                     h5::select_planes(state_, first, count), H5P_DEFAULT, planes),
            "write planes");
}

void CheckpointFileWriter::finish() {
  const h5::Handle sums = create_dataset(file_, "plane_checksums", H5T_STD_U64LE, {plane_sums_.size()});
  h5::check(H5Dwrite(sums, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, plane_sums_.data()),
            "write checksums");
  write_text(file_, "config", head_.config);
  write_text(file_, "snapshots", snapshots_text(head_.position));
  h5::write_attribute(file_, "format", format_version);
  each_number(head_, [&](const char* name, auto value) { h5::write_attribute(file_, name, value); });
  h5::write_attribute(file_, "checksum", sum_of(head_, plane_sums_));
  h5::write_ascii_attribute(file_, "tayra_version", tayra::version);
  h5::write_ascii_attribute(file_, "tayra_commit", tayra::commit);
  h5::check(H5Fflush(file_, H5F_SCOPE_GLOBAL), "flush the file");
  state_.close("close the fields");
  file_.close("close the file");
}

CheckpointFile::CheckpointFile(std::string path) : path_(std::move(path)), file_(opened(path_)) {
  guarded(path_, [&] {
    read_head();
    return 0;
  });
}

void CheckpointFile::read_head() {
  std::int64_t format = 0, sum = 0;
  h5::read_attribute(file_, "format", format);
  require_intact(format == format_version, path_,
                 fmt::format("it has format {}, this Tayra reads {}", format, format_version));
  each_number(head_, [&](const char* name, auto& value) { h5::read_attribute(file_, name, value); });
  h5::read_attribute(file_, "checksum", sum);
  check_extent();
  head_.config = read_text(file_, "config");
  head_.position.snapshots = read_snapshots_text(read_text(file_, "snapshots"));
  plane_sums_.resize(head_.cells[2]);
  const h5::Handle sums = h5::open_dataset(file_, "plane_checksums");
  require_intact(h5::extent_of(sums) == std::vector{hsize_t(head_.cells[2])}, path_, "checksums are missing");
  h5::check(H5Dread(sums, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, plane_sums_.data()),
            "read checksums");
  require_intact(sum == sum_of(head_, plane_sums_), path_, "its checksum does not fit its head");
}

void CheckpointFile::check_extent() const {
  require_intact(head_.bytes_per_number == sizeof(float) || head_.bytes_per_number == sizeof(double), path_,
                 fmt::format("numbers of {} bytes", head_.bytes_per_number));
  const h5::Handle state = h5::open_dataset(file_, "state");
  require_intact(h5::extent_of(state) == extent(head_, head_.cells[2]), path_,
                 "its fields are not of the size that it states");
}

void CheckpointFile::read(int first, int count, std::byte* planes) const {
  guarded(path_, [&] {
    const h5::Handle state = h5::open_dataset(file_, "state");
    return h5::check(H5Dread(state, native_type(head_), space_of(extent(head_, count)),
                             h5::select_planes(state, first, count), H5P_DEFAULT, planes),
                     "read planes");
  });
  const std::size_t plane = head_.plane_bytes();
  for (int k = 0; k < count; ++k)
    require_intact(checksum({planes + k * plane, plane}) == plane_sums_[first + k], path_,
                   fmt::format("plane {} has another checksum than was written", first + k));
}

}  // namespace tayra
