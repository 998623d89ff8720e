// A snapshot in HDF5: data for every tool, and the view of it that VTK and ParaView know as VTKHDF.
#include "io/snapshot_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "tayra_version.hpp"

namespace tayra {
namespace {

template <class Real>
struct FileType;
template <>
struct FileType<float> {
  static hid_t native() { return H5T_NATIVE_FLOAT; }
};
template <>
struct FileType<double> {
  static hid_t native() { return H5T_NATIVE_DOUBLE; }
};

std::vector<SnapshotField> chosen_fields(const std::vector<std::string>& names) {
  std::vector<SnapshotField> chosen;
  for (const SnapshotField& field : snapshot_fields())
    if (std::find(names.begin(), names.end(), field.name) != names.end()) chosen.push_back(field);
  return chosen;
}

/// Every stride-th cell of a row, components side by side.
template <class Real>
void pick(const AxisSelection& x, int components, const std::vector<double>& row, Real* out) {
  for (int i = 0; i < x.count; ++i)
    for (int c = 0; c < components; ++c)
      *out++ = static_cast<Real>(row[std::size_t(x.at(i)) * components + c]);
}

template <class Real>
std::unique_ptr<Real[]> convert(const SnapshotField& field, const StateBlock& block,
                                const SnapshotPlan& plan) {
  const auto& [x, y, z] = plan.selection.axes;
  const std::size_t row_values = std::size_t(x.count) * field.components;
  const int planes = static_cast<int>(block.planes().size()), rows = y.count;
  auto values = std::make_unique_for_overwrite<Real[]>(row_values * rows * planes);
#pragma omp parallel
  {
    std::vector<double> row(std::size_t(plan.grid.cells[0]) * field.components);
#pragma omp for collapse(2)
    for (int k = 0; k < planes; ++k)
      for (int j = 0; j < rows; ++j) {
        field.compute(block.rows(block.planes()[k], plan.selection.axes[1].at(j)), row.data());
        pick(plan.selection.axes[0], field.components, row,
             values.get() + (std::size_t(k) * rows + j) * row_values);
      }
  }
  return values;
}

std::vector<hsize_t> extent(const SnapshotPlan& plan, int planes, const SnapshotField& field) {
  const auto [nx, ny, nz] = plan.selection.cells();
  std::vector<hsize_t> sizes{hsize_t(planes), hsize_t(ny), hsize_t(nx)};
  if (field.components > 1) sizes.push_back(hsize_t(field.components));
  return sizes;
}

h5::Handle space_of(const std::vector<hsize_t>& sizes) {
  return {H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), H5Sclose,
          "create a space"};
}

/// Bytes of a number that change together are put together first, which makes them much smaller.
void set_compression(hid_t settings) {
  constexpr unsigned fast = 1;  // higher levels gain a few percent for several times the work
  h5::check(H5Pset_shuffle(settings), "set the shuffling");
  h5::check(H5Pset_deflate(settings, fast), "set the compression");
}

/// Chunks of one plane lie inside one slab, so that ranks never share a chunk.
h5::Handle create_dataset(hid_t file, const SnapshotPlan& plan, const SnapshotField& field) {
  const h5::Handle settings(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "create dataset settings");
  const auto chunk = extent(plan, 1, field);
  h5::check(H5Pset_chunk(settings, static_cast<int>(chunk.size()), chunk.data()), "set the chunk size");
  h5::check(H5Pset_fill_time(settings, H5D_FILL_TIME_NEVER), "turn filling off");
  h5::check(H5Pset_obj_track_times(settings, false), "leave out times");
  if (plan.compression == Compression::deflate) set_compression(settings);
  const hid_t type = plan.precision == Precision::single ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
  const h5::Handle space = space_of(extent(plan, plan.selection.axes[2].count, field));
  h5::Handle data(H5Dcreate2(file, field.name.c_str(), type, space, H5P_DEFAULT, settings, H5P_DEFAULT),
                  H5Dclose, "create dataset " + field.name);
  h5::write_attribute(data, "units", field.units);
  h5::write_attribute(data, "meaning", field.meaning);
  return data;
}

template <class Real>
void write_block(hid_t data, const SnapshotField& field, int first, const StateBlock& block,
                 const SnapshotPlan& plan) {
  const int count = static_cast<int>(block.planes().size());
  const h5::Handle part = h5::select_planes(data, first, count);
  const auto values = convert<Real>(field, block, plan);
  h5::check(H5Dwrite(data, FileType<Real>::native(), space_of(extent(plan, count, field)), part, H5P_DEFAULT,
                     values.get()),
            "write " + field.name);
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
  const h5::Handle view = h5::create_group(file, "VTKHDF");
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
  const h5::Handle cells = h5::create_group(view, "CellData");
  for (const auto& field : plan.fields)
    h5::check(H5Lcreate_hard(file, field.name.c_str(), cells, field.name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
              "link " + field.name);
}

std::vector<StoredField> stored_fields(hid_t file) {
  const h5::Handle cells(H5Gopen2(file, "VTKHDF/CellData", H5P_DEFAULT), H5Gclose, "open the fields");
  std::vector<StoredField> fields;
  for (const std::string& name : h5::names_in(cells)) {
    const h5::Handle data = h5::open_dataset(cells, name);
    const h5::Handle type(H5Dget_type(data), H5Tclose, "get the type of " + name);
    const auto sizes = h5::extent_of(data);
    fields.push_back(
        {name, sizes.size() > 3 ? static_cast<int>(sizes[3]) : 1, static_cast<int>(H5Tget_size(type))});
  }
  return fields;
}

}  // namespace

SnapshotPlan::SnapshotPlan(const Config& config, const SnapshotSettings& settings)
    : grid(config.solver.grid),
      gamma(config.solver.gamma),
      flow_yaml(config.flow_yaml),
      fields(chosen_fields(settings.fields)),
      precision(settings.precision),
      compression(settings.compression),
      selection(select_cells(grid, settings)) {}

Needs SnapshotPlan::needs() const {
  const bool any = std::any_of(fields.begin(), fields.end(),
                               [](const SnapshotField& field) { return field.needs == Needs::neighbours; });
  return any ? Needs::neighbours : Needs::own_cell;
}

SnapshotFileWriter::SnapshotFileWriter(const std::string& path, const SnapshotPlan& plan,
                                       const Instant& instant)
    : plan_(plan), file_((h5::prepare(), h5::create_file(path))) {
  write_root_attributes(file_, plan_, instant);
  for (const auto& field : plan_.fields) datasets_.push_back(create_dataset(file_, plan_, field));
}

void SnapshotFileWriter::add(int first, const StateBlock& block) {
  for (std::size_t i = 0; i < datasets_.size(); ++i)
    if (plan_.precision == Precision::single)
      write_block<float>(datasets_[i], plan_.fields[i], first, block, plan_);
    else
      write_block<double>(datasets_[i], plan_.fields[i], first, block, plan_);
}

void SnapshotFileWriter::finish() {
  write_vtk_view(file_, plan_);
  datasets_.clear();
  h5::check(H5Fflush(file_, H5F_SCOPE_GLOBAL), "flush the file");
  file_.close("close the file");
}

SnapshotEntry read_snapshot_entry(const std::string& path) {
  h5::prepare();
  const h5::Handle file = h5::open_file(path);
  const h5::Handle view(H5Gopen2(file, "VTKHDF", H5P_DEFAULT), H5Gclose, "open VTKHDF");
  SnapshotEntry entry;
  entry.file = std::filesystem::path(path).filename().string();
  entry.fields = stored_fields(file);
  h5::read_attribute(file, "time", entry.time);
  h5::read_attribute(view, "Origin", entry.lower.data(), 3);
  h5::read_attribute(view, "Spacing", entry.spacing.data(), 3);
  std::array<std::int64_t, 6> extent{};
  h5::read_attribute(view, "WholeExtent", extent.data(), 6);
  for (int axis = 0; axis < 3; ++axis) entry.cells[axis] = static_cast<int>(extent[2 * axis + 1]);
  return entry;
}

}  // namespace tayra
