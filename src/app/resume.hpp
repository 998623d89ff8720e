// `tayra run --resume`: from which checkpoint a run goes on.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "io/config.hpp"
#include "io/output_files.hpp"
#include "io/run_directory.hpp"
#include "io/run_record.hpp"

namespace tayra {

/// Is told of every checkpoint that was skipped, and of a start from the beginning.
using Tell = std::function<void(const std::string&)>;

/// Whether the path exists; messages call it `name`. Throws Error(bad_input) where that can't be found out,
/// as for a link that leads in a circle.
bool is_there(const std::string& path, const std::string& name);

/// Throws Error(bad_input) for a file that is none; empty stands for the newest.
void require_checkpoint_named(const std::string& file);

/// Throws Error(bad_input) for a checkpoint of a run that these limits would have ended before.
/// `named_by`: how the user names one.
void require_not_past(const RunLimits& limits, const std::string& checkpoint, const StepClock& clock,
                      const char* named_by);

/// The config with which the run was started that resume_run() would go on with; empty: none can be read.
std::string config_to_continue(const std::string& file, const RunDirectory& directory);

/// Loads `file`, or the newest intact checkpoint of the run if it is empty, into the simulation and cuts the
/// run's directory back to it (later ones that it can't read are kept aside), but for a run that has finished
/// and is not to go further. Nothing when there is no checkpoint: then the directory is ready for a start
/// from the beginning. Throws Error(bad_input) rather than lose results. All ranks call it, and the first one
/// looks after the directory; what it says of earlier logs the others do not know.
std::optional<Resumption> resume_run(const std::string& file, const Config& config,
                                     const RunDirectory& directory, OutputFiles& files, const Tell& tell);

}  // namespace tayra
