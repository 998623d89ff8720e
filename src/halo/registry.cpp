// The table of halo backends, and which of them can be had in a place. A new one is a file of its name, and
// two lines here.
#include <algorithm>

#include "core/error.hpp"
#include "halo/transport.hpp"

namespace tayra {

// Of each backend: how it is made, and what it may lack in a place.
#define TAYRA_DECLARE(name)                                     \
  std::unique_ptr<Transport> make_##name##_transport(HaloSite); \
  std::string name##_lacks(const HaloPlace&);
TAYRA_DECLARE(host)
TAYRA_DECLARE(uva)
TAYRA_DECLARE(p2p)
TAYRA_DECLARE(mpi)
TAYRA_DECLARE(nccl)
TAYRA_DECLARE(direct)
TAYRA_DECLARE(put)

/// Where the build lacks the library, neither function is there to be named.
#define TAYRA_PARTS(name, library)                        \
  []() -> HaloParts {                                     \
    if constexpr (TAYRA_HAVE_##library)                   \
      return {make_##name##_transport, name##_lacks, ""}; \
    else                                                  \
      return {nullptr, nullptr, #library};                \
  }()

const std::vector<HaloBackend>& halo_registry() {
  static const std::vector<HaloBackend> backends = {
      {.name = "host",
       .summary = "device to pinned host memory to device; between processes, MPI carries it",
       .needs_gpu = false,
       .parts = {make_host_transport, nullptr, ""}},
      {.name = "uva",
       .summary = "one asynchronous copy a piece, by unified addresses",
       .reach = Reach::node,
       .parts = TAYRA_PARTS(uva, CUDA)},
      {.name = "p2p",
       .summary = "one kernel, or one batched call, moves all pieces of a GPU",
       .reach = Reach::node,
       .parts = TAYRA_PARTS(p2p, CUDA)},
      {.name = "mpi",
       .summary =
           "persistent MPI messages, from GPU buffers where the library takes them, else by pinned pieces",
       .needs_gpu = false,
       .needs_mpi = true,
       .parts = TAYRA_PARTS(mpi, MPI)},
      {.name = "nccl", .summary = "grouped send and receive on a stream", .parts = TAYRA_PARTS(nccl, NCCL)},
      {.name = "direct",
       .summary = "the sweep stores its edge planes into the neighbours' ghosts as it computes them",
       .reach = Reach::node,
       .parts = TAYRA_PARTS(direct, CUDA)},
      {.name = "put",
       .summary = "one-sided put with signal",
       .needs_mpi = true,
       .parts = TAYRA_PARTS(put, NVSHMEM)}};
  return backends;
}

namespace {

std::string why_not_here(const HaloBackend& backend, const HaloPlace& place) {
  if (!backend.parts.missing_library.empty())
    return "not built: " + backend.parts.missing_library + " was not found";
  if (backend.needs_gpu && place.kind == DeviceKind::cpu)
    return "moves data between GPUs, and this run is on the CPU";
  if (backend.reach == Reach::node && ranks().nodes() > 1)
    return "works within one node, and this run spans " + std::to_string(ranks().nodes());
  return backend.parts.lacks == nullptr ? "" : backend.parts.lacks(place);
}

}  // namespace

std::string why_not(const HaloBackend& backend, const HaloPlace& place) {
  for (const std::string& reason : ranks().gather_texts(why_not_here(backend, place)))
    if (!reason.empty()) return reason;
  return "";
}

/// A process that runs alone has no use for MPI and doesn't start it.
std::vector<const HaloBackend*> available_halos(const HaloPlace& place) {
  std::vector<const HaloBackend*> available;
  for (const HaloBackend& backend : halo_registry())
    if (!(backend.needs_mpi && ranks().size() == 1) && why_not(backend, place).empty())
      available.push_back(&backend);
  return available;
}

const HaloBackend& require_halo(const std::string& name, const HaloPlace& place) {
  const auto& backends = halo_registry();
  const auto found = std::find_if(backends.begin(), backends.end(),
                                  [&](const HaloBackend& backend) { return backend.name == name; });
  require(found != backends.end(), ExitCode::bad_input, "there is no halo backend '" + name + "'");
  const std::string reason = why_not(*found, place);
  require(reason.empty(), ExitCode::unavailable,
          "halo backend " + name + " is not available (" + reason +
              "): take another, or auto; tayra info lists them");
  return *found;
}

const std::vector<std::string>& halo_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const HaloBackend& backend : halo_registry()) list.push_back(backend.name);
    return list;
  }();
  return names;
}

}  // namespace tayra
