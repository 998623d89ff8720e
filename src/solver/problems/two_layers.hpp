// Two fluids at rest under gravity, one above the other, with a sharp or a tanh interface.
#pragma once

namespace tayra {

/// Each layer is a polytrope: density varies with height as pressure^stratification. 0: density is constant;
/// 1: temperature is; 1 / gamma: entropy is.
struct TwoLayers {
  double density_below = 1;  // at the interface's pressure
  double density_above = 1;
  double interface_height = 0;
  double thickness = 0;           // tanh half-width; 0: sharp
  double cell_height = 1;         // cells hold the mean of what is in them where a profile is thinner
  double interface_pressure = 1;  // at the unperturbed interface
  double gravity = 0;             // signed
  double stratification = 0;

  /// Where the interface has risen by `rise` through gas whose pressure stays as it was.
  double density(double z, double rise = 0) const;
  /// Of the mass, that of the denser fluid; compression leaves it as it is.
  double heavy_share(double z, double rise = 0) const;
  /// d(density)/dz of a tanh interface.
  double density_slope(double z) const;
  /// The analytic integral of density * gravity from the interface; 0 where no gas can be.
  double pressure(double z) const;
  /// Gas reaches up to z where the interface's pressure is above this.
  double least_interface_pressure(double z) const;

 private:
  double share_above(double z, double rise) const;
  double incompressible_density(double z, double rise) const;
  double incompressible_slope(double z) const;
  double incompressible_weight(double z) const;
  double relative_pressure(double z) const;
  double compression(double z) const;
};

}  // namespace tayra
