// Reads the planes around the cell back and puts them into a table.
#include "app/bad_cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "physics/gas.hpp"

namespace tayra {
namespace {

using CellPlace = std::array<int, 3>;

CellPlace cell_at(std::int64_t index, const Grid& grid) {
  const std::int64_t nx = grid.cells[0];
  const std::int64_t ny = grid.cells[1];
  return {static_cast<int>(index % nx), static_cast<int>(index / nx % ny),
          static_cast<int>(index / (nx * ny))};
}

struct CellState {
  double density;
  double speed;
  double pressure;
};

/// The planes around a cell, read back from the device.
class Neighbourhood {
 public:
  Neighbourhood(Simulation& simulation, const SolverSettings& settings, const CellPlace& centre)
      : settings_(settings), first_(std::max(0, centre[2] - 1)) {
    const Grid& grid = settings.grid;
    const int count = std::min(grid.cells[2], centre[2] + 2) - first_;
    values_.resize(plane_size() * 5 * static_cast<std::size_t>(count));
    simulation.read_planes(first_, count, values_);
  }

  CellState at(const CellPlace& cell) const {
    const State<double> state{
        value(cell, 0), {{value(cell, 1), value(cell, 2), value(cell, 3)}}, value(cell, 4)};
    const double momentum = std::hypot(state.momentum[0], state.momentum[1], state.momentum[2]);
    return {state.density, momentum / state.density, whole_pressure(state, 0, settings_.gamma)};
  }

 private:
  std::size_t plane_size() const {
    return static_cast<std::size_t>(settings_.grid.cells[0]) *
           static_cast<std::size_t>(settings_.grid.cells[1]);
  }
  double value(const CellPlace& cell, int variable) const {  // [z][variable][y][x]
    const auto plane = static_cast<std::size_t>((cell[2] - first_) * 5 + variable);
    const auto row = static_cast<std::size_t>(cell[1]) * static_cast<std::size_t>(settings_.grid.cells[0]);
    return values_[plane * plane_size() + row + static_cast<std::size_t>(cell[0])];
  }

  const SolverSettings& settings_;
  int first_;
  std::vector<double> values_;
};

std::string number_text(double number) {
  return std::isnan(number) ? "not a number" : fmt::format("{:.5g}", number);
}

std::string row(const CellPlace& cell, const CellState& state) {
  return fmt::format("  {:>20}  {:>12}  {:>12}  {:>12}\n",
                     fmt::format("({}, {}, {})", cell[0], cell[1], cell[2]), number_text(state.density),
                     number_text(state.pressure), number_text(state.speed));
}

std::string table(const Neighbourhood& near, const Grid& grid, const CellPlace& centre) {
  std::string text =
      fmt::format("  {:>20}  {:>12}  {:>12}  {:>12}\n", "cell", "density", "pressure", "speed");
  text += row(centre, near.at(centre));
  for (int axis = 0; axis < 3; ++axis) {
    for (const int side : {-1, 1}) {
      CellPlace neighbour = centre;
      neighbour[axis] += side;
      if (neighbour[axis] >= 0 && neighbour[axis] < grid.cells[axis])
        text += row(neighbour, near.at(neighbour));
    }
  }
  return text;
}

/// What helps most first; a finer grid need not.
std::string advice(const SolverSettings& settings) {
  std::string text;
  if (!settings.positivity) text += "switch numerics.positivity on (it is off), or ";
  if (settings.scheme != "muscl")
    text += fmt::format("take numerics.scheme muscl (it is {}), or ", settings.scheme);
  return text + (settings.fixed_dt ? fmt::format("lower numerics.dt (it is {})", *settings.fixed_dt)
                                   : fmt::format("lower numerics.cfl (it is {})", settings.cfl));
}

}  // namespace

std::string describe_bad_cell(Simulation& simulation, const SolverSettings& settings,
                              const StepRecord& record) {
  const CellPlace cell = cell_at(*record.bad_cell, settings.grid);
  const Vec3 position = settings.grid.point(cell[0], cell[1], cell[2]).position;
  const Neighbourhood near(simulation, settings, cell);
  const CellState state = near.at(cell);
  return fmt::format(
      "step {}, time {:.6g}: the flow broke down in cell ({}, {}, {}) at ({:.5g}, {:.5g}, {:.5g}) with "
      "density {} and pressure {}: {}\n{}",
      record.step, record.time, cell[0], cell[1], cell[2], position[0], position[1], position[2],
      number_text(state.density), number_text(state.pressure), advice(settings),
      table(near, settings.grid, cell));
}

}  // namespace tayra
