// Along the wave u - 2 c / (gamma - 1) and the entropy are constant, and a value of v = u - U keeps
// travelling at U + v + c = U + 1 + (gamma + 1) v / 2 (Landau & Lifshitz, Fluid Mechanics, section 101). With
// v = a sin(s) at the start, the phase s that a characteristic started from obeys Kepler's equation s + (t /
// t_break) sin s = phase.
#include "solver/problems/right_going_wave.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "core/error.hpp"

namespace tayra {
namespace {

/// s + e sin s = m for 0 <= e < 1, m in [-pi, pi]: Newton's method, kept between bounds that close in.
double solve_kepler(double e, double m) {
  double low = m - e;
  double high = m + e;
  double s = m / (1 + e);
  for (int iteration = 0; iteration < 100; ++iteration) {
    const double mismatch = s + e * std::sin(s) - m;
    (mismatch > 0 ? high : low) = s;
    double next = s - mismatch / (1 + e * std::cos(s));
    if (!(next >= low && next <= high)) next = 0.5 * (low + high);
    const bool settled = std::abs(next - s) <= 4e-16;
    s = next;
    if (settled) break;
  }
  return s;
}

}  // namespace

double RightGoingWave::steepening() const {
  return 0.5 * (wave_.gamma + 1) * wave_.amplitude * wave_.wavenumber;
}

double RightGoingWave::breaking_time() const {
  return wave_.amplitude == 0 ? std::numeric_limits<double>::infinity() : 1 / steepening();
}

std::optional<Primitive> RightGoingWave::exact(const Point& point, double time) const {
  if (time == 0) return initial(point);
  if (time >= breaking_time()) return std::nullopt;
  const double phase = wave_.phase(point) - (wave_.drift() + wave_.wavenumber) * time;
  return gas(solve_kepler(steepening() * time, std::remainder(phase, 2 * std::numbers::pi)));
}

Primitive RightGoingWave::gas(double starting_phase) const {
  const double v = wave_.amplitude * std::sin(starting_phase);
  const double sound_speed = 1 + 0.5 * (wave_.gamma - 1) * v;
  Primitive gas;
  gas.density = std::pow(sound_speed, 2 / (wave_.gamma - 1));
  gas.pressure = resting_pressure(wave_.gamma) * std::pow(sound_speed, 2 * wave_.gamma / (wave_.gamma - 1));
  for (int axis = 0; axis < 3; ++axis)
    gas.velocity[axis] = wave_.mean_velocity[axis] + v * wave_.wave_vector[axis] / wave_.wavenumber;
  return gas;
}

RightGoingWaveKeys::RightGoingWaveKeys(double amplitude)
    : PlaneWaveKeys("velocity, as a share of the sound speed at rest", amplitude, {0, 0, 0}) {}

std::unique_ptr<Problem> RightGoingWaveKeys::make(const ProblemSetting& setting) const {
  const PlaneWave sound = wave(setting);
  require(0.5 * (sound.gamma - 1) * sound.amplitude < 1, ExitCode::bad_input,
          fmt::format("amplitude: {} expands a gas with gamma = {} to nothing: keep it below {:.6g}",
                      sound.amplitude, sound.gamma, 2 / (sound.gamma - 1)));
  return std::make_unique<RightGoingWave>(sound);
}

}  // namespace tayra
