// A snapshot in HDF5: data for every tool, and the view of it that VTK and ParaView know as VTKHDF.
#include "io/snapshot_file.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "core/crc32.hpp"
#include "tayra_version.hpp"

namespace tayra {
namespace {

constexpr h5::Format file_format = h5::Format::widely_read;
constexpr const char* sums_group = "checksums";

std::vector<int> numbers_of(const std::vector<std::string>& names) {
  std::vector<int> numbers;
  for (int i = 0; i < output_field_count; ++i)
    if (std::find(names.begin(), names.end(), output_fields()[i].name) != names.end()) numbers.push_back(i);
  return numbers;
}

std::vector<OutputField> fields_of(const std::vector<int>& numbers) {
  std::vector<OutputField> fields;
  for (const int number : numbers) fields.push_back(output_fields()[number]);
  return fields;
}

std::vector<hsize_t> extent(const SnapshotPlan& plan, int planes, const OutputField& field) {
  const auto [nx, ny, nz] = plan.selection.cells();
  std::vector<hsize_t> sizes{hsize_t(planes), hsize_t(ny), hsize_t(nx)};
  if (field.components > 1) sizes.push_back(hsize_t(field.components));
  return sizes;
}

/// Bytes of a number that change together are put together first, which makes them much smaller. Chunks of
/// one plane lie inside one slab, so that ranks never share a chunk.
void set_compression(hid_t settings, const std::vector<hsize_t>& plane) {
  constexpr unsigned fast = 1;  // higher levels gain a few percent for several times the work
  h5::check(H5Pset_alloc_time(settings, H5D_ALLOC_TIME_INCR), "set when room is taken");
  h5::check(H5Pset_chunk(settings, static_cast<int>(plane.size()), plane.data()), "set the chunk size");
  h5::check(H5Pset_shuffle(settings), "set the shuffling");
  h5::check(H5Pset_deflate(settings, fast), "set the compression");
}

void create_dataset(hid_t file, const SnapshotPlan& plan, const OutputField& field,
                    const std::vector<hsize_t>& sizes, hid_t settings) {
  const hid_t type = plan.precision == Precision::single ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
  h5::create_dataset(file, field.name, type, sizes, settings).close("close dataset " + field.name);
}

void create_field(hid_t file, const SnapshotPlan& plan, const OutputField& field, int planes) {
  const h5::Handle settings = h5::dataset_settings();
  if (plan.compression == Compression::deflate) set_compression(settings, extent(plan, 1, field));
  create_dataset(file, plan, field, extent(plan, planes, field), settings);
}

void create_sums(hid_t file, const SnapshotPlan& plan, int planes) {
  h5::Handle group = h5::create_group(file, sums_group);
  for (const auto& field : plan.fields)
    h5::create_dataset(group, field.name, H5T_STD_U32LE, {hsize_t(planes)}, h5::dataset_settings())
        .close("close checksums of " + field.name);
  group.close("close the checksums");
}

h5::Handle open_sums(hid_t file, const OutputField& field) {
  return h5::open_dataset(h5::open_group(file, sums_group), field.name);
}

void put_sums(hid_t file, const OutputField& field, SlabRange planes, const std::vector<std::uint32_t>& sums,
              h5::Sharing sharing = h5::Sharing::alone) {
  h5::Handle data = open_sums(file, field);
  h5::write_planes(data, H5T_NATIVE_UINT32, planes, sums.data(), sharing);
  data.close("close checksums of " + field.name);
}

std::size_t data_bytes(const SnapshotPlan& plan, int planes) {
  std::size_t bytes = 0;
  for (const auto& field : plan.fields) {
    std::size_t numbers = word_bytes(plan.precision);
    for (const hsize_t size : extent(plan, planes, field)) numbers *= size;
    bytes += numbers + planes * sizeof(std::uint32_t);
  }
  return bytes;
}

void put_field_together(hid_t file, const SnapshotPlan& plan, const OutputField& field,
                        const std::vector<h5::Part>& parts) {
  const h5::Handle settings(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "create dataset settings");
  h5::check(H5Pset_obj_track_times(settings, false), "leave out times");
  const auto sizes = extent(plan, plan.selection.axes[2].count, field);
  h5::put_together(settings, field.name, sizes, parts);
  create_dataset(file, plan, field, sizes, settings);
}

void copy_sums(const std::string& path, hid_t file, const OutputField& field, const h5::Part& part) {
  std::vector<std::uint32_t> sums(part.planes.planes);
  const h5::Handle from = h5::open_file(h5::path_of(path, part.file));
  h5::read_planes(open_sums(from, field), H5T_NATIVE_UINT32, {0, part.planes.planes}, sums.data());
  put_sums(file, field, part.planes, sums);
}

void describe_field(hid_t file, const OutputField& field) {
  h5::Handle data = h5::open_dataset(file, field.name);
  h5::write_attribute(data, "units", field.units);
  h5::write_attribute(data, "meaning", field.meaning);
  data.close("close dataset " + field.name);
}

void write_root_attributes(hid_t file, const SnapshotPlan& plan, const Instant& instant) {
  h5::write_attribute(file, "time", instant.time);
  h5::write_attribute(file, "step", instant.step);
  h5::write_attribute(file, "lower", plan.selection.lower(plan.grid).data(), 3);
  h5::write_attribute(file, "spacing", plan.selection.spacing(plan.grid).data(), 3);
  h5::write_attribute(file, "units", "the user's own: mass, length and time as in the config");
  h5::write_attribute(file, "config", plan.flow_yaml);
  h5::write_attribute(file, "tayra_version", tayra::version);
  h5::write_attribute(file, "tayra_commit", tayra::commit);
}

/// https://docs.vtk.org/en/latest/vtk_file_formats/vtkhdf_file_format, ImageData. VTK insists on Direction.
void write_vtk_view(hid_t file, const SnapshotPlan& plan) {
  h5::Handle view = h5::create_group(file, "VTKHDF");
  const auto [nx, ny, nz] = plan.selection.cells();
  const std::array<std::int64_t, 2> format_version{1, 0};
  const std::array<std::int64_t, 6> extent{0, nx, 0, ny, 0, nz};
  const std::array<double, 9> direction{1, 0, 0, 0, 1, 0, 0, 0, 1};
  h5::write_attribute(view, "Version", format_version.data(), 2);
  h5::write_ascii_attribute(view, "Type", "ImageData");
  h5::write_attribute(view, "WholeExtent", extent.data(), 6);
  h5::write_attribute(view, "Origin", plan.selection.lower(plan.grid).data(), 3);
  h5::write_attribute(view, "Spacing", plan.selection.spacing(plan.grid).data(), 3);
  h5::write_attribute(view, "Direction", direction.data(), 9);
  h5::Handle cells = h5::create_group(view, "CellData");
  for (const auto& field : plan.fields)
    h5::check(H5Lcreate_hard(file, field.name.c_str(), cells, field.name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
              "link " + field.name);
  cells.close("close group CellData");
  view.close("close group VTKHDF");
}

std::vector<StoredField> stored_fields(const std::string& path, hid_t view) {
  const h5::Handle cells = h5::open_group(view, "CellData");
  std::vector<StoredField> fields;
  for (const std::string& name : h5::names_in(cells)) {
    const h5::Handle data = h5::open_dataset(cells, name);
    const h5::Handle type(H5Dget_type(data), H5Tclose, "get the type of " + name);
    h5::require_parts(path, data);
    const auto sizes = h5::extent_of(data);
    fields.push_back(
        {name, sizes.size() > 3 ? static_cast<int>(sizes[3]) : 1, static_cast<int>(H5Tget_size(type))});
  }
  return fields;
}

}  // namespace

SnapshotPlan::SnapshotPlan(const Config& config, const SnapshotSettings& settings)
    : grid(config.solver.grid),
      flow_yaml(config.flow_yaml),
      field_numbers(numbers_of(settings.fields)),
      fields(fields_of(field_numbers)),
      precision(settings.precision),
      compression(settings.compression),
      selection(select_cells(grid, settings)) {}

FieldChoice SnapshotPlan::choice() const { return {field_numbers, precision, selection.axes}; }

SnapshotData::SnapshotData(const PlaneFile& file, const SnapshotPlan& plan)
    : plan_(plan),
      place_(file),
      file_(make_file(file, file_format, data_bytes(plan, file.planes.planes),
                      [&](hid_t made) {
                        for (const auto& field : plan.fields)
                          create_field(made, plan, field, file.planes.planes);
                        create_sums(made, plan, file.planes.planes);
                      })),
      on_disk_(file.path, O_RDONLY) {
  for (const auto& field : plan_.fields) {
    datasets_.push_back(h5::open_dataset(file_, field.name));
    plane_sums_.emplace_back(file.mine.planes);
  }
}

void SnapshotData::add(const PlaneBlock& block) {
  const SlabRange place = place_.place(block.first, block.count);
  const hid_t number = plan_.precision == Precision::single ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
  const std::byte* numbers = block.bytes;
  AllAttempted all;
  for (std::size_t i = 0; i < datasets_.size(); ++i) {
    all.attempt([&] { h5::write_planes(datasets_[i], number, place, numbers, place_.sharing); });
    const std::size_t plane =
        FieldChoice{{plan_.field_numbers[i]}, plan_.precision, plan_.selection.axes}.plane_bytes();
#pragma omp parallel for
    for (int k = 0; k < block.count; ++k)
      plane_sums_[i][block.first + k - place_.mine.first] = crc32({numbers + k * plane, plane});
    numbers += plane * block.count;
  }
  all.rethrow_first();
  on_disk_.start_sync();
}

// All ranks close together what they share: each of these is done even where one has failed.
void SnapshotData::finish() {
  const SlabRange mine = place_.place(place_.mine.first, place_.mine.planes);
  AllAttempted all;
  for (std::size_t i = 0; i < datasets_.size(); ++i)
    all.attempt([&] { put_sums(file_, plan_.fields[i], mine, plane_sums_[i], place_.sharing); });
  for (h5::Handle& dataset : datasets_) all.attempt([&] { dataset.close("close a field"); });
  all.attempt([&] { h5::flush_and_close(file_); });
  all.rethrow_first();
}

void complete_snapshot(const std::string& path, const SnapshotPlan& plan, const Instant& instant,
                       const std::vector<h5::Part>& parts) {
  h5::prepare();
  h5::Handle file = parts.empty() ? h5::open_to_add(path, file_format) : h5::create_file(path, file_format);
  if (!parts.empty()) create_sums(file, plan, plan.selection.axes[2].count);
  for (const auto& field : plan.fields) {
    if (!parts.empty()) put_field_together(file, plan, field, parts);
    for (const h5::Part& part : parts) copy_sums(path, file, field, part);
    describe_field(file, field);
  }
  write_root_attributes(file, plan, instant);
  write_vtk_view(file, plan);
  h5::flush_and_close(file);
}

SnapshotEntry read_snapshot_entry(const std::string& path) {
  h5::prepare();
  const h5::Handle file = h5::open_file(path);
  const h5::Handle view = h5::open_group(file, "VTKHDF");
  SnapshotEntry entry;
  entry.file = std::filesystem::path(path).filename().string();
  entry.fields = stored_fields(path, view);
  h5::read_attribute(file, "time", entry.time);
  h5::read_attribute(view, "Origin", entry.lower.data(), 3);
  h5::read_attribute(view, "Spacing", entry.spacing.data(), 3);
  std::array<std::int64_t, 6> extent{};
  h5::read_attribute(view, "WholeExtent", extent.data(), 6);
  for (int axis = 0; axis < 3; ++axis) entry.cells[axis] = static_cast<int>(extent[2 * axis + 1]);
  return entry;
}

}  // namespace tayra
