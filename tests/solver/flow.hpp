// A problem under way: what the tests of the solver share to start it, run it and read it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "solver/problem_maker.hpp"
#include "solver/simulation.hpp"

namespace tayra::testing {

/// What happened in all steps since the start.
struct Course {
  std::uint64_t limited_faces = 0;
  bool stayed_a_gas = true;
};

class Flow {
 public:
  Flow(const std::string& problem, const SolverSettings& settings, const Keys& keys = {})
      : settings_(settings),
        problem_(
            make_problem(problem, {settings.grid, settings.gamma, settings.gravity, settings.scalars}, keys)),
        simulation_(make_simulation(settings, *problem_)) {}

  const Grid& grid() const { return settings_.grid; }
  const Problem& problem() const { return *problem_; }
  Simulation& simulation() { return *simulation_; }
  const Course& course() const { return course_; }

  void run_until(double time) { run(1'000'000'000, time); }
  void run_steps(std::int64_t count) { run(simulation_->step() + count, 1e300); }

  /// Density, momentum, energy and scalars of all cells, [z][variable][y][x].
  std::vector<double> state() {
    std::vector<double> all(variables() * plane_cells() * grid().cells[2]);
    simulation_->read_planes(0, grid().cells[2], all);
    return all;
  }
  std::size_t variables() const { return 5 + settings_.scalars.size(); }
  std::size_t plane_cells() const { return std::size_t(grid().cells[0]) * grid().cells[1]; }
  std::size_t place(int variable, int x, int y, int z) const {
    return (variables() * z + variable) * plane_cells() + std::size_t(y) * grid().cells[0] + x;
  }

 private:
  void run(std::int64_t last_step, double until) {
    while (simulation_->step() < last_step && simulation_->time() < until && course_.stayed_a_gas) {
      simulation_->advance(last_step - simulation_->step(), until);
      for (const StepRecord& record : simulation_->finish()) {
        course_.limited_faces += record.limited_faces;
        if (record.bad_cell) course_.stayed_a_gas = false;
      }
    }
  }

  SolverSettings settings_;
  std::unique_ptr<Problem> problem_;
  std::unique_ptr<Simulation> simulation_;
  Course course_;
};

inline SolverSettings settings_of(const std::string& problem, const std::string& scheme,
                                  std::array<int, 3> cells, Vec3 upper = {1, 1, 1}) {
  const ProblemSetting setting = setting_of(problem, cells, upper);
  SolverSettings settings;
  settings.grid = setting.grid;
  settings.gravity = setting.gravity;
  settings.gamma = setting.gamma;
  settings.scheme = scheme;
  return settings;
}

inline std::array<double, 5> conserved(const Primitive& gas, double gamma) {
  const Vec3& u = gas.velocity;
  const double kinetic = 0.5 * gas.density * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  return {gas.density, gas.density * u[0], gas.density * u[1], gas.density * u[2],
          gas.pressure / (gamma - 1) + kinetic};
}

}  // namespace tayra::testing
