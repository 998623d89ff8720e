// Without CUDA there is no kernel to store, and nothing to measure on a GPU.
#include "bench/overheads.hpp"
#include "bench/stores.hpp"
#include "core/error.hpp"

namespace tayra {

std::unique_ptr<Transport> make_stores_transport(HaloSite) {
  throw Error(ExitCode::unavailable, "kernel stores need a GPU: " + why_no_cuda());
}

void measure_gpu_overheads(const OverheadPlan&, const AddOverhead&) {}

}  // namespace tayra
