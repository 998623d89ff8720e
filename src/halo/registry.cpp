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
      {"host",
       "device to pinned host memory to device; between processes, MPI carries it",
       Reach::everywhere,
       false,
       false,
       {make_host_halo, nullptr, ""}},
      {"uva", "one asynchronous copy a piece, by unified addresses", Reach::node, true, false, uva},
      {"p2p", "one batched call moves all pieces of a GPU", Reach::node, true, false, p2p},
      {"mpi", "persistent MPI messages, from GPU buffers where the library takes them, else by pinned pieces",
       Reach::everywhere, false, true, mpi},
      {"nccl", "grouped send and receive on a stream", Reach::everywhere, true, false, nccl},
      {"direct", "the sweep stores its edge planes into the neighbours' ghosts as it computes them",
       Reach::node, true, false, direct},
      {"put", "one-sided put with signal", Reach::everywhere, true, true, put},
  };
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
