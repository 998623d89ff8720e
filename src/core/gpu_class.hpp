// Classes of GPUs by a multiprocessor's shared memory, for which the sweep's tiles are cut, and the code that
// a build has for them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace tayra {

/// GeForce RTX 30 to 50 and L40S; A100; H100, H200 and B200. A block gets 1 KiB less.
enum class GpuClass { kib100, kib164, kib228 };

constexpr std::size_t shared_memory_of(GpuClass gpu) {
  return (gpu == GpuClass::kib100 ? 100 : gpu == GpuClass::kib164 ? 164 : 228) * 1024;
}

/// Whether code for an architecture (90 for compute capability 9.0) has the tiles of a class: those of the
/// GPUs on which it runs.
constexpr bool code_holds(int architecture, GpuClass gpu) {
  if (architecture < 90) return gpu != GpuClass::kib228;
  return gpu == (architecture < 120 ? GpuClass::kib228 : GpuClass::kib100);
}

struct GpuShape {
  GpuClass kind;
  int multiprocessors;
};

/// Of what a build has, named as CMake does (`80-real,90`), the architecture whose code a GPU of that compute
/// capability (90 for 9.0) runs: machine code of its own major version, else the newest that its driver can
/// compile. None: the build has nothing for it.
std::optional<int> code_for(int capability, const std::string& architectures);

/// For people: which tiles a GPU gets.
std::string name_of(GpuClass gpu);

/// The class whose tiles a GPU gets: the largest that its shared memory and the code have, up to `most`.
std::optional<GpuClass> class_of(int code, std::size_t shared_memory, std::size_t most);

}  // namespace tayra
