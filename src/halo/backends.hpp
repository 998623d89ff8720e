// One line or two a backend: how it is made, and what it may lack in a place. Each is defined in the file of
// its name.
#pragma once

#include "halo/transport.hpp"

namespace tayra {

std::unique_ptr<Transport> make_host_transport(HaloSite site);

std::unique_ptr<Transport> make_uva_transport(HaloSite site);
std::string uva_lacks(const HaloPlace& place);

std::unique_ptr<Transport> make_p2p_transport(HaloSite site);
std::string p2p_lacks(const HaloPlace& place);

std::unique_ptr<Transport> make_mpi_transport(HaloSite site);
std::string mpi_lacks(const HaloPlace& place);

std::unique_ptr<Transport> make_nccl_transport(HaloSite site);
std::string nccl_lacks(const HaloPlace& place);

std::unique_ptr<Transport> make_direct_transport(HaloSite site);
std::string direct_lacks(const HaloPlace& place);

std::unique_ptr<Transport> make_put_transport(HaloSite site);
std::string put_lacks(const HaloPlace& place);

}  // namespace tayra
