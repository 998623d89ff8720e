// The table of halo backends, and which of them can be had in a place.
#include <algorithm>

#include "core/error.hpp"
#include "halo/backends.hpp"
#include "halo/halo.hpp"

namespace tayra {
namespace {

[[maybe_unused]] HaloParts missing(const char* library) { return {nullptr, nullptr, library}; }

#if TAYRA_HAVE_CUDA
const HaloParts uva{make_uva_halo, uva_lacks, ""};
const HaloParts p2p{make_p2p_halo, p2p_lacks, ""};
const HaloParts direct{make_direct_halo, direct_lacks, ""};
#else
const HaloParts uva = missing("CUDA"), p2p = uva, direct = uva;
#endif

#if TAYRA_HAVE_MPI
const HaloParts mpi{make_mpi_halo, mpi_lacks, ""};
#else
const HaloParts mpi = missing("MPI");
#endif

#if TAYRA_HAVE_NCCL
const HaloParts nccl{make_nccl_halo, nccl_lacks, ""};
#else
const HaloParts nccl = missing("NCCL");
#endif

#if TAYRA_HAVE_NVSHMEM
const HaloParts put{make_put_halo, put_lacks, ""};
#else
const HaloParts put = missing("NVSHMEM");
#endif

}  // namespace

const std::vector<HaloBackend>& halo_registry() {
  static const std::vector<HaloBackend> backends = {
      {.name = "host",
       .summary = "device to pinned host memory to device; between processes, MPI carries it",
       .reach = Reach::everywhere,
       .needs_gpu = false,
       .needs_mpi = false,
       .parts = {make_host_halo, nullptr, ""}},
      {.name = "uva",
       .summary = "one asynchronous copy a piece, by unified addresses",
       .reach = Reach::node,
       .needs_gpu = true,
       .needs_mpi = false,
       .parts = uva},
      {.name = "p2p",
       .summary = "one batched call moves all pieces of a GPU",
       .reach = Reach::node,
       .needs_gpu = true,
       .needs_mpi = false,
       .parts = p2p},
      {.name = "mpi",
       .summary =
           "persistent MPI messages, from GPU buffers where the library takes them, else by pinned pieces",
       .reach = Reach::everywhere,
       .needs_gpu = false,
       .needs_mpi = true,
       .parts = mpi},
      {.name = "nccl",
       .summary = "grouped send and receive on a stream",
       .reach = Reach::everywhere,
       .needs_gpu = true,
       .needs_mpi = false,
       .parts = nccl},
      {.name = "direct",
       .summary = "the sweep stores its edge planes into the neighbours' ghosts as it computes them",
       .reach = Reach::node,
       .needs_gpu = true,
       .needs_mpi = false,
       .parts = direct},
      {.name = "put",
       .summary = "one-sided put with signal",
       .reach = Reach::everywhere,
       .needs_gpu = true,
       .needs_mpi = true,
       .parts = put}};
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

std::vector<int> HaloSite::gpus() const {
  std::vector<int> numbers;
  for (const HaloSlab& slab : slabs) numbers.push_back(slab.queue->device().number);
  return numbers;
}

std::string lost_rank_message(int rank, double patience) {
  return "rank " + std::to_string(rank) + " has not exchanged its planes for " +
         std::to_string(static_cast<int>(patience)) + " s (it hangs or has died): the run is given up";
}

}  // namespace tayra
