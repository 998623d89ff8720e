// Short runs of flows that touch every branch of a step, and all that can be compared about them.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "solver/simulation.hpp"

namespace tayra::testing {

enum class Tumult { smooth, violent };

/// Waves across all axes that fit no boundary, over a hydrostatic background where there is gravity. The
/// violent ones jump in density and pressure, so that the positivity limiter has work.
class Waves3d final : public Problem {
 public:
  Waves3d(Tumult tumult, bool background) : violent_(tumult == Tumult::violent), background_(background) {}

  Primitive initial(const Point& point) const override {
    const auto [x, y, z] = point.offset;
    const double a = std::sin(7 * x + 2 * y - 3 * z + 0.3);
    const double b = std::sin(3 * x - 5 * y + 6 * z + 1);
    const double c = std::cos(4 * x + 3 * y + 5 * z);
    const double pressure = 0.3 + (background_ ? background(point.position[2]).pressure : 0);
    Primitive gas;
    if (violent_)
      gas = {(a > 0.2 ? 1 : 0.03) * (1 + 0.2 * b),
             {0.8 * b, 0.8 * c, 0.8 * a * b},
             pressure * (b > 0.3 ? 1 : 0.05) * (1 + 0.3 * c)};
    else
      gas = {1 + 0.1 * a, {0.2 * b, 0.2 * c, 0.2 * a * b}, pressure * (1 + 0.1 * c)};
    gas.scalars = {constant_scalar, c > 0 ? 1. : 0., 0.5 + 0.5 * b, a > 0.2 ? 1. : 0.};
    return gas;
  }
  /// The first, if any are carried; the second jumps where the gas doesn't.
  static constexpr double constant_scalar = 0.3;
  Background background(double z) const override {
    if (!background_) return {};
    return {0.5, 1 - 0.5 * z};
  }

 private:
  bool violent_;
  bool background_;
};

struct Trial {
  std::vector<double> state;  // [z][variable][y][x]
  std::vector<StepRecord> records;
};

inline Trial run_trial(const SolverSettings& settings, const Problem& problem, int steps) {
  const auto simulation = make_simulation(settings, problem);
  Trial trial;
  while (simulation->step() < steps) {
    simulation->advance(steps - simulation->step(), 1e300);
    const auto records = simulation->finish();
    if (records.empty() || records.back().bad_cell) {
      ADD_FAILURE() << "the flow broke down after step " << simulation->step();
      break;
    }
    trial.records.insert(trial.records.end(), records.begin(), records.end());
  }
  const auto [nx, ny, nz] = settings.grid.cells;
  trial.state.resize((5 + settings.scalars.size()) * std::size_t(nx) * ny * nz);
  simulation->read_planes(0, nz, trial.state);
  return trial;
}

inline Trial run_trial(const SolverSettings& settings, Tumult tumult, int steps) {
  return run_trial(settings, Waves3d(tumult, settings.gravity != 0), steps);
}

inline std::uint64_t limited_faces(const Trial& trial) {
  std::uint64_t sum = 0;
  for (const StepRecord& record : trial.records) sum += record.limited_faces;
  return sum;
}

/// State, time steps and touched faces, to the last bit.
inline void expect_same(const Trial& one, const Trial& other, const std::string& what) {
  EXPECT_EQ(one.records.size(), other.records.size()) << what;
  for (std::size_t i = 0; i < std::min(one.records.size(), other.records.size()); ++i) {
    EXPECT_EQ(one.records[i].dt, other.records[i].dt) << what << ", step " << i + 1;
    EXPECT_EQ(one.records[i].time, other.records[i].time) << what << ", step " << i + 1;
    EXPECT_EQ(one.records[i].limited_faces, other.records[i].limited_faces) << what << ", step " << i + 1;
  }
  ASSERT_EQ(one.state.size(), other.state.size()) << what;
  std::size_t different = 0;
  for (std::size_t i = 0; i < one.state.size(); ++i) different += one.state[i] != other.state[i];
  EXPECT_EQ(different, 0u) << what << ": numbers that differ, of " << one.state.size();
}

struct SchemeAndPrecision {
  std::string scheme;
  Precision precision;
};

inline std::ostream& operator<<(std::ostream& out, const SchemeAndPrecision& one) {
  return out << one.scheme << " in " << name_of(one.precision);
}

inline std::vector<SchemeAndPrecision> all_schemes_and_precisions() {
  std::vector<SchemeAndPrecision> all;
  for (const auto& scheme : scheme_names())
    for (const Precision precision : {Precision::double_, Precision::single})
      all.push_back({scheme, precision});
  return all;
}

inline std::string test_name(const ::testing::TestParamInfo<SchemeAndPrecision>& one) {
  return one.param.scheme + (one.param.precision == Precision::single ? "Single" : "Double");
}

/// Every kind on every axis, alike on all of them and mixed.
inline std::vector<std::array<Boundary, 3>> all_boundaries() {
  const std::array kinds{Boundary::periodic, Boundary::mirror, Boundary::outflow};
  std::vector<std::array<Boundary, 3>> all;
  for (int i = 0; i < 3; ++i) {
    all.push_back({kinds[i], kinds[i], kinds[i]});
    all.push_back({kinds[i], kinds[(i + 1) % 3], kinds[(i + 2) % 3]});
  }
  return all;
}

/// With gravity and its background wherever z has an up and a down.
inline SolverSettings trial_settings(const SchemeAndPrecision& choice, const std::array<int, 3>& cells,
                                     const std::array<Boundary, 3>& boundary) {
  SolverSettings settings;
  settings.grid = {.cells = cells, .upper = {1, 1.2, 0.9}, .boundary = boundary};
  settings.scheme = choice.scheme;
  settings.precision = choice.precision;
  settings.gravity = boundary[2] == Boundary::periodic ? 0 : -1;
  settings.cfl = 0.4;
  return settings;
}

inline std::string description(const SolverSettings& settings) {
  std::string text;
  for (const int count : settings.grid.cells) text += std::to_string(count) + " ";
  for (const Boundary boundary : settings.grid.boundary) text += "pmo"[int(boundary)];
  return text + ", slabs " + std::to_string(settings.slabs);
}

}  // namespace tayra::testing
