// As /proc/meminfo has it.
#include "core/host_memory.hpp"

#include <fstream>
#include <string>

namespace tayra {

std::uint64_t host_memory_available() {
  std::ifstream meminfo("/proc/meminfo");
  for (std::string key, rest; meminfo >> key && std::getline(meminfo, rest);)
    if (key == "MemAvailable:") return std::stoull(rest) * 1024;
  return UINT64_MAX;
}

}  // namespace tayra
