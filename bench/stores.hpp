// Kernel stores as a halo backend of the benchmarks: a kernel of each source copies all its blocks into the
// neighbours' memory. In a run, `direct` has the sweep store them and needs no such kernel.
// no_cuda.cpp stands in for stores_cuda.cu in builds without CUDA.
#pragma once

#include <memory>

#include "halo/transport.hpp"

namespace tayra {

std::unique_ptr<Transport> make_stores_transport(HaloSite site);

}  // namespace tayra
