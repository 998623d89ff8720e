// What files are told of a flow under way.
#include "solver/output_fields.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "solver/staging.hpp"
#include "solver/trial.hpp"

namespace tayra::testing {
namespace {

/// Of fields with one number a cell, by the gas in that cell.
std::map<std::string, std::function<double(const Primitive&)>> values_of_gas(double gamma) {
  const auto square = [](const Vec3& u) { return u[0] * u[0] + u[1] * u[1] + u[2] * u[2]; };
  return {
      {"density", [](const Primitive& p) { return p.density; }},
      {"pressure", [](const Primitive& p) { return p.pressure; }},
      {"temperature", [](const Primitive& p) { return p.pressure / p.density; }},
      {"energy",
       [=](const Primitive& p) { return p.pressure / (gamma - 1) + 0.5 * p.density * square(p.velocity); }},
      {"mach",
       [=](const Primitive& p) { return std::sqrt(square(p.velocity) * p.density / (gamma * p.pressure)); }}};
}

/// Central differences of it are exact, in cells of any shape. Neither its curl nor its divergence is zero.
class LinearFlow final : public Problem {
 public:
  Primitive initial(const Point& point) const override {
    const auto [x, y, z] = point.offset;
    return {1 + 0.5 * x, {2 * z + y, 3 * x, 7 * y + 4 * z}, 10};
  }
};

/// Of vectors and of what is made of differences: all numbers of a cell.
std::map<std::string, std::function<std::vector<double>(const Primitive&)>> values_of_linear_flow() {
  return {
      {"velocity", [](const Primitive& p) { return std::vector(p.velocity.begin(), p.velocity.end()); }},
      {"momentum",
       [](const Primitive& p) {
         return std::vector{p.density * p.velocity[0], p.density * p.velocity[1], p.density * p.velocity[2]};
       }},
      {"vorticity", [](const Primitive&) {
         return std::vector<double>{7, 2, 3 - 1};
       }}};
}

TEST(OutputFields, HaveTheirValuesTested) {
  std::set<std::string> tested;
  for (const auto& [name, value] : values_of_gas(1.4)) tested.insert(name);
  for (const auto& [name, value] : values_of_linear_flow()) tested.insert(name);
  EXPECT_THAT(tested, ::testing::UnorderedElementsAreArray(output_field_names()))
      << "a new field belongs in values_of_gas or values_of_linear_flow";
}

/// Vorticity does not show it: of a velocity it takes the derivatives along the other axes.
TEST(CellAmongOthers, SeesItselfMoveTheOtherWayBeyondAMirror) {
  const Layout layout{2, 2, 2};
  const Slab<double> slab{.layout = layout,
                          .first_plane = 0,
                          .below = Beyond::mirror,
                          .above = Beyond::mirror,
                          .x = Boundary::mirror,
                          .y = RowsInBox::all(2, Boundary::mirror),
                          .spacing = {},
                          .background = nullptr};
  const Vector<double> spacing{{0.5, 0.25, 2}};
  for (int axis = 0; axis < 3; ++axis) {
    const double lower = 3, upper = 5;  // all components of the velocity of the two cells along the axis
    std::vector<double> u(layout.size(), 1);
    for (int z = 0; z < 2; ++z)
      for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 2; ++x)
          for (int component = 0; component < 3; ++component)
            u[layout.plane_start(z) + (1 + component) * layout.variable_stride() + 2 * y + x] =
                std::array{x, y, z}[axis] == 0 ? lower : upper;
    const FlowView<double> flow{slab, u.data(), 1.4, spacing};
    const CellAmongOthers<double> at_lower_wall(flow, 0, 0, 0), at_upper_wall(flow, 1, 1, 1);
    const double apart = 2 * spacing[axis];
    EXPECT_EQ(at_lower_wall.velocity_derivative(axis, axis), (upper + lower) / apart) << axis;
    EXPECT_EQ(at_upper_wall.velocity_derivative(axis, axis), (-upper - lower) / apart) << axis;
    const int along_the_wall = (axis + 1) % 3;
    EXPECT_EQ(at_lower_wall.velocity_derivative(along_the_wall, axis), (upper - lower) / apart) << axis;
    EXPECT_EQ(at_upper_wall.velocity_derivative(along_the_wall, axis), (upper - lower) / apart) << axis;
  }
}

class Fields : public ::testing::TestWithParam<SchemeAndPrecision> {
 protected:
  static constexpr int steps_before = 5, steps_after = 3;

