// Its name, as /proc/cpuinfo has it.
#include "app/processor.hpp"

#include <fstream>

namespace tayra {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

}  // namespace tayra
