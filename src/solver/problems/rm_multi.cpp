// rm_multi: a plane shock runs up onto a randomly perturbed interface of two gases, in the frame where the
// shocked interface rests.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <optional>

#include "core/error.hpp"
#include "solver/problem.hpp"
#include "solver/problems/wave_surface.hpp"

namespace tayra::problems {
namespace {

struct Gas {
  double density, velocity, pressure;
};

double sound_speed(const Gas& gas, double gamma) { return std::sqrt(gamma * gas.pressure / gas.density); }

/// Behind a shock that runs up into gas (Rankine & Hugoniot).
Gas behind_shock(const Gas& ahead, double mach, double gamma) {
  const double square = mach * mach;
  return {ahead.density * (gamma + 1) * square / ((gamma - 1) * square + 2),
          ahead.velocity + 2 * sound_speed(ahead, gamma) / (gamma + 1) * (mach - 1 / mach),
          ahead.pressure * (1 + 2 * gamma / (gamma + 1) * (square - 1))};
}

/// By how much the velocity of gas changes across the wave that takes it to a pressure: a shock that
/// compresses it, or a rarefaction (Toro 2009, section 4.2).
double velocity_jump(const Gas& gas, double pressure, double gamma) {
  if (pressure > gas.pressure)
    return (pressure - gas.pressure) *
           std::sqrt(2 / (gas.density * ((gamma + 1) * pressure + (gamma - 1) * gas.pressure)));
  return 2 * sound_speed(gas, gamma) / (gamma - 1) *
         (std::pow(pressure / gas.pressure, (gamma - 1) / (2 * gamma)) - 1);
}

/// Of the interface, once the shock has met it: one pressure and one velocity on both sides, by bisection.
double interface_velocity(const Gas& shocked, const Gas& above, double gamma) {
  const auto from_below = [&](double p) { return shocked.velocity - velocity_jump(shocked, p, gamma); };
  const auto from_above = [&](double p) { return above.velocity + velocity_jump(above, p, gamma); };
  double low = 0, high = shocked.pressure;
  while (from_below(high) > from_above(high)) high *= 2;
  for (double middle = 0.5 * high; middle > low && middle < high; middle = 0.5 * (low + high))
    (from_below(middle) > from_above(middle) ? low : high) = middle;
  return from_above(high);
}

/// Of an erf profile of this thickness, 1 far below it and 0 far above: its mean over a cell whose centre is
/// at a height above its middle.
double share_below(double height, double thickness, double cell) {
  if (thickness <= 0) return std::clamp(0.5 - height / cell, 0., 1.);
  if (std::abs(height) > cell + 4 * thickness) return height < 0 ? 1 : 0;
  const double scale = std::sqrt(std::numbers::pi) / thickness;
  const auto integral = [&](double to) {
    const double x = scale * to;
    return (x * std::erfc(x) - std::exp(-x * x) / std::sqrt(std::numbers::pi)) / (2 * scale);
  };
  return std::clamp((integral(height + 0.5 * cell) - integral(height - 0.5 * cell)) / cell, 0., 1.);
}

class RmMulti final : public Problem {
 public:
  std::vector<Key> keys(const ProblemSetting& setting) override {
    return {
        key("mach", mach_,
            "Mach number of the shock in the gas below the interface, which it runs through first",
            {.above = 1}),
        key("density_below", density_below_, "density below the interface, ahead of the shock", {.above = 0}),
        key("density_above", density_above_, "density above the interface", {.above = 0}),
        key("pressure", pressure_, "pressure ahead of the shock", {.above = 0}),
        key("interface", interface_,
            "mean height of the interface at the start; it moves down to meet the shock and rests from then "
            "on. "
            "Default: 0.4 of the box's height",
            {.derived = [&] { interface_ = setting.grid.lower[2] + 0.4 * setting.grid.length(2); }}),
        key("shock", shock_,
            "height of the shock at the start. Default: a twentieth of the box's height below the interface",
            {.derived = [&] { shock_ = interface_ - 0.05 * setting.grid.length(2); }}),
        key("calm_above", calm_above_,
            "height above which gas rests from the start, at the pressure from which a rarefaction that runs "
            "up "
            "leads to the gas below. The shock catches up with that wave and fades in it, so that the open "
            "end "
            "sends back less of it. Not set: there is no such gas"),
        key("thickness", thickness_,
            "thickness d of the interface: the share by volume of the gas below is erfc(sqrt(pi) (z - "
            "interface) / d) / 2, whose steepest slope is 1 / d; 0: sharp. Cells hold the mean of this over "
            "their height",
            {.at_least = 0}),
        key("amplitude", amplitude_, "root mean square over the plane of the interface's rise",
            {.at_least = 0}),
        key("modes", modes_,
            "lowest and highest wavenumber, as numbers of whole waves across the wider side of the box (of x "
            "and y; an axis of one cell has no waves). Equal ones along a single axis are one wave",
            {.at_least = 1, .at_most = 4096}),
        key("spectrum", spectrum_,
            "power m of the rise's spectrum P(k) ~ k^m, where the integral of P over k is the mean square of "
            "the rise. 0: all wavenumbers have as much"),
        key("seed", seed_, "number that picks one of many random starts", {.at_least = 0})};
  }

  std::unique_ptr<Problem> make(const ProblemSetting& setting) const override {
    const Grid& grid = setting.grid;
    require_room_for_waves("name", grid);
    require(density_below_ != density_above_, ExitCode::bad_input,
            fmt::format("density_above: {} is density_below, too, and a shock passes such an interface as if "
                        "there were none: give another density",
                        density_above_));
    auto made = std::make_unique<RmMulti>(*this);
    made->setting_ = setting;
    const bool both = grid.varies_along(0) && grid.varies_along(1);
    made->surface_ = std::make_shared<WaveSurface>(
        "modes", Band{modes_[0], modes_[1], both ? spectrum_ - 1 : spectrum_}, seed_, amplitude_, grid);
    made->require_order(made->surface_->highest());
    made->find_gases(setting.gamma);
    return made;
  }

