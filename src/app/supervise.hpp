// When a run is started again, and on which GPUs.
#pragma once

#include <string>
#include <vector>

namespace tayra {

/// Whether going on from the last checkpoint may help a run that ended with an exit code (above 128: killed)
/// and left a status in run.json (empty: it never began).
bool may_go_on(int code, const std::string& status, bool has_run_before);

/// What CUDA_VISIBLE_DEVICES is without one of the GPUs that a process sees: all of them where it names none.
std::vector<std::string> gpus_without(int number, const std::string& visible, int there);

}  // namespace tayra
