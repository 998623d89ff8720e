// The exact solution of the Riemann problem for an ideal gas, vacuum included: Toro (2009), Riemann Solvers
// and Numerical Methods for Fluid Dynamics, 3rd edition, chapter 4.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace tayra::testing {

struct RiemannState {
  double density = 1;
  double velocity = 0;
  double pressure = 1;
};

class ExactRiemann {
 public:
  /// A state of zero density is vacuum.
  ExactRiemann(const RiemannState& left, const RiemannState& right, double gamma);

  /// The gas that moves away from the origin with `speed` = x / t.
  RiemannState sample(double speed) const;

  /// Between the waves; zero where a vacuum lies there.
  double star_pressure() const { return star_pressure_; }
  /// Of the contact, or of the edges of a vacuum, which move apart.
  double left_star_velocity() const { return left_star_velocity_; }
  double right_star_velocity() const { return right_star_velocity_; }

 private:
  double wave_function(const RiemannState& side, double pressure) const;
  double wave_function_slope(const RiemannState& side, double pressure) const;
  double solve_star_pressure() const;
  RiemannState sample_left(const RiemannState& side, double star_velocity, double speed) const;
  RiemannState behind_shock(const RiemannState& side, double star_velocity) const;
  RiemannState inside_fan(const RiemannState& side, double speed) const;
  RiemannState behind_fan(const RiemannState& side, double star_velocity) const;

  RiemannState left_;
  RiemannState right_;
  double gamma_;
  double star_pressure_ = 0;
  double left_star_velocity_ = 0;
  double right_star_velocity_ = 0;
};

inline double sound_speed(const RiemannState& gas, double gamma) {
  return gas.density > 0 ? std::sqrt(gamma * gas.pressure / gas.density) : 0;
}

inline RiemannState mirrored(const RiemannState& gas) { return {gas.density, -gas.velocity, gas.pressure}; }

inline ExactRiemann::ExactRiemann(const RiemannState& left, const RiemannState& right, double gamma)
    : left_(left), right_(right), gamma_(gamma) {
  // How fast either gas can expand into nothing, Toro (4.82).
  const double left_front = left.velocity + 2 * sound_speed(left, gamma) / (gamma - 1);
  const double right_front = right.velocity - 2 * sound_speed(right, gamma) / (gamma - 1);
  const bool vacuum = left.density <= 0 || right.density <= 0 || left_front <= right_front;
  if (vacuum) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    left_star_velocity_ = left.density > 0 ? left_front : -infinity;
    right_star_velocity_ = right.density > 0 ? right_front : infinity;
    return;
  }
  star_pressure_ = solve_star_pressure();
  const double rise = wave_function(right, star_pressure_) - wave_function(left, star_pressure_);
  left_star_velocity_ = right_star_velocity_ = 0.5 * (left.velocity + right.velocity) + 0.5 * rise;
}

/// Velocity change across one wave, Toro (4.6), (4.7).
inline double ExactRiemann::wave_function(const RiemannState& side, double pressure) const {
  if (pressure > side.pressure) {
    const double a = 2 / ((gamma_ + 1) * side.density);
    const double b = (gamma_ - 1) / (gamma_ + 1) * side.pressure;
    return (pressure - side.pressure) * std::sqrt(a / (pressure + b));
  }
  const double power = (gamma_ - 1) / (2 * gamma_);
  return 2 * sound_speed(side, gamma_) / (gamma_ - 1) * (std::pow(pressure / side.pressure, power) - 1);
}

/// Toro (4.37).
inline double ExactRiemann::wave_function_slope(const RiemannState& side, double pressure) const {
  if (pressure > side.pressure) {
    const double a = 2 / ((gamma_ + 1) * side.density);
    const double b = (gamma_ - 1) / (gamma_ + 1) * side.pressure;
    return std::sqrt(a / (pressure + b)) * (1 - (pressure - side.pressure) / (2 * (b + pressure)));
  }
  const double power = -(gamma_ + 1) / (2 * gamma_);
  return std::pow(pressure / side.pressure, power) / (side.density * sound_speed(side, gamma_));
}

/// From the pressure between two rarefactions, Toro (4.46). The function is concave and rising, so that
/// Newton's method comes from below after its first step at the latest; that step may overshoot zero and is
/// held there.
inline double ExactRiemann::solve_star_pressure() const {
  const double c_left = sound_speed(left_, gamma_);
  const double c_right = sound_speed(right_, gamma_);
  const double power = (gamma_ - 1) / (2 * gamma_);
  const double closing = c_left + c_right - 0.5 * (gamma_ - 1) * (right_.velocity - left_.velocity);
  const double reach = c_left / std::pow(left_.pressure, power) + c_right / std::pow(right_.pressure, power);
  double pressure = std::pow(closing / reach, 1 / power);
  for (int iteration = 0; iteration < 200; ++iteration) {
    const double mismatch =
        wave_function(left_, pressure) + wave_function(right_, pressure) + (right_.velocity - left_.velocity);
    const double slope = wave_function_slope(left_, pressure) + wave_function_slope(right_, pressure);
    const double next = std::max(pressure - mismatch / slope, 1e-3 * pressure);
    const bool settled = std::abs(next - pressure) <= 1e-15 * next;
    pressure = next;
    if (settled) break;
  }
  return pressure;
}

inline RiemannState ExactRiemann::sample(double speed) const {
  if (speed <= left_star_velocity_) return sample_left(left_, left_star_velocity_, speed);
  if (speed >= right_star_velocity_)
    return mirrored(sample_left(mirrored(right_), -right_star_velocity_, -speed));
  return {0, 0, 0};
}

/// Left of the contact, or of the vacuum's edge: Toro, section 4.5.
inline RiemannState ExactRiemann::sample_left(const RiemannState& side, double star_velocity,
                                              double speed) const {
  const double c = sound_speed(side, gamma_);
  const double ratio = star_pressure_ / side.pressure;
  if (ratio > 1) {
    const double shock = side.velocity - c * std::sqrt(((gamma_ + 1) * ratio + (gamma_ - 1)) / (2 * gamma_));
    return speed < shock ? side : behind_shock(side, star_velocity);
  }
  const double head = side.velocity - c;
  const double tail = star_velocity - c * std::pow(ratio, (gamma_ - 1) / (2 * gamma_));
  if (speed <= head) return side;
  return speed < tail ? inside_fan(side, speed) : behind_fan(side, star_velocity);
}

/// Toro (4.50).
inline RiemannState ExactRiemann::behind_shock(const RiemannState& side, double star_velocity) const {
  const double ratio = star_pressure_ / side.pressure;
  const double q = (gamma_ - 1) / (gamma_ + 1);
  return {side.density * (ratio + q) / (q * ratio + 1), star_velocity, star_pressure_};
}

/// Toro (4.56).
inline RiemannState ExactRiemann::inside_fan(const RiemannState& side, double speed) const {
  const double c = sound_speed(side, gamma_);
  const double cooling = 2 / (gamma_ + 1) + (gamma_ - 1) / ((gamma_ + 1) * c) * (side.velocity - speed);
  return {side.density * std::pow(cooling, 2 / (gamma_ - 1)),
          2 / (gamma_ + 1) * (c + 0.5 * (gamma_ - 1) * side.velocity + speed),
          side.pressure * std::pow(cooling, 2 * gamma_ / (gamma_ - 1))};
}

/// Toro (4.53).
inline RiemannState ExactRiemann::behind_fan(const RiemannState& side, double star_velocity) const {
  return {side.density * std::pow(star_pressure_ / side.pressure, 1 / gamma_), star_velocity, star_pressure_};
}

}  // namespace tayra::testing