  Primitive initial(const Point& point) const override {
    const Grid& grid = setting_.grid;
    const double rise =
        surface_->at(cell_index(grid, 0, point.offset[0]), cell_index(grid, 1, point.offset[1]));
    const double height = point.position[2] - interface_ - rise;
    const double below = share_below(height, thickness_, grid.spacing(2));
    const double of_below = below * density_below_, of_above = (1 - below) * density_above_;
    const Zone& zone = zone_at(point.position[2]);
    Primitive start{.density = (of_below + of_above) * zone.compression,
                    .velocity = {0, 0, zone.velocity},
                    .pressure = zone.pressure};
    if (const auto number = setting_.scalar(heavy_scalar))
      start.scalars[*number] = (heavy_above() ? of_above : of_below) / (of_below + of_above);
    return start;
  }
  bool starts(const std::string& scalar) const override { return scalar == heavy_scalar; }

  /// Of a carried fraction alone: the shock heats each gas by another factor, so that no density tells them
  /// apart. Heights count from where the interface comes to rest.
  std::optional<Layers> layers() const override {
    const auto carried = setting_.scalar(heavy_scalar);
    if (!carried) return std::nullopt;
    const auto [light, heavy] = std::minmax(density_below_, density_above_);
    return Layers{.light_density = light,
                  .heavy_density = heavy,
                  .interface_height = resting_height_,
                  .interface_pressure = pressure_,
                  .heavy_above = heavy_above(),
                  .carried = *carried,
                  .density_ratio = heavy / light};
  }

 private:
  /// Between the shock and where gas is calm, and beyond them.
  struct Zone {
    double compression, velocity, pressure;
  };

  const Zone& zone_at(double z) const {
    if (z < shock_) return shocked_;
    return calm_above_ && z > *calm_above_ ? calm_ : ahead_;
  }
  bool heavy_above() const { return density_above_ > density_below_; }

  /// From below: the end of the box, the shock, the interface, the other end.
  void require_order(double highest) const {
    const Grid& grid = setting_.grid;
    require(
        shock_ > grid.lower[2], ExitCode::bad_input,
        fmt::format("shock: {:.6g} is below the box, which begins at z = {:.6g}: put it between there and "
                    "the interface",
                    shock_, grid.lower[2]));
    require(interface_ - highest > shock_, ExitCode::bad_input,
            fmt::format("shock: {:.6g} is not below the interface, which reaches down to {:.6g} ({:.6g} from "
                        "its mean): lower the shock or the amplitude, or raise the interface",
                        shock_, interface_ - highest, highest));
    require(interface_ + highest < grid.upper[2], ExitCode::bad_input,
            fmt::format("interface: reaches up to {:.6g}, and the box ends at z = {:.6g}: lower it or the "
                        "amplitude",
                        interface_ + highest, grid.upper[2]));
    require(
        !calm_above_ || *calm_above_ > interface_ + highest, ExitCode::bad_input,
        fmt::format("calm_above: {:.6g} is not above the interface, which reaches up to {:.6g}: raise it, or "
                    "leave it out",
                    calm_above_.value_or(0), interface_ + highest));
  }

  void find_gases(double gamma) {
    const Gas below{density_below_, 0, pressure_}, above{density_above_, 0, pressure_};
    const Gas behind = behind_shock(below, mach_, gamma);
    const double speed = interface_velocity(behind, above, gamma);
    const double warmer = 1 + (gamma - 1) / 2 * speed / sound_speed(above, gamma);  // its speed of sound
    ahead_ = {1, -speed, pressure_};
    shocked_ = {behind.density / below.density, behind.velocity - speed, behind.pressure};
    calm_ = {std::pow(warmer, 2 / (gamma - 1)), 0, pressure_ * std::pow(warmer, 2 * gamma / (gamma - 1))};
    resting_height_ = interface_ - speed * (interface_ - shock_) / (mach_ * sound_speed(below, gamma));
  }

  double mach_ = 1.5;
  double density_below_ = 1, density_above_ = 3, pressure_ = 1;
  double interface_ = 0, shock_ = 0;
  std::optional<double> calm_above_;
  double thickness_ = 0, amplitude_ = 0.002, spectrum_ = 0;
  std::array<std::int64_t, 2> modes_{4, 8};
  std::uint64_t seed_ = 1;
  ProblemSetting setting_;
  std::shared_ptr<const WaveSurface> surface_;
  Zone shocked_{}, ahead_{}, calm_{};
  double resting_height_ = 0;
};

}  // namespace

ProblemEntry rm_multi() {
  return {.name = "rm_multi",
          .summary =
              "Richtmyer-Meshkov: a plane shock runs up onto an interface that random waves perturb, in "
              "the frame where the shocked interface rests",
          .keys = [] { return std::make_unique<RmMulti>(); },
          .default_boundary = {Boundary::periodic, Boundary::periodic, Boundary::outflow},
          .details =
              "Heavy gas lies above if density_above is the larger one, else below. With physics.scalars: "
              "[fraction] the flow carries the heavy gas's share of the mass, which widths, heights, "
              "theta and the like are then of; without it they are left out, since the shock heats both "
              "gases, so that density can't tell them apart. Bubble and spike heights count from where "
              "the interface rests."};
}

}  // namespace tayra::problems
