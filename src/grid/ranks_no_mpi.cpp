// Ranks of a build without MPI: there are none but this process.
#include "grid/ranks.hpp"

namespace tayra {

bool built_with_mpi() { return false; }
std::unique_ptr<Ranks> start_mpi_ranks() { return nullptr; }
std::string start_mpi() { return "this tayra was built without MPI"; }

}  // namespace tayra
