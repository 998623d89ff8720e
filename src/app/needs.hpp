// What a run takes of memory and of the disk, and whether it fits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/config.hpp"

namespace tayra {

/// Bytes on each device. All ranks must call it together.
std::uint64_t memory_of_run(const Config& config);

/// Throws Error(bad_input) that says how much memory the run needs and how much there is, or which planes are
/// too large for a GPU.
void require_fit(const Config& config);

/// Throws Error(bad_input) where the process may not get the memory that output takes. HDF5 crashes without
/// it.
void require_room_for_output(const Config& config);

/// How far a run goes.
struct RunLength {
  double steps, time;
};

/// Files of a kind: "snapshots", "parts/NAME" or "checkpoints"; or rows of a file that grows: "rows of ...".
struct FilesOfKind {
  std::string kind;
  double count;
  std::uint64_t bytes_each;  // before numbers are compressed
};

/// Of the start, of every time due, and, but for rows, of the end; one before the end on which both cadences
/// fall counts twice. Checkpoints: as many as there may be at once; the oldest goes only when one more is
/// complete.
std::vector<FilesOfKind> files_of_run(const Config& config, const RunLength& length);

}  // namespace tayra
