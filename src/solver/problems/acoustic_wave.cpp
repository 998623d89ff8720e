// acoustic_wave: a weak sound wave along the diagonal, exact including its slight steepening.
#include "solver/problems/right_going_wave.hpp"

namespace tayra::problems {

ProblemEntry acoustic_wave() {
  return {.name = "acoustic_wave",
          .summary = "weak sound wave; the exact solution is known until it breaks",
          .keys = [] { return std::make_unique<RightGoingWaveKeys>(1e-3); }};
}

}  // namespace tayra::problems
