// Smooth flow: cells so alike and so slow that no face between them wants the positivity limiter, by a search
// with every scheme (docs/decisions/0010). A GPU compares integers, since its floating-point units are busy;
// a CPU compares the numbers.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "physics/gas.hpp"

namespace tayra {

/// The upper 32 bits of a number. Those of positive numbers are in the numbers' order (doubling one adds an
/// `octave`); those of negative numbers are greater.
template <class Real>
TAYRA_HD unsigned leading_bits(Real number) {
  if constexpr (sizeof(Real) == sizeof(double))
    return static_cast<unsigned>(std::bit_cast<std::uint64_t>(number) >> 32);
  else
    return std::bit_cast<std::uint32_t>(number);
}
template <class Real>
inline constexpr unsigned octave = sizeof(Real) == sizeof(double) ? 1u << 20 : 1u << 23;

/// The least and the most of some cells' densities, and of their pressures over the background's.
struct SmoothSpread {
  unsigned least_density = ~0u, most_density = 0;
  unsigned least_pressure = ~0u, most_pressure = 0;

  TAYRA_HD void include_density(unsigned least, unsigned most) {
    least_density = least < least_density ? least : least_density;
    most_density = most > most_density ? most : most_density;
  }
  TAYRA_HD void include(const SmoothSpread& other) {
    include_density(other.least_density, other.most_density);
    least_pressure = other.least_pressure < least_pressure ? other.least_pressure : least_pressure;
    most_pressure = other.most_pressure > most_pressure ? other.most_pressure : most_pressure;
  }
};

/// Cells are smooth together whose densities lie within a factor of 4, whose pressures over the background's
/// lie within one of 1.25 at the most, and whose rho |u|^2 is at most 3/16 of their pressure, while the
/// background's pressure changes by at most 1/32 from plane to plane and is no further from the cells' than
/// by a factor of 1.5.
template <class Real>
class SmoothBounds {
 public:
  static constexpr unsigned densities = 2 * octave<Real>;
  static constexpr unsigned pressures = octave<Real> / 4;
  static constexpr unsigned motion_below_pressure = 5 * octave<Real> / 2;
  static constexpr int furthest_from_background = octave<Real> / 2;
  static constexpr Real most_background_change = Real(1. / 32);
  static constexpr double greatest_gamma = 1.7;

  static TAYRA_HD SmoothSpread spread_of(const Cell<Real>& cell) {
    return spread_of(leading_bits(cell.state.density), leading_bits(cell.pressure + cell.background_pressure),
                     cell.background_pressure);
  }
  /// Adds a cell to others; negative if it is too fast for any bounds.
  static TAYRA_HD int gather(const State<Real>& state, Real background_pressure, const Gas<Real>& gas,
                             SmoothSpread& spread) {
    const Leading cell = leading(state, background_pressure, gas);
    spread.include(spread_of(cell.density, cell.pressure, background_pressure));
    return alarm_of_motion(cell);
  }

  /// Places the bounds around the middle of some cells, and of the background's densities where these are
  /// near enough. Of a gas of too great a gamma nothing is within.
  TAYRA_HD void surround(SmoothSpread cells, const SmoothSpread& background_densities, bool has_background,
                         const Gas<Real>& gas) {
    SmoothSpread all = cells;
    all.include_density(background_densities.least_density, background_densities.most_density);
    if (all.most_density - all.least_density <= densities) cells = all;
    least_density_ = gas.gamma > Real(greatest_gamma)
                         ? ~0u
                         : cells.least_density / 2 + cells.most_density / 2 - densities / 2;
    int least = static_cast<int>(cells.least_pressure / 2 + cells.most_pressure / 2 - pressures / 2 - offset);
    constexpr int lowest = -furthest_from_background;
    constexpr int highest = furthest_from_background - static_cast<int>(pressures);
    if (has_background) least = least < lowest ? lowest : least > highest ? highest : least;
    least_pressure_ = static_cast<unsigned>(least);
  }

  /// Negative if a cell is not within.
  TAYRA_HD int alarm(const State<Real>& state, Real background_pressure, const Gas<Real>& gas) const {
    const Leading cell = leading(state, background_pressure, gas);
    return alarm_outside(cell.density - least_density_, densities) |
           alarm_outside(cell.pressure - (least_pressure_ + leading_bits(background_pressure)), pressures) |
           alarm_of_motion(cell);
  }
  /// Negative if one of the cells gathered is not within, however slow.
  TAYRA_HD int alarm(const SmoothSpread& cells) const {
    return alarm_outside(cells.least_density - least_density_, densities) |
           alarm_outside(cells.most_density - least_density_, densities) |
           alarm_outside(cells.least_pressure - offset - least_pressure_, pressures) |
           alarm_outside(cells.most_pressure - offset - least_pressure_, pressures);
  }

