// A snapshot in HDF5: data for every tool, and the view of it that VTK and ParaView know as VTKHDF.
#include "io/snapshot_file.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "io/hdf5.hpp"
#include "tayra_version.hpp"

namespace tayra {
namespace {

/// Planes are read, converted and written in blocks of about this size, whatever the size of the box.
constexpr std::size_t block_bytes = 64u << 20;
constexpr int variables = 5;

template <class Real>
struct FileType;
template <>
struct FileType<float> {
  static hid_t stored() { return H5T_IEEE_F32LE; }
  static hid_t native() { return H5T_NATIVE_FLOAT; }
};
template <>
struct FileType<double> {
  static hid_t stored() { return H5T_IEEE_F64LE; }
  static hid_t native() { return H5T_NATIVE_DOUBLE; }
};

/// Conserved state of the planes [first, first + count).
struct Block {
  int first;
  int count;
  std::span<const double> state;  // [z][variable][y][x]
};

CellRow row_of(const Block& block, const Config& config, int z, int y) {
  const auto [nx, ny, nz] = config.solver.grid.cells;
  const std::size_t plane = static_cast<std::size_t>(nx) * ny;
  const double* start =
      block.state.data() + static_cast<std::size_t>(z) * variables * plane + y * std::size_t(nx);
  return {.density = start,
          .momentum = {start + plane, start + 2 * plane, start + 3 * plane},
          .energy = start + 4 * plane,
          .count = nx,
          .gamma = config.solver.gamma};
}

template <class Real>
std::vector<Real> convert(const SnapshotField& field, const Block& block, const Config& config) {
  const auto [nx, ny, nz] = config.solver.grid.cells;
  const std::size_t row_values = static_cast<std::size_t>(nx) * field.components;
  const int rows = ny, planes = block.count;
  std::vector<Real> values(row_values * rows * planes);
#pragma omp parallel
  {
    std::vector<double> row(row_values);
#pragma omp for collapse(2)
    for (int z = 0; z < planes; ++z)
      for (int y = 0; y < rows; ++y) {
        field.compute(row_of(block, config, z, y), row.data());
        std::copy(row.begin(), row.end(), values.begin() + (std::size_t(z) * rows + y) * row_values);
      }
  }
  return values;
}

std::vector<hsize_t> extent(const Grid& grid, int planes, const SnapshotField& field) {
  std::vector<hsize_t> sizes{hsize_t(planes), hsize_t(grid.cells[1]), hsize_t(grid.cells[0])};
  if (field.components > 1) sizes.push_back(hsize_t(field.components));
  return sizes;
}

h5::Handle space_of(const std::vector<hsize_t>& sizes) {
  return {H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), H5Sclose,
          "create a space"};
}

/// Chunks of one plane lie inside one slab, so that ranks never share a chunk.
template <class Real>
h5::Handle create_dataset(hid_t file, const Grid& grid, const SnapshotField& field) {
  const h5::Handle settings(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "create dataset settings");
  const auto chunk = extent(grid, 1, field);
  h5::check(H5Pset_chunk(settings, static_cast<int>(chunk.size()), chunk.data()), "set the chunk size");
  h5::check(H5Pset_fill_time(settings, H5D_FILL_TIME_NEVER), "turn filling off");
  h5::check(H5Pset_obj_track_times(settings, false), "leave out times");
  const h5::Handle space = space_of(extent(grid, grid.cells[2], field));
  h5::Handle data(H5Dcreate2(file, field.name.c_str(), FileType<Real>::stored(), space, H5P_DEFAULT, settings,
                             H5P_DEFAULT),
                  H5Dclose, "create dataset " + field.name);
  h5::write_attribute(data, "units", field.units);
  h5::write_attribute(data, "meaning", field.meaning);
  return data;
}

template <class Real>
void write_block(hid_t data, const SnapshotField& field, const Block& block, const Config& config) {
  const auto size = extent(config.solver.grid, block.count, field);
  std::vector<hsize_t> start(size.size(), 0);
  start[0] = hsize_t(block.first);
  const h5::Handle part(H5Dget_space(data), H5Sclose, "get the space of " + field.name);
  h5::check(H5Sselect_hyperslab(part, H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr),
            "select planes of " + field.name);
  const auto values = convert<Real>(field, block, config);
  h5::check(H5Dwrite(data, FileType<Real>::native(), space_of(size), part, H5P_DEFAULT, values.data()),
            "write " + field.name);
}

template <class Real>
void write_fields(hid_t file, const Config& config, const std::vector<SnapshotField>& fields,
                  Simulation& simulation) {
  const Grid& grid = config.solver.grid;
  std::vector<h5::Handle> datasets;
  for (const auto& field : fields) datasets.push_back(create_dataset<Real>(file, grid, field));

  const std::size_t plane_values = std::size_t(variables) * grid.cells[0] * grid.cells[1];
  const int planes = grid.cells[2];
  const auto step = std::clamp(static_cast<int>(block_bytes / (plane_values * sizeof(double))), 1, planes);
  std::vector<double> state(plane_values * step);
  for (int first = 0; first < planes; first += step) {
    const int count = std::min(step, planes - first);
    const std::span<double> used(state.data(), plane_values * count);
    simulation.read_planes(first, count, used);
    for (std::size_t i = 0; i < fields.size(); ++i)
      write_block<Real>(datasets[i], fields[i], {first, count, used}, config);
  }
}

Vec3 spacing_of(const Grid& grid) { return {grid.spacing(0), grid.spacing(1), grid.spacing(2)}; }

void write_root_attributes(hid_t file, const Config& config, const Simulation& simulation) {
  const Grid& grid = config.solver.grid;
  h5::write_attribute(file, "time", simulation.time());
  h5::write_attribute(file, "step", simulation.step());
  h5::write_attribute(file, "lower", grid.lower.data(), 3);
  h5::write_attribute(file, "spacing", spacing_of(grid).data(), 3);
  h5::write_attribute(file, "units", "the user's own: mass, length and time as in the config");
  h5::write_attribute(file, "config", config.resolved_yaml);
  h5::write_attribute(file, "tayra_version", tayra::version);
  h5::write_attribute(file, "tayra_commit", tayra::commit);
}

/// https://docs.vtk.org/en/latest/vtk_file_formats/vtkhdf_file_format, ImageData. VTK insists on Direction.
void write_vtk_view(hid_t file, const Grid& grid, const std::vector<SnapshotField>& fields) {
  const h5::Handle view = h5::create_group(file, "VTKHDF");
  const std::array<std::int64_t, 2> format_version{1, 0};
  const std::array<std::int64_t, 6> extent{0, grid.cells[0], 0, grid.cells[1], 0, grid.cells[2]};
  const std::array<double, 9> direction{1, 0, 0, 0, 1, 0, 0, 0, 1};
  h5::write_attribute(view, "Version", format_version.data(), 2);
  h5::write_ascii_attribute(view, "Type", "ImageData");
  h5::write_attribute(view, "WholeExtent", extent.data(), 6);
  h5::write_attribute(view, "Origin", grid.lower.data(), 3);
  h5::write_attribute(view, "Spacing", spacing_of(grid).data(), 3);
  h5::write_attribute(view, "Direction", direction.data(), 9);
  const h5::Handle cells = h5::create_group(view, "CellData");
  for (const auto& field : fields)
    h5::check(H5Lcreate_hard(file, field.name.c_str(), cells, field.name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
              "link " + field.name);
}

}  // namespace

void write_snapshot_file(const std::string& path, const Config& config,
                         const std::vector<SnapshotField>& fields, Simulation& simulation) {
  h5::prepare();
  h5::Handle file = h5::create_file(path);
  write_root_attributes(file, config, simulation);
  if (config.snapshots.precision == Precision::single)
    write_fields<float>(file, config, fields, simulation);
  else
    write_fields<double>(file, config, fields, simulation);
  write_vtk_view(file, config.solver.grid, fields);
  h5::check(H5Fflush(file, H5F_SCOPE_GLOBAL), "flush the file");
  file.close("close the file");
}

}  // namespace tayra
