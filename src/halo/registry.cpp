// The table of halo backends.
#include "halo/halo.hpp"
#include "halo/host.hpp"

namespace tayra {

const std::vector<HaloBackend>& halo_registry() {
  static const std::vector<HaloBackend> backends = {
      {"host", "device to pinned host memory to device; a plain copy between slabs of one CPU process",
       make_host_halo},
  };
  return backends;
}

}  // namespace tayra
