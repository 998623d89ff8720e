// A wave fits the box when it is periodic wherever the wave or the flow leaves it.
#include "solver/problems/plane_wave.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "solver/problems/resolved_waves.hpp"

namespace tayra {
double PlaneWave::phase(const Point& point) const {
  return wave_vector[0] * point.offset[0] + wave_vector[1] * point.offset[1] +
         wave_vector[2] * point.offset[2];
}

double PlaneWave::drift() const {
  return wave_vector[0] * mean_velocity[0] + wave_vector[1] * mean_velocity[1] +
         wave_vector[2] * mean_velocity[2];
}

std::vector<Key> PlaneWaveKeys::keys(const ProblemSetting& setting) {
  return {key("amplitude", amplitude_, "amplitude of the " + of_what_, {.at_least = 0, .below = 1}),
          key("direction", direction_,
              "numbers of whole waves across the box along x, y and z. Default along an axis of one cell: 0",
              {.at_least = -4096,
               .at_most = 4096,
               .adapted = [&] { drop_waves_along_single_cells(direction_, setting.grid); }}),
          key("velocity", velocity_,
              "velocity of the mean flow. The density at rest and the sound speed at rest are 1")};
}

void PlaneWaveKeys::require_periodic(const Grid& grid) const {
  for (int axis = 0; axis < 3; ++axis) {
    const bool crossed = direction_[axis] != 0 || velocity_[axis] != 0;
    require(!crossed || grid.boundary[axis] == Boundary::periodic, ExitCode::bad_input,
            fmt::format(
                "direction: the wave or its mean flow crosses the boundary along {}: set grid.boundary.{} to "
                "periodic, or both to 0 along it",
                "xyz"[axis], "xyz"[axis]));
  }
}

PlaneWave PlaneWaveKeys::wave(const ProblemSetting& setting) const {
  require(direction_ != std::array<std::int64_t, 3>{0, 0, 0}, ExitCode::bad_input,
          "direction: is [0, 0, 0], which is no direction: raise one");
  require_periodic(setting.grid);
  require_resolved_waves("direction", direction_, setting.grid);
  PlaneWave wave{.amplitude = amplitude_,
                 .wave_vector = {},
                 .wavenumber = 0,
                 .mean_velocity = velocity_,
                 .gamma = setting.gamma};
  for (int axis = 0; axis < 3; ++axis)
    wave.wave_vector[axis] =
        2 * std::numbers::pi * static_cast<double>(direction_[axis]) / setting.grid.length(axis);
  wave.wavenumber = std::hypot(wave.wave_vector[0], wave.wave_vector[1], wave.wave_vector[2]);
  return wave;
}

}  // namespace tayra
