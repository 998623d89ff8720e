// Phases for Nsight Systems and its like, by NVTX.
#include <nvtx3/nvToolsExt.h>

#include "core/named_range.hpp"

namespace tayra {

NamedRange::NamedRange(const char* name) { nvtxRangePushA(name); }
NamedRange::~NamedRange() { nvtxRangePop(); }

}  // namespace tayra
