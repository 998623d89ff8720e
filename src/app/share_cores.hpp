// How many threads a rank starts.
#pragma once

namespace tayra {

/// Ranks that may use the same cores of a machine share them, where nobody said otherwise (OMP_NUM_THREADS):
/// threads that wait for a core while others wait for them would take many times as long. All ranks must call
/// it together.
void share_cores();

}  // namespace tayra
