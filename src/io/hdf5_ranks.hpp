// One HDF5 file that several ranks write together: only where HDF5 was built for it. The one thing in which
// a build with parallel HDF5 differs from one with serial.
#pragma once

#include <hdf5.h>

namespace tayra::h5 {

bool built_with_parallel_hdf5();

/// Whether ranks can write one file together behind the flow. All ranks must make the first call together,
/// before any thread writes.
bool ranks_share_files();

/// Whether `mine` is true on all ranks; their writer threads must call it together.
bool all_ranks_agree(bool mine);

/// Negative when that fails, as HDF5's own calls.
herr_t share_file(hid_t access);
herr_t share_transfer(hid_t transfer);

}  // namespace tayra::h5
