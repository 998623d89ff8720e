// Starts from HDF5 files: the same bits on the same grid, the same mass, momentum and energy on a finer one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "io/hdf5.hpp"
#include "io/temporary_directory.hpp"
#include "solver/problem_maker.hpp"

namespace tayra::testing {
namespace {

using ::testing::HasSubstr;

void write_field(hid_t file, const std::string& name, const std::vector<hsize_t>& sizes,
                 const std::vector<double>& values) {
  h5::Handle dataset = h5::create_dataset(file, name, H5T_IEEE_F64LE, sizes, h5::dataset_settings());
  h5::check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "write");
  dataset.close("close");
}

using Start = std::function<Primitive(const Point&)>;

class StartFile : public ::testing::Test {
 protected:
  StartFile() { h5::prepare(); }

  std::string written(const Grid& grid, const Start& start) const {
    std::vector<double> density, pressure, velocity, fraction;
    each_cell(grid, [&](const Point& point) {
      const Primitive gas = start(point);
      density.push_back(gas.density);
      pressure.push_back(gas.pressure);
      fraction.push_back(gas.scalars[0]);
      velocity.insert(velocity.end(), gas.velocity.begin(), gas.velocity.end());
    });
    h5::Handle file = h5::create_file(path_, h5::Format::widely_read);
    std::vector<hsize_t> sizes{hsize_t(grid.cells[2]), hsize_t(grid.cells[1]), hsize_t(grid.cells[0])};
    write_field(file, "density", sizes, density);
    write_field(file, "pressure", sizes, pressure);
    write_field(file, heavy_scalar, sizes, fraction);
    sizes.push_back(3);
    write_field(file, "velocity", sizes, velocity);
    h5::flush_and_close(file);
    return path_;
  }

  /// The interface of rt_single, one high.
  void write_rise(const Grid& grid) const {
    std::vector<double> rise;
    for (int y = 0; y < grid.cells[1]; ++y)
      for (int x = 0; x < grid.cells[0]; ++x) {
        const Vec3 at = grid.point(x, y, 0).offset;
        rise.push_back(std::cos(2 * M_PI * at[0]) * std::cos(2 * M_PI * at[1]));
      }
    h5::Handle file = h5::create_file(path_, h5::Format::widely_read);
    write_field(file, "rise", {hsize_t(grid.cells[1]), hsize_t(grid.cells[0])}, rise);
    h5::flush_and_close(file);
  }

  template <class Do>
  static void each_cell(const Grid& grid, const Do& act) {
    for (int z = 0; z < grid.cells[2]; ++z)
      for (int y = 0; y < grid.cells[1]; ++y)
        for (int x = 0; x < grid.cells[0]; ++x) act(grid.point(x, y, z));
  }

  /// Mass, momentum and energy in the box.
  static std::array<double, 5> totals(const Grid& grid, double gamma, const Start& start) {
    std::array<double, 5> sums{};
    const double volume = grid.spacing(0) * grid.spacing(1) * grid.spacing(2);
    each_cell(grid, [&](const Point& point) {
      const Primitive gas = start(point);
      sums[0] += volume * gas.density;
      double squares = 0;
      for (int i = 0; i < 3; ++i) {
        sums[1 + i] += volume * gas.density * gas.velocity[i];
        squares += gas.velocity[i] * gas.velocity[i];
      }
      sums[4] += volume * (gas.pressure / (gamma - 1) + 0.5 * gas.density * squares);
    });
    return sums;
  }

