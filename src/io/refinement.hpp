// A checkpoint carried over to a grid that is twice as fine along some axes, to another precision or scheme.
#pragma once

#include <string>

#include "io/checkpoint_file.hpp"
#include "io/config.hpp"

namespace tayra {

/// Throws Error(bad_input) naming the keys when the config is of another flow, or its grid no finer one.
void require_refinable(const std::string& from, const CheckpointHead& head, const Config& config);

/// Reads the checkpoint `from`, which is refinable, and writes one for `config` at `to`. Mass, momentum and
/// energy of every cell stay what they were, to round-off. Throws DamagedCheckpoint, or Error(failed).
void refine_checkpoint(const std::string& from, const Config& config, const std::string& to);

}  // namespace tayra
