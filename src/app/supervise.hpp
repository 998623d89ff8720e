// `tayra supervise`
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tayra {

/// Whether going on from the last checkpoint may help a run that ended with an exit code (above 128: killed)
/// and left a status in run.json (empty: it never began).
bool may_go_on(int code, const std::string& status, bool has_run_before);

void add_supervise_command(CLI::App& app);

}  // namespace tayra
