// Without CUDA there are no strips on a GPU.
#include "app/bench_strips.hpp"
#include "core/error.hpp"

namespace tayra {

void move_strips_on_gpu(const Queue&, StripPlace, StripPlace, const Strips&, StripMover) {
  throw Error(ExitCode::unavailable, "strips on a GPU: " + why_no_cuda());
}

}  // namespace tayra
