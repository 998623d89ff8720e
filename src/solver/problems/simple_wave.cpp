// simple_wave: a strong sound wave that steepens, exact until it breaks.
#include "solver/problems/right_going_wave.hpp"

namespace tayra::problems {

ProblemEntry simple_wave() {
  return {.name = "simple_wave",
          .summary = "strong sound wave that steepens; the exact solution is known until it breaks",
          .keys = plane_wave_keys(sound_amplitude, 0.3, {0, 0, 0}),
          .make = make_right_going_wave};
}

}  // namespace tayra::problems
