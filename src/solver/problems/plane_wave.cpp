// A wave fits the box when it is periodic wherever the wave or the flow leaves it.
#include "solver/problems/plane_wave.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <numbers>

#include "core/error.hpp"
#include "solver/problems/resolved_waves.hpp"

namespace tayra {
namespace {

void require_periodic(const Grid& grid, const std::vector<std::int64_t>& direction,
                      const std::vector<double>& velocity) {
  for (int axis = 0; axis < 3; ++axis) {
    const bool crossed = direction[axis] != 0 || velocity[axis] != 0;
    require(!crossed || grid.boundary[axis] == Boundary::periodic, ExitCode::bad_input,
            fmt::format(
                "direction: the wave or its mean flow crosses the boundary along {}: set grid.boundary.{} to "
                "periodic, or both to 0 along it",
                "xyz"[axis], "xyz"[axis]));
  }
}

}  // namespace

double PlaneWave::phase(const Point& point) const {
  return wave_vector[0] * point.offset[0] + wave_vector[1] * point.offset[1] +
         wave_vector[2] * point.offset[2];
}

double PlaneWave::drift() const {
  return wave_vector[0] * mean_velocity[0] + wave_vector[1] * mean_velocity[1] +
         wave_vector[2] * mean_velocity[2];
}

std::vector<Parameter> plane_wave_keys(const std::string& of_what, double amplitude,
                                       std::vector<double> velocity) {
  return {{.name = "amplitude",
           .meaning = "amplitude of the " + of_what,
           .kind = Kind::number,
           .fallback = amplitude,
           .range = {.at_least = 0, .below = 1}},
          {.name = "direction",
           .meaning = "numbers of whole waves across the box along x, y and z. Default along an axis of one "
                      "cell: 0",
           .kind = Kind::integers,
           .fallback = std::vector<std::int64_t>{1, 1, 1},
           .range = {.at_least = -4096, .at_most = 4096},
           .length = 3,
           .along_axes = true},
          {.name = "velocity",
           .meaning = "velocity of the mean flow. The density at rest and the sound speed at rest are 1",
           .kind = Kind::numbers,
           .fallback = std::move(velocity),
           .length = 3}};
}

PlaneWave read_plane_wave(const Parameters& keys, const ProblemSetting& setting) {
  const auto direction = keys.integers("direction");
  const auto velocity = keys.numbers("velocity");
  require(direction != std::vector<std::int64_t>{0, 0, 0}, ExitCode::bad_input,
          "direction: is [0, 0, 0], which is no direction: raise one");
  require_periodic(setting.grid, direction, velocity);
  require_resolved_waves("direction", direction, setting.grid);
  PlaneWave wave{.amplitude = keys.number("amplitude"),
                 .wave_vector = {},
                 .wavenumber = 0,
                 .mean_velocity = {velocity[0], velocity[1], velocity[2]},
                 .gamma = setting.gamma};
  for (int axis = 0; axis < 3; ++axis)
    wave.wave_vector[axis] =
        2 * std::numbers::pi * static_cast<double>(direction[axis]) / setting.grid.length(axis);
  wave.wavenumber = std::hypot(wave.wave_vector[0], wave.wave_vector[1], wave.wave_vector[2]);
  return wave;
}

}  // namespace tayra
