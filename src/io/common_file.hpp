// One file that all ranks write behind the flow: the first one makes it, each writes its planes, then the
// first one adds the rest and gives it its name.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "io/plane_file.hpp"
#include "io/writers.hpp"
#include "solver/simulation.hpp"

namespace tayra {

/// What it takes to write one. `beside` is where it lies until it has its name.
struct CommonFile {
  std::string kind;  // what messages call it
  std::string path;
  SlabRange mine;  // planes that this rank has to write
  PlaneLayout layout;
  std::size_t block_bytes;  // that are read at once
  /// On the first rank.
  std::function<Offsets(const std::string& beside)> make = {};
  std::function<Arrival(int first, int count, std::byte* out)> read = {};
  /// On the first rank's thread, with the facts of all planes.
  std::function<void(const std::string& beside, const std::vector<PlaneFacts>& facts)> complete = {};
  /// Likewise, when it has its name; tells itself which other file it failed at.
  std::function<void()> then = {};
};

/// All ranks at once, the same files in the same order. When anything fails on any rank the file is not
/// published, and the first rank's thread tells of it. Throws when a rank or a device was lost.
void write_common_file(Writers& writers, const CommonFile& file);

}  // namespace tayra