  static SolverSettings settings_with(const std::array<Boundary, 3>& boundary) {
    return trial_settings(GetParam(), {19, 12, 23}, boundary);
  }

  static FieldChoice every_field(Precision precision) {
    FieldChoice choice{{}, precision, {{{1, 9, 2}, {0, 12, 1}, {2, 7, 3}}}};
    for (int i = 0; i < output_field_count; ++i) choice.fields.push_back(i);
    return choice;
  }

  static double rounding() { return GetParam().precision == Precision::single ? 1e-5 : 1e-13; }

  static void go_on(Simulation& simulation, std::int64_t steps) {
    for (const std::int64_t last = simulation.step() + steps; simulation.step() < last; simulation.finish())
      simulation.advance(last - simulation.step(), 1e300);
  }

  /// Fields of a flow that goes on while they are computed, in two blocks.
  static std::vector<std::byte> fields_of(const SolverSettings& settings, Precision precision) {
    const auto simulation = make_simulation(settings, Waves3d(Tumult::smooth, settings.gravity != 0));
    go_on(*simulation, steps_before);
    const FieldChoice choice = every_field(precision);
    const Buffer<std::byte> out(simulation->device(), 7 * choice.plane_bytes(), Memory::pinned);
    const Arrival lower = simulation->start_fields(choice, 0, 4, out.data());
    const Arrival upper = simulation->start_fields(choice, 4, 3, out.data() + 4 * choice.plane_bytes());
    go_on(*simulation, steps_after);
    lower.wait();
    upper.wait();
    return {out.data(), out.data() + out.bytes()};
  }

