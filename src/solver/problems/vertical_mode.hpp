// How a perturbation with one horizontal wavenumber varies with height.
#pragma once

namespace tayra {

/// Amplitudes at one height. Over a horizontal pattern C(x, y) with lap C = -k^2 C the perturbation is C
/// times density, w and pressure, and -grad C / k times the horizontal velocity.
struct VerticalMode {
  double density = 0;
  double horizontal = 0;
  double w = 0;
  double pressure = 0;
};

/// Irrotational incompressible flow in each of two layers between walls, w = 1 at the interface: the first
/// moments of a Rayleigh-Taylor wave at a sharp interface.
struct PotentialFlow {
  double wavenumber;
  double lower;
  double interface_height;
  double upper;

  VerticalMode at(double z) const;
};

}  // namespace tayra
