// What the three wave problems share: whole waves along a direction, in a uniform flow, in gas with density
// and sound speed 1.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

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
class PlaneWaveKeys : public ProblemKeys {
 public:
  PlaneWaveKeys(std::string of_what, double amplitude, const Vec3& velocity)
      : of_what_(std::move(of_what)), amplitude_(amplitude), velocity_(velocity) {}
  std::vector<Key> keys(const ProblemSetting& setting) override;

 protected:
  PlaneWave wave(const ProblemSetting& setting) const;

 private:
  void require_periodic(const Grid& grid) const;

  std::string of_what_;
  double amplitude_;
  std::array<std::int64_t, 3> direction_{1, 1, 1};
  Vec3 velocity_;
};

}  // namespace tayra
