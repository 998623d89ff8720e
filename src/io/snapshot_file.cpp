// A snapshot in HDF5: data for every tool, and the view of it that VTK and ParaView know as VTKHDF.
#include "io/snapshot_file.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <span>
#include <utility>

#include "io/file.hpp"
#include "io/hdf5.hpp"
#include "tayra_version.hpp"

namespace tayra {
namespace {

constexpr h5::Format file_format = h5::Format::widely_read;

/// In the order in which files hold them.
std::vector<int> numbers_of(const std::vector<std::string>& names, const std::vector<OutputField>& fields) {
  std::vector<int> numbers;
  for (int i = 0; i < static_cast<int>(fields.size()); ++i)
    if (std::find(names.begin(), names.end(), fields[i].name) != names.end()) numbers.push_back(i);
  return numbers;
}

AxisSelection select_axis(const Grid& grid, int axis, double lower, double upper, int stride) {
  constexpr double round_off = 1e-9;  // of a cell
  const auto place = [&](double position) { return (position - grid.lower[axis]) / grid.spacing(axis); };
  const int last_cell = grid.cells[axis] - 1;
  const int first = std::max(0, static_cast<int>(std::ceil(place(lower) - 0.5 - round_off)));
  const int last = std::min(last_cell, static_cast<int>(std::floor(place(upper) - 0.5 + round_off)));
  const int count = (last - first) / stride + 1;
  if (last >= first && count > 1) return {first, count, stride};
  if (last >= first) return {first, 1, 1};
  return {std::clamp(static_cast<int>(std::floor(place(0.5 * (lower + upper)))), 0, last_cell), 1, 1};
}

const OutputField& field_of(const SnapshotPlan& plan, std::size_t i) {
  return plan.fields[plan.choice.fields[i]];
}

std::vector<hsize_t> extent(const SnapshotPlan& plan, const OutputField& field) {
  const auto& [x, y, z] = plan.choice.axes;
  std::vector<hsize_t> sizes{hsize_t(z.count), hsize_t(y.count), hsize_t(x.count)};
  if (field.components > 1) sizes.push_back(hsize_t(field.components));
  return sizes;
}

hid_t stored_type(const SnapshotPlan& plan) {
  return plan.choice.precision == Precision::single ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
}

hsize_t planes_of(const SnapshotPlan& plan) { return static_cast<hsize_t>(plan.choice.axes[2].count); }

/// In a file without HDF5, in which planes wait that are compressed, each has the room that it would need
/// without.
Offsets offsets_of_waiting(const SnapshotPlan& plan) {
  Offsets offsets;
  std::uint64_t end = 0;
  for (const std::size_t plane : plan.layout().field_bytes) {
    offsets.push_back(end);
    end += plane * planes_of(plan);
  }
  return offsets;
}

Offsets make_waiting(const std::string& path, const SnapshotPlan& plan) {
  ::unlink(path.c_str());
  const Descriptor file(path, O_WRONLY | O_CREAT | O_EXCL);
  require_done(file.id() >= 0, "create the file");
  return offsets_of_waiting(plan);
}

h5::Handle create_compressed(hid_t file, const SnapshotPlan& plan, const OutputField& field) {
  const h5::Handle settings = h5::dataset_settings();
  auto plane = extent(plan, field);
  plane[0] = 1;
  h5::check(H5Pset_alloc_time(settings, H5D_ALLOC_TIME_INCR), "set when room is taken");
  h5::check(H5Pset_chunk(settings, static_cast<int>(plane.size()), plane.data()), "set the chunk size");
  h5::check(H5Pset_shuffle(settings), "set the shuffling");
  h5::check(H5Pset_deflate(settings, deflate_level), "set the compression");
  return h5::create_dataset(file, field.name, stored_type(plan), extent(plan, field), settings);
}

/// A file in place of the one in which its planes wait.
h5::Handle create_from_waiting(const std::string& path, const SnapshotPlan& plan,
                               const std::vector<PlaneFacts>& facts) {
  constexpr std::uint32_t deflate = 2;  // the second filter
  const Descriptor waiting(path, O_RDONLY | O_NOFOLLOW);
  read_at(waiting, 0, {});  // it must be there before another takes its name
  const Offsets offsets = offsets_of_waiting(plan);
  h5::Handle file = h5::create_file(path, file_format);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    h5::Handle data = create_compressed(file, plan, field_of(plan, i));
    std::vector<std::byte> plane(plan.layout().field_bytes[i]);
    for (std::size_t z = 0; z < planes_of(plan); ++z) {
      const auto packed = std::span(plane).first(facts[z * offsets.size() + i].bytes);
      read_at(waiting, offsets[i] + z * plane.size(), packed);
      h5::write_chunk(data, static_cast<int>(z), packed.size() < plane.size() ? 0 : deflate, packed);
    }
    data.close("close dataset " + field_of(plan, i).name);
  }
  return file;
}

void write_sums(hid_t file, const SnapshotPlan& plan, const std::vector<PlaneFacts>& facts) {
  h5::Handle group = h5::create_group(file, "checksums");
  const std::size_t fields = plan.choice.fields.size();
  std::vector<std::uint64_t> sums(planes_of(plan));
  for (std::size_t i = 0; i < fields; ++i) {
    for (std::size_t z = 0; z < sums.size(); ++z) sums[z] = facts[z * fields + i].sum;
    h5::write_dataset(group, field_of(plan, i).name, H5T_STD_U32LE, H5T_NATIVE_UINT64, sums.size(),
                      sums.data());
  }
  group.close("close the checksums");
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
  h5::write_attribute(file, "lower", plan.lower);
  h5::write_attribute(file, "spacing", plan.spacing);
  h5::write_attribute(file, "units", "the user's own: mass, length and time as in the config");
  h5::write_attribute(file, "config", plan.flow_yaml);
  h5::write_attribute(file, "tayra_version", tayra::version);
  h5::write_attribute(file, "tayra_commit", tayra::commit);
}

/// https://docs.vtk.org/en/latest/vtk_file_formats/vtkhdf_file_format, ImageData. VTK insists on Direction.
void write_vtk_view(hid_t file, const SnapshotPlan& plan) {
  h5::Handle view = h5::create_group(file, "VTKHDF");
  const auto& [x, y, z] = plan.choice.axes;
  const std::array<std::int64_t, 2> format_version{1, 0};
  const std::array<std::int64_t, 6> extent{0, x.count, 0, y.count, 0, z.count};
  const std::array<double, 9> direction{1, 0, 0, 0, 1, 0, 0, 0, 1};
  h5::write_attribute(view, "Version", format_version);
  h5::write_ascii_attribute(view, "Type", "ImageData");
  h5::write_attribute(view, "WholeExtent", extent);
  h5::write_attribute(view, "Origin", plan.lower);
  h5::write_attribute(view, "Spacing", plan.spacing);
  h5::write_attribute(view, "Direction", direction);
  h5::Handle cells = h5::create_group(view, "CellData");
  for (std::size_t i = 0; i < plan.choice.fields.size(); ++i) {
    const std::string& name = field_of(plan, i).name;
    h5::check(H5Lcreate_hard(file, name.c_str(), cells, name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
              "link " + name);
  }
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

std::array<AxisSelection, 3> select_cells(const Grid& grid, const SnapshotSettings& settings) {
  const Vec3 lower = settings.lower.value_or(grid.lower), upper = settings.upper.value_or(grid.upper);
  std::array<AxisSelection, 3> axes{};
  for (int axis = 0; axis < 3; ++axis)
    axes[axis] = select_axis(grid, axis, lower[axis], upper[axis], settings.stride[axis]);
  return axes;
}

SlabRange selected_in(const AxisSelection& z, SlabRange slab) {
  const RowRange among = selected_among(z, {slab.first, slab.planes});
  return {among.first, among.rows};
}

SnapshotPlan::SnapshotPlan(const Config& config, const SnapshotSettings& settings)
    : flow_yaml(config.flow_yaml),
      fields(output_fields_with(config.solver.scalars)),
      choice{numbers_of(settings.fields, fields), settings.precision,
             select_cells(config.solver.grid, settings), static_cast<int>(settings.mean_along) - 1},
      compression(settings.compression) {
  const Grid& grid = config.solver.grid;
  for (int axis = 0; axis < 3; ++axis) {
    const auto [first, count, stride] = choice.axes[axis];
    lower[axis] = grid.lower[axis] + (first + 0.5 - 0.5 * stride) * grid.spacing(axis);
    spacing[axis] = stride * grid.spacing(axis) * (axis == choice.summed ? count : 1);
  }
}

PlaneLayout SnapshotPlan::layout() const {
  const auto crc32 = [](std::span<const std::byte> plane) -> std::uint64_t {
    return crc32_z(0, reinterpret_cast<const Bytef*>(plane.data()), plane.size());
  };
  PlaneLayout layout{.sum = crc32,
                     .packed_number = compression == Compression::deflate ? word_bytes(choice.precision) : 0};
  for (const int number : choice.fields)
    layout.field_bytes.push_back(FieldChoice{{number}, choice.precision, choice.axes}.plane_bytes());
  return layout;
}

Offsets make_snapshot(const std::string& path, const SnapshotPlan& plan) {
  if (plan.compression == Compression::deflate) return make_waiting(path, plan);
  const auto alone = h5::prepare_alone();
  h5::Handle file = h5::create_file(path, file_format);
  Offsets offsets;
  for (std::size_t i = 0; i < plan.choice.fields.size(); ++i)
    offsets.push_back(
        h5::make_room(file, field_of(plan, i).name, stored_type(plan), extent(plan, field_of(plan, i))));
  h5::flush_and_close(file);
  return offsets;
}

void complete_snapshot(const std::string& path, const SnapshotPlan& plan, const Instant& instant,
                       const std::vector<PlaneFacts>& facts) {
  const auto alone = h5::prepare_alone();
  h5::Handle file = plan.compression == Compression::deflate ? create_from_waiting(path, plan, facts)
                                                             : h5::open_to_add(path, file_format);
  write_sums(file, plan, facts);
  for (const int number : plan.choice.fields) describe_field(file, plan.fields[number]);
  write_root_attributes(file, plan, instant);
  write_vtk_view(file, plan);
  h5::flush_and_close(file);
}

SnapshotEntry read_snapshot_entry(const std::string& path) {
  const auto alone = h5::prepare_alone();
  const h5::Handle file = h5::open_file(path);
  const h5::Handle view = h5::open_group(file, "VTKHDF");
  SnapshotEntry entry;
  entry.file = std::filesystem::path(path).filename().string();
  entry.fields = stored_fields(path, view);
  h5::read_attribute(file, "time", std::span(&entry.time, 1));
  h5::read_attribute(view, "Origin", entry.lower);
  h5::read_attribute(view, "Spacing", entry.spacing);
  std::array<std::int64_t, 6> extent{};
  h5::read_attribute(view, "WholeExtent", extent);
  for (int axis = 0; axis < 3; ++axis) entry.cells[axis] = static_cast<int>(extent[2 * axis + 1]);
  return entry;
}

}  // namespace tayra
