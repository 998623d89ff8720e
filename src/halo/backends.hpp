// One line or two a backend: how it is made, and what it may lack in a place. Each is defined in the file of
// its name.
#pragma once

#include "halo/halo.hpp"

namespace tayra {

std::unique_ptr<Halo> make_host_halo(HaloSite site);

std::unique_ptr<Halo> make_uva_halo(HaloSite site);
std::string uva_lacks(const HaloPlace& place);

std::unique_ptr<Halo> make_p2p_halo(HaloSite site);
std::string p2p_lacks(const HaloPlace& place);

std::unique_ptr<Halo> make_mpi_halo(HaloSite site);
std::string mpi_lacks(const HaloPlace& place);

std::unique_ptr<Halo> make_nccl_halo(HaloSite site);
std::string nccl_lacks(const HaloPlace& place);

std::unique_ptr<Halo> make_direct_halo(HaloSite site);
std::string direct_lacks(const HaloPlace& place);

std::unique_ptr<Halo> make_put_halo(HaloSite site);
std::string put_lacks(const HaloPlace& place);

}  // namespace tayra
