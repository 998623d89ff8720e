// entropy_wave: a sine in density that a uniform flow carries along.
#include <cmath>

#include "solver/problems/plane_wave.hpp"

namespace tayra::problems {
namespace {

class EntropyWave final : public Problem {
 public:
  explicit EntropyWave(const PlaneWave& wave) : wave_(wave) {}

  Primitive initial(const Point& point) const override { return gas(wave_.phase(point)); }
  std::optional<Primitive> exact(const Point& point, double time) const override {
    return gas(wave_.phase(point) - wave_.drift() * time);
  }

 private:
  Primitive gas(double phase) const {
    return {1 + wave_.amplitude * std::sin(phase), wave_.mean_velocity, resting_pressure(wave_.gamma)};
  }
  PlaneWave wave_;
};

struct EntropyWaveKeys final : PlaneWaveKeys {
  EntropyWaveKeys() : PlaneWaveKeys("density, relative to its mean", 0.2, {1, 1, 1}) {}
  std::unique_ptr<Problem> make(const ProblemSetting& setting) const override {
    return std::make_unique<EntropyWave>(wave(setting));
  }
};

}  // namespace

ProblemEntry entropy_wave() {
  return {.name = "entropy_wave",
          .summary = "smooth density wave carried by a uniform flow; the exact solution is known",
          .keys = [] { return std::make_unique<EntropyWaveKeys>(); }};
}

}  // namespace tayra::problems
