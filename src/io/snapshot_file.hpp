// The HDF5 file of one snapshot.
#pragma once

#include <string>
#include <vector>

#include "io/config.hpp"
#include "io/snapshot_fields.hpp"
#include "solver/simulation.hpp"

namespace tayra {

/// Fields at the root as [z][y][x] and linked where VTK looks for them. Throws Error(failed); the file under
/// `path` is then worthless.
void write_snapshot_file(const std::string& path, const Config& config,
                         const std::vector<SnapshotField>& fields, Simulation& simulation);

}  // namespace tayra
