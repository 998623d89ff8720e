// Serial HDF5: a file belongs to one rank.
#include "io/hdf5_ranks.hpp"

namespace tayra::h5 {

bool built_with_parallel_hdf5() { return false; }
bool ranks_share_files() { return false; }
bool all_ranks_agree(bool mine) { return mine; }
herr_t share_file(hid_t) { return -1; }
herr_t share_transfer(hid_t) { return -1; }

}  // namespace tayra::h5
