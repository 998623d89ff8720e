// file and rt_surface: starts from an HDF5 file, of the whole flow or of an interface. They lie here for what
// they read.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>

#include <atomic>
#include <cmath>
#include <memory>
#include <mutex>
#include <numbers>
#include <optional>

#include "core/error.hpp"
#include "core/printable.hpp"
#include "io/coarse_planes.hpp"
#include "io/hdf5.hpp"
#include "solver/problems/formulas.hpp"
#include "solver/problems/layered.hpp"

namespace tayra::problems {
namespace {

using Factors = std::array<int, 3>;
using Extent = std::vector<hsize_t>;

/// What a user hears of a file of his own: the key path, the file, and what is wrong.
Error error_of(const std::string& path, const std::string& what) {
  return Error(ExitCode::bad_input, fmt::format("path: {}: {}", printable(path), what));
}

template <class Read>
auto from_file(const std::string& path, const Read& read) {
  const auto alone = h5::prepare_alone();
  try {
    return read(h5::open_file(path));
  } catch (const Error& error) {
    throw error_of(path, error.what());
  }
}

/// Fields lie at the top of a file, or where Tayra's snapshots have them.
h5::Handle fields_in(hid_t file) {
  const auto names = h5::names_in(file);
  if (std::find(names.begin(), names.end(), "VTKHDF") == names.end())
    return {H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose, "open the file's top"};
  const h5::Handle view = h5::open_group(file, "VTKHDF");
  return h5::open_group(view, "CellData");
}

/// Of one field.
Extent extent_of_field(hid_t fields, const std::string& name) {
  const auto names = h5::names_in(fields);
  require(std::find(names.begin(), names.end(), name) != names.end(), ExitCode::bad_input,
          fmt::format("has no dataset '{}' (it has: {})", name, fmt::join(names, ", ")));
  return h5::extent_of(h5::open_dataset(fields, name));
}

/// How many cells of the grid lie along an axis in one of the file.
int factor_along(int axis, hsize_t cells, const Grid& grid) {
  const auto wanted = static_cast<hsize_t>(grid.cells[axis]);
  require(
      cells > 0 && cells <= wanted && wanted % cells == 0, ExitCode::bad_input,
      fmt::format("has {} cells along {}, grid.cells {}: take a whole multiple", cells, "xyz"[axis], wanted));
  return static_cast<int>(wanted / cells);
}

/// How far one of so many children lies from the middle of its parent, in its parent's sides.
double from_middle(int child, int of) { return (child + 0.5) / of - 0.5; }

/// The flow that a file holds, on the grid of the box, plane by plane as somebody asks for them.
class StartFields {
 public:
  StartFields(const std::string& path, const ProblemSetting& setting, const RestingGas& at_rest)
      : path_(path),
        gamma_(setting.gamma),
        scalars_(setting.scalars),
        fine_(setting.grid),
        coarse_(setting.grid),
        at_rest_(at_rest) {
    static std::atomic<std::uint64_t> count = 0;
    number_ = ++count;
    from_file(path, [&](const h5::Handle& file) {
      const h5::Handle fields = fields_in(file);
      const Extent density = extent_of_field(fields, "density");
      require(density.size() == 3, ExitCode::bad_input,
              fmt::format("its density has {} axes: it must have [z, y, x]", density.size()));
      for (int axis = 0; axis < 3; ++axis) {
        factors_[axis] = factor_along(axis, density[2 - axis], fine_);
        coarse_.cells[axis] /= factors_[axis];
      }
      const auto require_extent = [&](const std::string& name, const Extent& extent) {
        require(extent_of_field(fields, name) == extent, ExitCode::bad_input,
                fmt::format("'{}' must have the extent [{}]", name, fmt::join(extent, ", ")));
      };
      require_extent("pressure", density);
      for (const std::string& name : scalars_) require_extent(name, density);
      Extent of_vectors = density;
      of_vectors.push_back(3);
      require_extent("velocity", of_vectors);
    });
    planes_.emplace(coarse_, field_variables + static_cast<int>(scalars_.size()),
                    [this](int z) { return read(z); });
  }

