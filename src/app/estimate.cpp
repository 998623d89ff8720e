// Samples the start on the CPU.
#include "app/estimate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

namespace tayra {
namespace {

int sampling_stride(const Grid& grid) {
  constexpr double most_points = 1e6;
  const double cells = grid.cell_count();
  return std::max(1, static_cast<int>(std::ceil(std::cbrt(cells / most_points))));
}

/// Before any other number of the start is looked at.
void require_gas(const Config& config, const Problem& problem) {
  const Grid& grid = config.solver.grid;
  const int stride = sampling_stride(grid);
  std::array<int, 3> first = grid.cells;
#pragma omp parallel for
  for (int z = 0; z < grid.cells[2]; z += stride)
    for (int y = 0; y < grid.cells[1]; y += stride)
      for (int x = 0; x < grid.cells[0]; x += stride)
        if (!is_gas(problem.initial(grid.point(x, y, z))))
#pragma omp critical
          if (std::array{z, y, x} < std::array{first[2], first[1], first[0]}) first = {x, y, z};
  if (first != grid.cells)
    throw config_error(config, ExitCode::bad_input, "problem.name",
                       no_gas(problem.initial(grid.point(first[0], first[1], first[2])), grid, first));
}

double sound_speed(const Primitive& state, double gamma) {
  return std::sqrt(gamma * state.pressure / state.density);
}

double speed(const Primitive& gas) { return std::hypot(gas.velocity[0], gas.velocity[1], gas.velocity[2]); }

double crossings(const Primitive& state, const ProblemSetting& setting) {
  const double sound = sound_speed(state, setting.gamma);
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis)
    sum += (std::abs(state.velocity[axis]) + sound) * setting.grid.inverse_spacing(axis);
  return sum;
}

struct Extremes {
  double least, most;
};

/// Of a number in all cells that are looked at.
template <class Number>
Extremes extremes(const Problem& problem, const Grid& grid, Number number_in) {
  const int stride = sampling_stride(grid);
  double least = std::numeric_limits<double>::infinity(), most = 0;
#pragma omp parallel for reduction(min : least) reduction(max : most)
  for (int z = 0; z < grid.cells[2]; z += stride)
    for (int y = 0; y < grid.cells[1]; y += stride)
      for (int x = 0; x < grid.cells[0]; x += stride) {
        const double number = number_in(problem.initial(grid.point(x, y, z)));
        least = std::min(least, number);
        most = std::max(most, number);
      }
  return {least, most};
}

/// Leaves room for small Mach numbers, and for shocks.
constexpr Extremes range_of(Precision precision) {
  return precision == Precision::single ? Extremes{1e-30, 1e30} : Extremes{1e-300, 1e300};
}

void require_box_holds(const Config& config) {
  const Grid& grid = config.solver.grid;
  const auto require_in = [&](Precision precision, const char* what, double size) {
    const Extremes range = range_of(precision);
    if (size >= range.least && size <= range.most) return;
    throw config_error(config, ExitCode::bad_input,
                       config.places.contains("grid.upper") ? "grid.upper" : "grid.lower",
                       fmt::format("{} is {:.3g} (at least {:.0g}, at most {:.0g}): take a unit of length in "
                                   "which it is nearer to 1",
                                   what, size, range.least, range.most));
  };
  double of_box = 1, of_cell = 1;
  for (int axis = 0; axis < 3; ++axis) {
    require_in(config.solver.precision, "the side of a cell", grid.spacing(axis));
    of_box *= grid.length(axis);
    of_cell *= grid.spacing(axis);
  }
  // Diagnostics are integrals, in double in any case.
  require_in(Precision::double_, "the volume of the box", of_box);
  require_in(Precision::double_, "the volume of a cell", of_cell);
}

/// Whether numbers of the start keep within what a key gives them.
struct Holding {
  const Config& config;
  const Problem& problem;
  std::string key;
  Precision precision;
  std::string remedy;

