// What the three wave problems share: whole waves along a direction, in a uniform flow, in gas with density
// and sound speed 1.
#pragma once

#include <vector>

#include "core/parameters.hpp"
#include "solver/problem.hpp"

namespace tayra {

struct PlaneWave {
  double amplitude;
  Vec3 wave_vector;
  double wavenumber;
  Vec3 mean_velocity;
  double gamma;

  /// k . x, x measured from the middle of the box.
  double phase(const Point& point) const;
  /// k . velocity: how fast the mean flow carries the phase.
  double drift() const;
};

/// The gas at rest in a wave problem: density 1, sound speed 1.
inline double resting_pressure(double gamma) { return 1 / gamma; }

/// The amplitude is that of `of_what`.
std::vector<Parameter> plane_wave_keys(const std::string& of_what, double amplitude,
                                       std::vector<double> velocity);
PlaneWave read_plane_wave(const Parameters& keys, const ProblemSetting& setting);

}  // namespace tayra
