// Two fluids of constant density at rest under gravity, one above the other, with a sharp or a tanh
// interface.
#pragma once

namespace tayra {

struct TwoLayers {
  double density_below = 1;
  double density_above = 1;
  double interface_height = 0;
  double thickness = 0;           // tanh half-width; 0: sharp
  double cell_height = 1;         // cells hold the mean of what is in them where a profile is thinner
  double interface_pressure = 1;  // at the unperturbed interface
  double gravity = 0;             // signed

  /// Where the interface has risen by `rise`.
  double density(double z, double rise = 0) const;
  /// d(density)/dz of a tanh interface.
  double density_slope(double z) const;
  /// The analytic integral of density * gravity from the interface.
  double pressure(double z) const;

 private:
  double share_above(double z, double rise) const;
};

}  // namespace tayra