  /// Negative if the backgrounds of neighbouring planes differ too much.
  static TAYRA_HD int alarm(Real background_below, Real background_above) {
    const Real change = absolute<Real>(background_above - background_below);
    return static_cast<int>(
        leading_bits(multiply_add<Real>(most_background_change, background_above, -change)));
  }

 private:
  static constexpr unsigned offset = 1u << 30;  // keeps pressures below the background's positive

  /// Of what tells whether a cell is smooth: its density, its whole pressure and rho |u|^2.
  struct Leading {
    unsigned density, pressure, motion;
  };
  static TAYRA_HD Leading leading(const State<Real>& state, Real background_pressure, const Gas<Real>& gas) {
    const Real inverse_density = reciprocal<Real>(state.density);
    const Real momentum_squared = dot(state.momentum, state.momentum);
    return {
        leading_bits(state.density),
        leading_bits(pressure_of(inverse_density, momentum_squared, state.energy, gas) + background_pressure),
        leading_bits(inverse_density * momentum_squared)};
  }
  static TAYRA_HD SmoothSpread spread_of(unsigned density, unsigned whole_pressure,
                                         Real background_pressure) {
    const unsigned pressure = whole_pressure - leading_bits(background_pressure) + offset;
    return {density, density, pressure, pressure};
  }
  static TAYRA_HD int alarm_of_motion(const Leading& cell) {
    return static_cast<int>(cell.pressure - cell.motion - motion_below_pressure);
  }

  static TAYRA_HD int alarm_outside(unsigned above_least, unsigned range) {
    return static_cast<int>(above_least | (range - above_least));
  }

  unsigned least_density_;
  unsigned least_pressure_;
};

/// The CPU's SmoothSpread, of cells that are all made before faces between them are computed. Its bounds are
/// a little stricter: whatever is smooth here is smooth above. Of a pack every lane has its own.
template <class N>
struct CellsSeen {
  using Real = RealOf<N>;
  static constexpr Real densities = Real(3.99);
  static constexpr Real pressures = Real(1.10);  // below SmoothBounds' for any backgrounds of the planes
  static constexpr Real most_motion = Real(1 / 6.01);  // of the pressure
  static constexpr Real least_over_background = Real(0.751), most_over_background = Real(1.33);

  N least_density = N(std::numeric_limits<Real>::max()), most_density = N(Real(0));
  N least_pressure = N(std::numeric_limits<Real>::max()),
    most_pressure = N(Real(0));           // over the background's
  MaskOf<N> too_fast = MaskOf<N>(false);  // or NaN

  TAYRA_HD void include(const Cell<N>& cell, Real inverse_background) {
    const N pressure = cell.pressure + cell.background_pressure;
    const N over_background = inverse_background * pressure;
    const N motion = cell.inverse_density * dot(cell.state.momentum, cell.state.momentum);
    least_density = minimum<N>(least_density, cell.state.density);
    most_density = maximum<N>(most_density, cell.state.density);
    least_pressure = minimum<N>(least_pressure, over_background);
    most_pressure = maximum<N>(most_pressure, over_background);
    too_fast = too_fast || !(motion < most_motion * pressure);
  }
  TAYRA_HD void include(const CellsSeen& other) {
    least_density = minimum<N>(least_density, other.least_density);
    most_density = maximum<N>(most_density, other.most_density);
    least_pressure = minimum<N>(least_pressure, other.least_pressure);
    most_pressure = maximum<N>(most_pressure, other.most_pressure);
    too_fast = too_fast || other.too_fast;
  }
};

/// Whether no face of these cells wants the limiter, where the background's pressure hardly changes.
template <class Real>
bool are_smooth(const CellsSeen<Real>& cells, bool has_background, const Gas<Real>& gas) {
  using Seen = CellsSeen<Real>;
  const bool near_background =
      cells.least_pressure > Seen::least_over_background && cells.most_pressure < Seen::most_over_background;
  return gas.gamma <= Real(SmoothBounds<Real>::greatest_gamma) && !cells.too_fast &&
         cells.most_density < Seen::densities * cells.least_density &&
         cells.most_pressure < Seen::pressures * cells.least_pressure && (near_background || !has_background);
}

}  // namespace tayra
