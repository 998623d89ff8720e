// Without CUDA there is no kernel to store.
#include "app/bench_stores.hpp"
#include "core/error.hpp"

namespace tayra {

std::unique_ptr<Halo> make_stores_halo(HaloSite) {
  throw Error(ExitCode::unavailable, "kernel stores need a GPU: " + why_no_cuda());
}

}  // namespace tayra
