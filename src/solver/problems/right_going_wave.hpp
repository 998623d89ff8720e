// An exact nonlinear sound wave: the simple wave that runs along its direction and steepens until it breaks.
#pragma once

#include <memory>
#include <optional>

#include "solver/problems/plane_wave.hpp"

namespace tayra {

class RightGoingWave final : public Problem {
 public:
  explicit RightGoingWave(const PlaneWave& wave) : wave_(wave) {}

  /// When characteristics first cross; infinite without amplitude.
  double breaking_time() const;

  Primitive initial(const Point& point) const override { return gas(wave_.phase(point)); }
  std::optional<Primitive> exact(const Point& point, double time) const override;

 private:
  double steepening() const;  // 1 / breaking time
  Primitive gas(double starting_phase) const;

  PlaneWave wave_;
};

struct RightGoingWaveKeys : PlaneWaveKeys {
  explicit RightGoingWaveKeys(double amplitude);
  std::unique_ptr<Problem> make(const ProblemSetting& setting) const override;
};

}  // namespace tayra