  /// Many threads may ask at once. Not a number where the file could not be read, unless nobody else asks.
  Primitive at(int x, int y, int z) {
    thread_local std::uint64_t whose = 0;
    thread_local int which = -1;
    thread_local std::shared_ptr<const Planes> mine;
    const int coarse = z / factors_[2];
    if (whose != number_ || which != coarse || !mine) {
      mine = planes(coarse);
      whose = number_;
      which = coarse;
    }
    if (mine->empty() && !omp_in_parallel()) throw *failure_;
    if (mine->empty()) return {.density = std::numeric_limits<double>::quiet_NaN()};
    return (*mine)[(std::size_t(z % factors_[2]) * fine_.cells[1] + y) * fine_.cells[0] + x];
  }

 private:
  using Planes = std::vector<Primitive>;  // of the box, that a plane of the file becomes

  /// Kept as long as some thread has them.
  std::shared_ptr<const Planes> planes(int z) {
    const std::lock_guard alone(mutex_);
    if (auto known = known_[z].lock()) return known;
    std::shared_ptr<const Planes> made = std::make_shared<Planes>();
    try {
      made = std::make_shared<Planes>(factors_ == Factors{1, 1, 1} ? read_primitive(z) : refined(z));
    } catch (const Error& error) {
      if (!failure_) failure_ = error;
    }
    known_[z] = made;
    return made;
  }

  /// As the file has it.
  Planes read_primitive(int z) const {
    const std::size_t cells = std::size_t(coarse_.cells[0]) * coarse_.cells[1];
    std::vector<double> density(cells), pressure(cells), velocity(3 * cells);
    std::vector<std::vector<double>> scalars(scalars_.size(), std::vector<double>(cells));
    from_file(path_, [&](const h5::Handle& file) {
      const h5::Handle fields = fields_in(file);
      const auto read_field = [&](const std::string& name, std::vector<double>& to) {
        h5::read_planes(h5::open_dataset(fields, name), H5T_NATIVE_DOUBLE, {z, 1}, to.data());
      };
      read_field("density", density);
      read_field("pressure", pressure);
      read_field("velocity", velocity);
      for (std::size_t s = 0; s < scalars_.size(); ++s) read_field(scalars_[s], scalars[s]);
    });
    Planes plane(cells);
    for (std::size_t i = 0; i < cells; ++i) {
      plane[i] = {density[i], {velocity[3 * i], velocity[3 * i + 1], velocity[3 * i + 2]}, pressure[i]};
      for (std::size_t s = 0; s < scalars_.size(); ++s) plane[i].scalars[s] = scalars[s][i];
    }
    return plane;
  }

  /// Less the gas at rest, so that this is not interpolated.
  FieldPlane read(int z) const {
    const Planes from = read_primitive(z);
    const Background rest = at_rest_.at(coarse_.centre(2, z));
    FieldPlane plane((field_variables + scalars_.size()) * from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
      const auto& [density, velocity, pressure, scalars] = from[i];
      double kinetic = 0;
      for (int axis = 0; axis < 3; ++axis) {
        plane[(1 + axis) * from.size() + i] = density * velocity[axis];
        kinetic += 0.5 * density * velocity[axis] * velocity[axis];
      }
      plane[i] = density - rest.density;
      plane[4 * from.size() + i] = (pressure - rest.pressure) / (gamma_ - 1) + kinetic;
      for (std::size_t s = 0; s < scalars_.size(); ++s)
        plane[(field_variables + s) * from.size() + i] = scalars[s];
    }
    return plane;
  }

  /// Mass, momentum, energy and what the mass carries stay what they are in the file's cells, to round-off.
  Planes refined(int z) {
    planes_->go_to(z);
    // What the gas at rest has more in the file's plane than in those of the box.
    const Background of_file = at_rest_.at(coarse_.centre(2, z));
    Background more = of_file;
    std::vector<Background> of_box;
    for (int k = 0; k < factors_[2]; ++k) {
      of_box.push_back(at_rest_.at(fine_.centre(2, z * factors_[2] + k)));
      more.density -= of_box[k].density / factors_[2];
      more.pressure -= of_box[k].pressure / factors_[2];
    }
    Planes planes(std::size_t(factors_[2]) * fine_.cells[1] * fine_.cells[0]);
    for (int y = 0; y < coarse_.cells[1]; ++y)
      for (int x = 0; x < coarse_.cells[0]; ++x) {
        const Conserved parent = planes_->at(x, y, 0);
        const auto slopes = planes_->slopes_at(x, y, factors_);
        if (!put_children(parent, slopes, x, y, more, of_box, planes))
          put_children(parent, {}, x, y, more, of_box, planes);
        for (std::size_t s = 0; s < scalars_.size(); ++s) put_scalar(parent, slopes, x, y, s, planes);
      }
    return planes;
  }

