// The exact solution of the Riemann problem for an ideal gas, vacuum included: Toro (2009), Riemann Solvers
// and Numerical Methods for Fluid Dynamics, 3rd edition, chapter 4.
#pragma once

namespace tayra {

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

}  // namespace tayra