  TemporaryDirectory folder_;
  const std::string path_ = folder_.path("start.h5");
};

Start of(const Problem& problem) {
  return [&problem](const Point& point) { return problem.initial(point); };
}

TEST_F(StartFile, GivesTheStartThatWasWrittenToTheBit) {
  for (const char* name : {"vortex", "rt_multi"}) {
    const ProblemSetting setting = setting_of(name, {20, 18, 6}, {1, 1, 2});
    const auto problem = make_problem(name, setting);
    const auto file = make_problem("file", setting, {{"path", written(setting.grid, of(*problem))}});
    each_cell(setting.grid, [&](const Point& point) {
      const Primitive expected = problem->initial(point), found = file->initial(point);
      ASSERT_EQ(expected.density, found.density) << name;
      ASSERT_EQ(expected.velocity, found.velocity) << name;
      ASSERT_EQ(expected.pressure, found.pressure) << name;
    });
  }
}

TEST_F(StartFile, KeepsMassMomentumAndEnergyOnAFinerGrid) {
  const ProblemSetting coarse = setting_of("vortex", {12, 10, 4});
  const auto problem = make_problem("vortex", coarse);
  written(coarse.grid, of(*problem));
  const auto before = totals(coarse.grid, coarse.gamma, of(*problem));
  for (const std::array<int, 3> cells : {std::array{24, 20, 8}, {36, 10, 12}}) {
    ProblemSetting fine = coarse;
    fine.grid.cells = cells;
    const auto file = make_problem("file", fine, {{"path", path_}});
    const auto after = totals(fine.grid, fine.gamma, of(*file));
    for (int i = 0; i < 5; ++i) EXPECT_NEAR(after[i], before[i], 1e-13);
    // And comes close to the flow itself.
    double worst = 0;
    const auto exact = make_problem("vortex", fine);
    each_cell(fine.grid, [&](const Point& point) {
      worst = std::max(worst, std::abs(file->initial(point).density - exact->initial(point).density));
    });
    EXPECT_LT(worst, 0.07);
    EXPECT_GT(worst, 0);
  }
}

TEST_F(StartFile, KeepsWhatTheMassCarries) {
  ProblemSetting coarse = setting_of("rt_multi", {20, 18, 12}, {1, 1, 2});
  coarse.scalars = {heavy_scalar};
  const auto problem = make_problem("rt_multi", coarse, {{"amplitude", 0.1}});
  written(coarse.grid, of(*problem));
  const auto carried = [&](const Grid& grid, const Problem& start) {
    double sum = 0;
    each_cell(grid, [&](const Point& point) {
      const Primitive gas = start.initial(point);
      EXPECT_TRUE(is_gas(gas));
      sum += gas.density * gas.scalars[0] * (grid.spacing(0) * grid.spacing(1) * grid.spacing(2));
    });
    return sum;
  };
  const double before = carried(coarse.grid, *problem);
  const auto same = make_problem("file", coarse, {{"path", path_}});
  each_cell(coarse.grid, [&](const Point& point) {
    ASSERT_EQ(same->initial(point).scalars[0], problem->initial(point).scalars[0]);
  });
  for (const std::array<int, 3> cells : {std::array{40, 36, 24}, {60, 18, 36}}) {
    ProblemSetting fine = coarse;
    fine.grid.cells = cells;
    EXPECT_NEAR(carried(fine.grid, *make_problem("file", fine, {{"path", path_}})), before, 1e-12);
  }
}

TEST_F(StartFile, LeavesGasAtRestAtRestOnAFinerGrid) {
  ProblemSetting coarse = setting_of("hydrostatic", {4, 4, 16}, {1, 1, 2});
  const Keys rest{{"background.density", text("exp(-z)")}, {"background.pressure", 1.}};
  const auto problem = make_problem("formula", coarse, rest);
  written(coarse.grid, of(*problem));
  ProblemSetting fine = coarse;
  fine.grid.cells = {8, 4, 48};
  Keys keys = rest;
  keys.push_back({"path", path_});
  const auto file = make_problem("file", fine, keys);
  const auto sums = totals(coarse.grid, coarse.gamma, of(*problem)),
             found = totals(fine.grid, fine.gamma, of(*file));
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(found[i], sums[i], 1e-13);
  // What the cells' means differ by, of second order in their height, and nothing more.
  each_cell(fine.grid, [&](const Point& point) {
    const Background at_rest = file->background(point.position[2]);
    EXPECT_NEAR(file->initial(point).density, at_rest.density, 6e-4);
    EXPECT_NEAR(file->initial(point).pressure, at_rest.pressure, 6e-4);
    EXPECT_EQ(file->initial(point).velocity, (Vec3{0, 0, 0}));
  });
}

TEST_F(StartFile, RisesAsAnInterfaceOfOnesOwn) {
  const ProblemSetting setting = setting_of("rt_single", {12, 8, 20}, {1, 1, 2});
  const Keys layers{{"thickness", 0.15}, {"pressure", 8.}, {"amplitude", 0.02}};
  const auto problem = make_problem("rt_single", setting, layers);
  write_rise(setting.grid);
  Keys keys = layers;
  keys.push_back({"path", path_});
  const auto surface = make_problem("rt_surface", setting, keys);
  each_cell(setting.grid, [&](const Point& point) {
    EXPECT_NEAR(surface->initial(point).density, problem->initial(point).density, 1e-15);
    EXPECT_EQ(surface->initial(point).pressure, problem->initial(point).pressure);
  });
  EXPECT_EQ(surface->layers()->interface_height, problem->layers()->interface_height);
  keys[2].second = Setting(1.5);
  EXPECT_THAT(refusal("rt_surface", setting, keys),
              ::testing::StartsWith("amplitude: the interface would reach 1.3"));
  keys[2].second = Setting(0.02);
  ProblemSetting other = setting;
  other.grid.cells = {8, 12, 20};
  EXPECT_THAT(refusal("rt_surface", other, keys),
              HasSubstr("has 12 cells along x, grid.cells 8: take a whole multiple"));
}

TEST_F(StartFile, RisesAsAnInterfaceOfItsOwnOnAFinerGridToo) {
  const ProblemSetting coarse = setting_of("rt_single", {24, 16, 20}, {1, 1, 2});
  const Keys layers{{"thickness", 0.15}, {"pressure", 8.}, {"amplitude", 0.02}};
  write_rise(coarse.grid);
  Keys keys = layers;
  keys.push_back({"path", path_});
  ProblemSetting fine = coarse;
  fine.grid.cells = {48, 48, 20};
  const auto surface = make_problem("rt_surface", fine, keys),
             exact = make_problem("rt_single", fine, layers),
             in_steps = make_problem("rt_single", coarse, layers);
  double worst = 0, worst_in_steps = 0;
  for (int z = 0; z < 20; ++z)
    for (int y = 0; y < 48; ++y)
      for (int x = 0; x < 48; ++x) {
        const Point point = fine.grid.point(x, y, z);
        const double expected = exact->initial(point).density;
        worst = std::max(worst, std::abs(surface->initial(point).density - expected));
        const Point parent = coarse.grid.point(x / 2, y / 3, z);
        worst_in_steps = std::max(worst_in_steps, std::abs(in_steps->initial(parent).density - expected));
      }
  EXPECT_LT(worst, 0.4 * worst_in_steps);
}

TEST_F(StartFile, SaysWhatIsWrongWithAFile) {
  const ProblemSetting setting = setting_of("file", {8, 8, 8});
  const auto said = [&](const ProblemSetting& of) { return refusal("file", of, {{"path", path_}}); };
  EXPECT_THAT(said(setting), AllOf(HasSubstr("path: " + path_), HasSubstr("open")));
  std::ofstream(path_) << "no HDF5";
  EXPECT_THAT(said(setting), HasSubstr("path: " + path_));
  h5::Handle empty = h5::create_file(path_, h5::Format::widely_read);
  write_field(empty, "rho", {1}, {1});
  h5::flush_and_close(empty);
  EXPECT_THAT(said(setting), HasSubstr("has no dataset 'density' (it has: rho)"));
  written(setting.grid, [](const Point&) { return Primitive{}; });
  ProblemSetting other = setting;
  other.grid.cells = {8, 12, 8};
  EXPECT_THAT(said(other), HasSubstr("has 8 cells along y, grid.cells 12: take a whole multiple"));
}

}  // namespace
}  // namespace tayra::testing