  /// Of a cell of the file: each with its place from its parent's middle, in its parent's sides, and its
  /// plane.
  template <class Do>
  void each_child(int x, int y, Planes& planes, const Do& act) const {
    const auto place = [&](int axis, int child) { return from_middle(child, factors_[axis]); };
    for (int k = 0; k < factors_[2]; ++k)
      for (int j = 0; j < factors_[1]; ++j)
        for (int i = 0; i < factors_[0]; ++i)
          act(Vec3{place(0, i), place(1, j), place(2, k)}, k,
              planes[(std::size_t(k) * fine_.cells[1] + y * factors_[1] + j) * fine_.cells[0] +
                     x * factors_[0] + i]);
  }

  /// Whether all of them are a gas.
  bool put_children(const Conserved& parent, const std::array<Conserved, 3>& slopes, int x, int y,
                    const Background& more, const std::vector<Background>& of_box, Planes& planes) const {
    bool all = true;
    each_child(x, y, planes, [&](const Vec3& place, int k, Primitive& gas) {
      Conserved cell = parent;
      for (int axis = 0; axis < 3; ++axis)
        for (int v = 0; v < field_variables; ++v) cell[v] += place[axis] * slopes[axis][v];
      gas = {.density = cell[0] + of_box[k].density + more.density};
      double kinetic = 0;
      for (int axis = 0; axis < 3; ++axis) {
        gas.velocity[axis] = cell[1 + axis] / gas.density;
        kinetic += 0.5 * cell[1 + axis] * gas.velocity[axis];
      }
      gas.pressure = of_box[k].pressure + more.pressure + (gamma_ - 1) * (cell[4] - kinetic);
      all = all && is_gas(gas);
    });
    return all;
  }

  /// On slopes, shifted so that mass times scalar is in sum what the parent has; without them where one would
  /// leave 0 to 1.
  void put_scalar(const Conserved& parent, const std::array<Conserved, 3>& slopes, int x, int y,
                  std::size_t number, Planes& planes) const {
    const std::size_t v = field_variables + number;
    const auto more_at = [&](const Vec3& place) {
      return place[0] * slopes[0][v] + place[1] * slopes[1][v] + place[2] * slopes[2][v];
    };
    double mass = 0, shift = 0;
    each_child(x, y, planes, [&](const Vec3& place, int, const Primitive& gas) {
      mass += gas.density;
      shift += gas.density * more_at(place);
    });
    bool all_fit = true;
    const double middle = parent[v] - shift / mass;
    each_child(x, y, planes, [&](const Vec3& place, int, const Primitive&) {
      all_fit = all_fit && middle + more_at(place) >= 0 && middle + more_at(place) <= 1;
    });
    each_child(x, y, planes, [&](const Vec3& place, int, Primitive& gas) {
      gas.scalars[number] = all_fit ? middle + more_at(place) : parent[v];
    });
  }

  const std::string path_;
  const double gamma_;
  const std::vector<std::string> scalars_;
  const Grid fine_;
  Grid coarse_;
  const RestingGas at_rest_;
  Factors factors_{};
  std::uint64_t number_ = 0;
  std::mutex mutex_;
  std::map<int, std::weak_ptr<const Planes>> known_;
  std::optional<CoarsePlanes> planes_;
  std::optional<Error> failure_;
};

class FileProblem final : public Problem {
 public:
  std::vector<Key> keys(const ProblemSetting& setting) override {
    return {
        key("path", path_,
            "an HDF5 file with the datasets density and pressure, [z, y, x], and velocity, [z, y, x, 3]; or "
            "a "
            "snapshot of Tayra with these fields; with those that physics.scalars names, if any, as [z, y, "
            "x]. Its cells may be those of the grid, or fewer by a whole "
            "number along each axis: then they are interpolated, and mass, momentum and energy stay",
            {.is_required = true}),
        section("background", at_rest_.keys(setting))};
  }
  std::unique_ptr<Problem> make(const ProblemSetting& setting) const override {
    auto made = std::make_unique<FileProblem>(*this);
    made->at_rest_.fit(setting);
    made->fields_ = std::make_shared<StartFields>(path_, setting, made->at_rest_);
    made->grid_ = setting.grid;
    return made;
  }
  Primitive initial(const Point& point) const override {
    const auto place = [&](int axis) { return cell_index(grid_, axis, point.offset[axis]); };
    return fields_->at(place(0), place(1), place(2));
  }
  Background background(double z) const override { return at_rest_.at(z); }
  bool starts(const std::string& /*scalar*/) const override { return true; }

