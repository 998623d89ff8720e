// What a run will leave on the disk, predicted from its cadences.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/config.hpp"

namespace tayra {

/// How far a run goes.
struct RunLength {
  double steps, time;
};

/// Files of a kind: "snapshots", "parts/NAME" or "checkpoints".
struct FilesOfKind {
  std::string kind;
  double count;
  std::uint64_t bytes_each;  // before numbers are compressed
};

/// Of the start, of every time due, and of the end; one before the end on which both cadences fall counts
/// twice. Checkpoints: as many as there may be at once; the oldest goes only when one more is complete.
std::vector<FilesOfKind> files_of_run(const Config& config, const RunLength& length);

}  // namespace tayra