  /// `what`: "pressure that", "flow whose pressure".
  template <class Number>
  void require_in(const Extremes& allowed, const char* what, Number number) const {
    const Extremes range = extremes(problem, config.solver.grid, number);
    if (range.least >= allowed.least && range.most <= allowed.most) return;
    throw config_error(
        config, ExitCode::bad_input, key,
        fmt::format("{} can't hold a {} goes from {:.3g} to {:.3g} (at least {:.0g}, at most {:.0g}): {}",
                    name_of(precision), what, range.least, range.most, allowed.least, allowed.most, remedy));
  }
};

/// The square of a momentum at the speed of sound, and the flux of energy, at rest and in flight.
void require_flow_holds(const Config& config, const Problem& problem) {
  const Precision precision = config.solver.precision;
  const Extremes allowed = range_of(precision);
  const Holding flow{config, problem, "numerics.precision", precision,
                     std::string("take units in which it is nearer to 1") +
                         (precision == Precision::single ? ", or double"
                                                         : " (see physics.gravity and the keys of problem)")};
  flow.require_in(allowed, "flow whose density times pressure",
                  [](const Primitive& gas) { return gas.density * gas.pressure; });
  flow.require_in(allowed, "flow whose pressure times speed of sound",
                  [&](const Primitive& gas) { return gas.pressure * sound_speed(gas, config.solver.gamma); });
  flow.require_in({0, allowed.most}, "flow whose density times speed cubed",
                  [](const Primitive& gas) { return gas.density * std::pow(speed(gas), 3); });
}

/// Fields that are known to hold are left out: of many parts of the box each would search the whole flow.
void require_snapshot_holds(const Config& config, const Problem& problem, const std::string& section,
                            const SnapshotSettings& snapshot, std::set<std::string>& known) {
  if (snapshot.precision != Precision::single) return;
  // Files hold the numbers themselves, no products; two decades are left for what the flow makes of the
  // start.
  constexpr Extremes of_files{1e-36, 1e36}, at_rest_too{0, of_files.most};
  const Holding file{config, problem, section + ".precision", Precision::single,
                     "set double, or take units in which it is nearer to 1"};
  const auto has = [&](const char* field) {
    return !known.contains(field) &&
           std::find(snapshot.fields.begin(), snapshot.fields.end(), field) != snapshot.fields.end();
  };
  if (has("density"))
    file.require_in(of_files, "density that", [](const Primitive& gas) { return gas.density; });
  if (has("pressure") || has("energy"))
    file.require_in(of_files, "pressure that", [](const Primitive& gas) { return gas.pressure; });
  if (has("energy"))
    file.require_in(at_rest_too, "kinetic energy that",
                    [](const Primitive& gas) { return 0.5 * gas.density * speed(gas) * speed(gas); });
  if (has("velocity")) file.require_in(at_rest_too, "speed that", speed);
  if (has("momentum"))
    file.require_in(at_rest_too, "momentum that",
                    [](const Primitive& gas) { return gas.density * speed(gas); });
  known.insert(snapshot.fields.begin(), snapshot.fields.end());
}

/// What pressure carries of the weight of the gas, in the mean of all columns: 1 in balance. Whatever the
/// start does on a smaller scale, a wave or a bubble, is the user's to say.
double carried_share(const Problem& problem, const ProblemSetting& setting) {
  const Grid& grid = setting.grid;
  const int stride = sampling_stride(grid);
  const auto plane_mean = [&](int z) {
    Background mean;
    double points = 0;
    for (int y = 0; y < grid.cells[1]; y += stride)
      for (int x = 0; x < grid.cells[0]; x += stride, ++points) {
        const Primitive gas = problem.initial(grid.point(x, y, z));
        mean.density += gas.density;
        mean.pressure += gas.pressure;
      }
    return Background{mean.density / points, mean.pressure / points};
  };
  const Background lowest = plane_mean(0);
  Background below = lowest;
  double weight = 0;
  for (int z = stride; z < grid.cells[2]; z += stride) {
    const Background here = plane_mean(z);
    weight += 0.5 * (below.density + here.density) * setting.gravity * stride * grid.spacing(2);
    below = here;
  }
  return (below.pressure - lowest.pressure) / weight;
}

/// Where steps end the run, its time may lie as far away as it likes.
void require_end_in_reach(const Config& config, const Problem& problem) {
  constexpr double most_steps = 9e15;  // beyond it a step no longer changes the time
  if (!config.limits.time || config.limits.steps) return;
  const double dt = first_dt(config, problem);
  const double steps = *config.limits.time / dt;
  if (steps <= most_steps) return;
  throw config_error(
      config, ExitCode::bad_input, "run.time",
      fmt::format("{} is about {:.3g} steps of {:.3g} away (at most {:.0g}, or a step no longer "
                  "changes the time): set an earlier end, or run.steps",
                  *config.limits.time, steps, dt, most_steps));
}

std::string doubt_about_balance(const Problem& problem, const ProblemSetting& setting) {
  constexpr double in_balance = 0.1;  // of the weight, for jumps between the planes that are looked at
  if (setting.gravity == 0) return "";
  const double carried = carried_share(problem, setting);
  if (!(std::abs(carried - 1) > in_balance)) return "";  // of one plane it is no number
  std::vector<std::string> balanced;
  for (const ProblemEntry& entry : problem_registry())
    if (entry.default_gravity != 0) balanced.push_back(entry.name);
  return fmt::format(
      "the start is not in balance: pressure carries {:.3g} % of the gas's weight, so all of it starts to "
      "fall or "
      "rise; set physics.gravity to 0, or take a problem that starts at rest under gravity ({})",
      100 * carried + 0., fmt::join(balanced, ", "));
}

std::string doubt_about_mixing(const Problem& problem) {
  const auto layers = problem.layers();
  if (!layers && problem.has_heavy_above_light())
    return "diagnostics.csv will lack bubble_height, spike_height, mixing_width and theta: the layers "
           "overlap in potential density, so that nothing tells the fluids apart: set physics.scalars: "
           "[fraction], so that the flow carries the heavy one's fraction";
  if (!layers || layers->carried >= 0 || layers->own_range <= 1) return "";
  constexpr double harmless = 0.1;
  const double factor = layers->own_range / harmless;
  return fmt::format(
      "bubble_height, spike_height, mixing_width and theta will be rough: gravity changes potential density "
      "within one fluid {:.2g} times as much as the fluids differ: set physics.scalars: [fraction], so that "
      "the flow carries the heavy one's fraction. Without it, for errors of some percent, set "
      "problem.profile: isentropic, or raise problem.pressure from {:.4g} to {:.3g}, which takes {:.2g} "
      "times as many steps (docs/files.md)",
      layers->own_range, layers->interface_pressure, factor * layers->interface_pressure, std::sqrt(factor));
}

}  // namespace

