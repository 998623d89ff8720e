// Reads the planes around the cell back and puts them into a table.
#include "app/bad_cell.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

/// Read back from the device.
CellState state_of(const CellPlace& cell, Simulation& simulation, const SolverSettings& settings) {
  const std::size_t nx = settings.grid.cells[0], plane = nx * settings.grid.cells[1];
  std::vector<double> values(settings.variables() * plane);
  simulation.read_planes(cell[2], 1, values);
  const auto value = [&](int variable) { return values[variable * plane + cell[1] * nx + cell[0]]; };
  const State<double> state{value(0), {{value(1), value(2), value(3)}}, value(4)};
  const double momentum = std::hypot(state.momentum[0], state.momentum[1], state.momentum[2]);
  return {state.density, momentum / state.density, whole_pressure(state, 0, settings.gamma)};
}

std::string number_text(double number) {
  return std::isnan(number) ? "not a number" : fmt::format("{:.5g}", number);
}

/// The cell, and those whose faces it shares.
std::string table(const CellPlace& centre, Simulation& simulation, const SolverSettings& settings) {
  std::vector<CellPlace> cells{centre};
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {-1, 1}) {
      CellPlace neighbour = centre;
      neighbour[axis] += side;
      if (neighbour[axis] >= 0 && neighbour[axis] < settings.grid.cells[axis]) cells.push_back(neighbour);
    }
  constexpr const char* row = "  {:>20}  {:>12}  {:>12}  {:>12}\n";
  std::string text = fmt::format(row, "cell", "density", "pressure", "speed");
  for (const CellPlace& cell : cells) {
    const CellState state = state_of(cell, simulation, settings);
    text += fmt::format(row, fmt::format("({})", fmt::join(cell, ", ")), number_text(state.density),
                        number_text(state.pressure), number_text(state.speed));
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
  const CellState state = state_of(cell, simulation, settings);
  return fmt::format(
      "step {}, time {:.6g}: the flow broke down in cell ({}, {}, {}) at ({:.5g}, {:.5g}, {:.5g}) with "
      "density {} and pressure {}: {}\n{}",
      record.step, record.time, cell[0], cell[1], cell[2], position[0], position[1], position[2],
      number_text(state.density), number_text(state.pressure), advice(settings),
      table(cell, simulation, settings));
}

}  // namespace tayra
