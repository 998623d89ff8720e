// Halo backend `host`: the thesis's client path through host memory.
#pragma once

#include "halo/halo.hpp"

namespace tayra {

std::unique_ptr<Halo> make_host_halo(HaloSite site);

}  // namespace tayra