double fastest_crossing(const Problem& problem, const ProblemSetting& setting) {
  return extremes(problem, setting.grid, [&](const Primitive& gas) { return crossings(gas, setting); }).most;
}

double first_dt(const Config& config, const Problem& problem) {
  const SolverSettings& settings = config.solver;
  return settings.fixed_dt ? *settings.fixed_dt : settings.cfl / fastest_crossing(problem, config.solver);
}

void require_numbers_hold(const Config& config, const Problem& problem) {
  require_box_holds(config);
  require_gas(config, problem);
  require_flow_holds(config, problem);
  std::set<std::string> known;
  require_snapshot_holds(config, problem, "output.snapshots", config.snapshots, known);
  for (const auto& [name, part] : config.parts)
    require_snapshot_holds(config, problem, "output.parts." + name, part, known);
  require_end_in_reach(config, problem);
}

std::string doubt_about_layers(const Problem& problem) {
  constexpr double harmless = 0.1;
  const auto found = problem.convection();
  if (!found || found->rate <= harmless * found->wave_rate) return "";
  return fmt::format(
      "layers of constant density convect by themselves, and short waves in them grow at up to {:.2g}, "
      "{:.0f} % of the perturbed wave's {:.3g}: set problem.profile: isentropic (neutral) or isothermal "
      "(stable), or "
      "raise problem.pressure from {:.4g} to {:.3g}, which takes {:.2g} times as many steps "
      "(docs/numerics.md, Known limits)",
      found->rate, 100 * found->rate / found->wave_rate, found->wave_rate, found->pressure,
      found->quiet_pressure, std::sqrt(found->quiet_pressure / found->pressure));
}

std::vector<std::pair<std::string, std::string>> doubts_about(const Config& config, const Problem& problem) {
  std::vector<std::pair<std::string, std::string>> doubts{
      {"balance", doubt_about_balance(problem, config.solver)}, {"mixing", doubt_about_mixing(problem)}};
  std::erase_if(doubts, [](const auto& doubt) { return doubt.second.empty(); });
  return doubts;
}

}  // namespace tayra
