// How many threads a rank starts.
#pragma once

namespace tayra {

/// Ranks of one machine share its cores, where nobody said otherwise (OMP_NUM_THREADS): threads that wait for
/// a core while others wait for them would take many times as long.
void share_cores(int ranks_on_node);

}  // namespace tayra
