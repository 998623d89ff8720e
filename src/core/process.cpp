// By gethostname and /proc.
#include "core/process.hpp"

#include <unistd.h>

#include <array>
#include <fstream>

namespace tayra {

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

std::vector<std::string> command_words() {
  std::ifstream words("/proc/self/cmdline");
  std::vector<std::string> typed;
  for (std::string word; std::getline(words, word, '\0');) typed.push_back(word);
  return typed;
}

}  // namespace tayra
