// The flow that is timed, the clock around it, and the loop over cases.
#include "bench/step_timing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "app/units.hpp"
#include "core/error.hpp"
#include "grid/ranks.hpp"
#include "grid/together.hpp"
#include "solver/placement.hpp"

namespace tayra {
namespace {

/// Taylor-Green vortices in a gas of uneven density: smooth, moving everywhere, and quick to evaluate on the
/// largest grids.
class Vortices final : public Problem {
 public:
  explicit Vortices(const Grid& grid) {
    for (int axis = 0; axis < 3; ++axis) wavenumber_[axis] = 2 * std::numbers::pi / grid.length(axis);
  }

  Primitive initial(const Point& point) const override {
    Vec3 sine, cosine;
    for (int axis = 0; axis < 3; ++axis) {
      sine[axis] = std::sin(wavenumber_[axis] * point.offset[axis]);
      cosine[axis] = std::cos(wavenumber_[axis] * point.offset[axis]);
    }
    return {.density = 1 + 0.2 * cosine[0] * cosine[1] * cosine[2],
            .velocity = {0.3 * sine[0] * cosine[1] * cosine[2], -0.15 * cosine[0] * sine[1] * cosine[2],
                         -0.15 * cosine[0] * cosine[1] * sine[2]},
            .pressure = 0.6};
  }

 private:
  Vec3 wavenumber_;
};

/// What a step takes depends on the flow, and thousands of a small grid go by while clocks settle: steps so
/// short that all are of one flow, and long enough that single precision sees it move.
SolverSettings hardly_moving(SolverSettings settings) {
  const Grid& grid = settings.grid;
  settings.fixed_dt = 1e-6 * std::min({grid.length(0), grid.length(1), grid.length(2)});
  return settings;
}

/// What a sample's steps took.
struct Sample {
  double milliseconds = 0;  // a step
  SlabTimes times;          // a step, of the slab that took longest
  std::uint64_t bytes_sent = 0;
};

void add(Sample& sum, const StepRecord& record) {
  require(!record.bad_cell, ExitCode::failed, "the flow broke down: its times mean nothing");
  sum.milliseconds += record.wall_ms;
  sum.bytes_sent = record.bytes_sent;
  const SlabTimes times = longest(record);
  sum.times.compute_ms += times.compute_ms;
  sum.times.comm_ms += times.comm_ms;
  sum.times.exposed_ms += times.exposed_ms;
}

/// Means over the next `count` steps.
Sample sample_steps(Simulation& simulation, int count) {
  Sample sum;
  for (int done = 0; done < count;) {
    simulation.advance(count - done, HUGE_VAL);
    const auto records = simulation.finish();
    require(!records.empty(), ExitCode::failed, "the flow stands still (no step is possible): nothing timed");
    for (const StepRecord& record : records) add(sum, record);
    done += static_cast<int>(records.size());
  }
  const SlabTimes& times = sum.times;
  return {sum.milliseconds / count,
          {times.compute_ms / count, times.comm_ms / count, times.exposed_ms / count},
          sum.bytes_sent};
}

/// At least a sample, and long enough for clocks to settle.
void warm_up(Simulation& simulation, int steps) {
  constexpr std::chrono::milliseconds settled(300);
  const auto start = std::chrono::steady_clock::now();
  do sample_steps(simulation, steps);
  while (ranks().from_first(std::chrono::steady_clock::now() - start < settled));
}

std::vector<double> middle_plane(Simulation& simulation, const SolverSettings& settings) {
  const auto [nx, ny, nz] = settings.grid.cells;
  std::vector<double> plane(static_cast<std::size_t>(settings.variables()) * nx * ny);
  simulation.read_planes(nz / 2, 1, plane);
  return plane;
}

/// The greatest, of the greatest word.
double change_of(const std::vector<double>& start, const std::vector<double>& end) {
  double change = 0, greatest = 0;
  for (std::size_t i = 0; i < start.size(); ++i) {
    change = std::max(change, std::abs(end[i] - start[i]));
    greatest = std::max(greatest, std::abs(start[i]));
  }
  return change / greatest;
}

void require_finite(Simulation& simulation) {
  for (const PlaneSums& plane : simulation.plane_sums())
    require(std::isfinite(plane.density) && std::isfinite(plane.energy), ExitCode::failed,
            "the flow is not finite any more: its times mean nothing");
}

}  // namespace

StepTiming time_steps(Simulation& simulation, const SolverSettings& settings, const StepTimingPlan& plan) {
  const auto start = middle_plane(simulation, settings);
  warm_up(simulation, plan.steps);
  std::vector<Sample> samples;
  for (int i = 0; i < plan.repeats; ++i) samples.push_back(sample_steps(simulation, plan.steps));
  require_finite(simulation);
  const double change = change_of(start, middle_plane(simulation, settings));
  require(change > 0, ExitCode::failed, "the flow has not changed: its times mean nothing");
  const auto spread = [&](auto value) {
    std::vector<double> values;
    for (const Sample& sample : samples) values.push_back(value(sample));
    return spread_of(values);
  };
  return {settings,
          spread([](const Sample& s) { return s.milliseconds; }),
          {spread([](const Sample& s) { return s.times.compute_ms; }).median,
           spread([](const Sample& s) { return s.times.comm_ms; }).median,
           spread([](const Sample& s) { return s.times.exposed_ms; }).median},
          samples.front().bytes_sent,
          change,
          simulation.facts().halo};
}

int bytes_per_cell_step(Precision precision) { return precision == Precision::single ? 160 : 320; }

double StepTiming::cell_steps_per_second() const {
  return 1e3 * settings.grid.cell_count() / milliseconds.median;
}

double StepTiming::bytes_per_second() const {
  return bytes_per_cell_step(settings.precision) * cell_steps_per_second();
}

StepTiming time_steps(const SolverSettings& settings, const StepTimingPlan& plan) {
  auto simulation = make_simulation(hardly_moving(settings), Vortices(settings.grid));
  return end_here_unless_all_fail([&] { return time_steps(*simulation, settings, plan); });
}

std::string why_too_large(const SolverSettings& settings) {
  const std::uint64_t across = cells_across_slab(settings);
  if (!holds_on_all_ranks(across <= most_cells_across(settings)))
    return fmt::format("planes of {} cells are more than a GPU takes", across);
  const std::uint64_t needed = memory_needed(settings), available = memory_available(settings);
  if (holds_on_all_ranks(needed <= available)) return "";
  return fmt::format("needs {} of memory, {} are free", bytes_text(needed), bytes_text(available));
}

void time_cases(const Cases& cases, const StepTimingPlan& plan, Results& results,
                const std::function<Row(const SolverSettings&)>& row_of,
                const std::function<void(Row&, const StepTiming&)>& add_found) {
  for (const SolverSettings& settings : cases) {
    Row row = row_of(settings);
    if (results.has(row)) continue;
    if (const std::string reason = why_too_large(settings); !reason.empty()) {
      results.skip(row, reason);
      continue;
    }
    try {
      add_found(row, time_steps(settings, plan));
      results.add(row);
    } catch (const Error& error) {
      if (error.code() != ExitCode::unavailable) throw;
      results.skip(row, error.what());
    }
  }
  results.write();
}

std::string grid_text(const Grid& grid) { return fmt::format("{}", fmt::join(grid.cells, "x")); }

Json cells_of(const Grid& grid) { return std::vector<int>(grid.cells.begin(), grid.cells.end()); }

}  // namespace tayra
