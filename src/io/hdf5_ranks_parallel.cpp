// Parallel HDF5: files are opened and written through MPI.
#include <mpi.h>

#include "io/hdf5_ranks.hpp"

namespace tayra::h5 {
namespace {

/// Messages of the writer threads must never meet those of the flow. None where MPI can't serve both at once.
MPI_Comm communicator() {
  int started = 0, level = 0;
  MPI_Initialized(&started);
  if (!started || MPI_Query_thread(&level) != MPI_SUCCESS || level < MPI_THREAD_MULTIPLE)
    return MPI_COMM_NULL;
  MPI_Comm own = MPI_COMM_NULL;
  return MPI_Comm_dup(MPI_COMM_WORLD, &own) == MPI_SUCCESS ? own : MPI_COMM_NULL;
}

MPI_Comm writers() {
  static const MPI_Comm own = communicator();
  return own;
}

}  // namespace

bool built_with_parallel_hdf5() { return true; }
bool ranks_share_files() { return writers() != MPI_COMM_NULL; }
bool all_ranks_agree(bool mine) {
  int ok = mine;
  return MPI_Allreduce(MPI_IN_PLACE, &ok, 1, MPI_INT, MPI_MIN, writers()) == MPI_SUCCESS && ok != 0;
}

herr_t share_file(hid_t access) { return H5Pset_fapl_mpio(access, writers(), MPI_INFO_NULL); }
herr_t share_transfer(hid_t transfer) { return H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE); }

}  // namespace tayra::h5