  static void expect_as_one_slab_on_the_cpu(SolverSettings settings, DeviceKind device) {
    for (const Precision precision : {Precision::single, Precision::double_}) {
      settings.device = DeviceKind::cpu;
      settings.slabs = 1;
      const auto expected = fields_of(settings, precision);
      settings.device = device;
      for (const int slabs : {1, 2, 3}) {
        settings.slabs = slabs;
        EXPECT_EQ(fields_of(settings, precision), expected) << description(settings);
      }
    }
  }
};

TEST_P(Fields, AreTheSameForAnyNumberOfSlabs) {
  for (const auto& boundary : all_boundaries())
    expect_as_one_slab_on_the_cpu(settings_with(boundary), DeviceKind::cpu);
}

/// By the names of files, of the problem's own state before the first step.
TEST_P(Fields, OfTheStartAreTheProblemsOverItsBackground) {
  SolverSettings settings = settings_with({Boundary::periodic, Boundary::periodic, Boundary::mirror});
  ASSERT_NE(settings.gravity, 0);
  settings.device = DeviceKind::cpu;
  settings.slabs = 2;
  const Waves3d problem(Tumult::smooth, true);
  const auto simulation = make_simulation(settings, problem);
  const auto [nx, ny, nz] = settings.grid.cells;
  const auto names = output_field_names();
  for (const auto& [name, value] : values_of_gas(settings.gamma)) {
    const int number = static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
    const FieldChoice choice{{number}, Precision::double_, {{{0, nx, 1}, {0, ny, 1}, {0, nz, 1}}}};
    std::vector<double> field(std::size_t(nx) * ny * nz);
    simulation->start_fields(choice, 0, nz, reinterpret_cast<std::byte*>(field.data())).wait();
    for (std::size_t i = 0; i < field.size(); ++i) {
      const int x = int(i % nx), y = int(i / nx % ny), z = int(i / nx / ny);
      const double exact = value(problem.initial(settings.grid.point(x, y, z)));
      ASSERT_NEAR(field[i], exact, rounding() * exact) << name << " at " << x << " " << y << " " << z;
    }
  }
}

TEST_P(Fields, OfALinearFlowAreItsVelocityMomentumAndCurlInTheCellsThatAreChosen) {
  SolverSettings settings = settings_with({Boundary::outflow, Boundary::outflow, Boundary::outflow});
  settings.gravity = 0;
  settings.slabs = 2;
  const LinearFlow problem;
  const auto simulation = make_simulation(settings, problem);
  const AxisSelection x{1, 3, 4}, y{2, 4, 2}, z{3, 3, 7};
  const auto names = output_field_names();
  for (const auto& [name, value] : values_of_linear_flow()) {
    const int number = static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
    const int components = output_fields()[number].components;
    std::vector<double> field(components * x.count * y.count * z.count);
    simulation
        ->start_fields({{number}, Precision::double_, {x, y, z}}, 0, z.count,
                       reinterpret_cast<std::byte*>(field.data()))
        .wait();
    for (int i = 0; i < x.count * y.count * z.count; ++i) {
      const Point point =
          settings.grid.point(x.at(i % x.count), y.at(i / x.count % y.count), z.at(i / x.count / y.count));
      const std::vector<double> exact = value(problem.initial(point));
      ASSERT_THAT(exact, ::testing::SizeIs(components)) << name;
      for (int n = 0; n < components; ++n)
        ASSERT_NEAR(field[components * i + n], exact[n], 100 * rounding()) << name << " " << i << " " << n;
    }
  }
}

TEST_P(Fields, HaveTheLeastPressureThatDiagnosticsHave) {
  SolverSettings settings = settings_with({Boundary::periodic, Boundary::periodic, Boundary::mirror});
  settings.device = DeviceKind::cpu;
  ASSERT_NE(settings.gravity, 0);
  const auto simulation = make_simulation(settings, Waves3d(Tumult::smooth, true));
  go_on(*simulation, steps_before);
  const auto names = output_field_names();
  const int number = static_cast<int>(std::find(names.begin(), names.end(), "pressure") - names.begin());
  const auto [nx, ny, nz] = settings.grid.cells;
  const FieldChoice choice{{number}, Precision::double_, {{{0, nx, 1}, {0, ny, 1}, {0, nz, 1}}}};
  const std::size_t plane = std::size_t(nx) * ny;
  std::vector<double> pressure(plane * nz);
  simulation->start_fields(choice, 0, nz, reinterpret_cast<std::byte*>(pressure.data())).wait();
  const auto sums = simulation->plane_sums();
  for (int z = 0; z < nz; ++z) {
    const auto first = pressure.begin() + static_cast<std::ptrdiff_t>(z * plane);
    EXPECT_EQ(*std::min_element(first, first + static_cast<std::ptrdiff_t>(plane)), sums[z].min_pressure)
        << z;
  }
}

class GpuFields : public Fields {};

TEST_P(GpuFields, AreThoseOfTheCpuToTheLastBit) {
  if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
  for (const auto& boundary : all_boundaries())
    expect_as_one_slab_on_the_cpu(settings_with(boundary), DeviceKind::cuda);
}

class FullGpuFields : public Fields {};

TEST_P(FullGpuFields, AreTheSame) {
  if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
  SolverSettings settings = settings_with(all_boundaries().front());
  settings.halo = "host";  // one that needs no memory on the GPU
  const Buffer<std::byte> taken({DeviceKind::cuda, 0}, free_gpu_memory(0) - Staging::spared / 2);
  expect_as_one_slab_on_the_cpu(settings, DeviceKind::cuda);
}

const std::vector<SchemeAndPrecision> both_precisions{{"roe3", Precision::double_},
                                                      {"roe3", Precision::single}};
INSTANTIATE_TEST_SUITE_P(Both, Fields, ::testing::ValuesIn(both_precisions), test_name);
INSTANTIATE_TEST_SUITE_P(Both, GpuFields, ::testing::ValuesIn(both_precisions), test_name);
INSTANTIATE_TEST_SUITE_P(Both, FullGpuFields, ::testing::ValuesIn(both_precisions), test_name);

}  // namespace
}  // namespace tayra::testing
