// simple_wave: a strong sound wave that steepens, exact until it breaks.
#include "solver/problems/right_going_wave.hpp"

namespace tayra::problems {

ProblemEntry simple_wave() {
  return {.name = "simple_wave",
          .summary = "strong sound wave that steepens; the exact solution is known until it breaks",
          .keys = [] { return std::make_unique<RightGoingWaveKeys>(0.3); }};
}

}  // namespace tayra::problems
