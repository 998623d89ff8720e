// How MPI's ranks come to be; ranks_no_mpi.cpp stands in for ranks_mpi.cpp in builds without MPI.
#pragma once

#include <memory>

#include "grid/ranks.hpp"

namespace tayra {

std::unique_ptr<Ranks> start_mpi_ranks();

}  // namespace tayra
