// Which of a build's code a GPU runs, and which tiles it gets.
#include "core/gpu_class.hpp"

#include <algorithm>
#include <sstream>

namespace tayra {

std::optional<int> code_for(int capability, const std::string& architectures) {
  std::optional<int> of_its_own, compiled_by_driver;
  std::istringstream all(architectures);
  for (std::string name; std::getline(all, name, ',');) {
    const int architecture = std::stoi(name);
    if (architecture > capability) continue;
    if (!name.ends_with("-virtual") && architecture / 10 == capability / 10)
      of_its_own = std::max(of_its_own.value_or(0), architecture);
    if (!name.ends_with("-real")) compiled_by_driver = std::max(compiled_by_driver.value_or(0), architecture);
  }
  return of_its_own ? of_its_own : compiled_by_driver;
}

std::string name_of(GpuClass gpu) {
  return "tiles for " + std::to_string(shared_memory_of(gpu) / 1024) + " KiB of shared memory";
}

std::optional<GpuClass> class_of(int code, std::size_t shared_memory, std::size_t most) {
  using enum GpuClass;
  for (const GpuClass gpu : {kib228, kib164, kib100})
    if (code_holds(code, gpu) && shared_memory_of(gpu) <= std::min(shared_memory, most)) return gpu;
  return std::nullopt;
}

}  // namespace tayra