 private:
  std::string path_;
  RestingGas at_rest_;
  std::shared_ptr<StartFields> fields_;
  Grid grid_;
};

/// Layers whose interface rises as the file says.
class RtSurface final : public RayleighTaylor {
 public:
  std::vector<Key> keys(const ProblemSetting& setting) override {
    std::vector<Key> all = RayleighTaylor::keys(setting);
    std::erase_if(all, [](const Key& key) { return key.name == "perturb"; });
    Key& factor = key_named("amplitude", all);
    factor.meaning = "what the file's numbers are multiplied by";
    factor.set({1.});
    all.push_back(
        key("path", path_,
            "an HDF5 file with the dataset rise, [y, x]: how high the interface has risen, against gravity, "
            "in each column of cells. They may be those of the grid, or fewer by a whole number along each "
            "axis: then heights are interpolated",
            {.is_required = true}));
    return all;
  }
  std::unique_ptr<Problem> make(const ProblemSetting& setting) const override {
    auto made = std::make_unique<RtSurface>(*this);
    made->fit(setting);
    auto rise = std::make_shared<FieldPlane>(
        from_file(path_, [&](const h5::Handle& file) { return rise_in(fields_in(file), setting.grid); }));
    double highest = 0;
    for (double& height : *rise) {
      if (!std::isfinite(height)) throw error_of(path_, fmt::format("'rise' holds {}", height));
      height *= made->amplitude();
      highest = std::max(highest, std::abs(height));
    }
    made->require_possible_rise(highest);
    made->rise_ = rise;
    return made;
  }
  Primitive initial(const Point& point) const override {
    const Grid& grid = setting_.grid;
    const int x = cell_index(grid, 0, point.offset[0]), y = cell_index(grid, 1, point.offset[1]);
    return at_rest(point.position[2], (*rise_)[std::size_t(y) * grid.cells[0] + x]);
  }

 private:
  /// In each column of the grid's cells.
  static FieldPlane rise_in(const h5::Handle& fields, const Grid& grid) {
    const Extent extent = extent_of_field(fields, "rise");
    require(extent.size() == 2, ExitCode::bad_input,
            fmt::format("its rise has {} axes: it must have [y, x]", extent.size()));
    const Factors factors{factor_along(0, extent[1], grid), factor_along(1, extent[0], grid), 1};
    FieldPlane given(extent[0] * extent[1]);
    h5::read_planes(h5::open_dataset(fields, "rise"), H5T_NATIVE_DOUBLE, {0, static_cast<int>(extent[0])},
                    given.data());
    if (factors == Factors{1, 1, 1}) return given;
    Grid of_file = grid;
    of_file.cells = {grid.cells[0] / factors[0], grid.cells[1] / factors[1], 1};
    CoarsePlanes planes(of_file, 1, [&](int) { return given; });
    planes.go_to(0);
    FieldPlane rise;
    rise.reserve(std::size_t(grid.cells[0]) * grid.cells[1]);
    for (int y = 0; y < grid.cells[1]; ++y)
      for (int x = 0; x < grid.cells[0]; ++x) {
        const int from_x = x / factors[0], from_y = y / factors[1];
        const auto slopes = planes.slopes_at(from_x, from_y, factors);
        rise.push_back(planes.at(from_x, from_y, 0)[0] +
                       from_middle(x % factors[0], factors[0]) * slopes[0][0] +
                       from_middle(y % factors[1], factors[1]) * slopes[1][0]);
      }
    return rise;
  }

  double wavelength(const Grid& grid) const override { return std::max(grid.length(0), grid.length(1)); }
  double least_wavenumber() const override { return 2 * std::numbers::pi / wavelength(setting_.grid); }

  std::string path_;
  std::shared_ptr<const std::vector<double>> rise_;
};

}  // namespace

ProblemEntry rt_surface() {
  return {.name = "rt_surface",
          .summary = "Rayleigh-Taylor growth from an interface of your own: its heights in an HDF5 file",
          .keys = [] { return std::make_unique<RtSurface>(); },
          .default_gravity = -1,
          .default_boundary = {Boundary::periodic, Boundary::periodic, Boundary::mirror}};
}

ProblemEntry file() {
  return {.name = "file", .summary = "a start of your own: the fields of an HDF5 file", .keys = [] {
            return std::make_unique<FileProblem>();
          }};
}

}  // namespace tayra::problems
