// By gethostname and /proc.
#include "core/process.hpp"

#include <unistd.h>

#include <array>
#include <fstream>

namespace tayra {
namespace {

#if defined(__x86_64__)
constexpr int unavailable = 3;  // as ExitCode has it

/// Before anything else of the program, which may use what this processor lacks and would die of it without a
/// word. By itself it uses nothing of the kind.
__attribute__((constructor(101), target("arch=x86-64"))) void require_processor() {
  const char* lacks = nullptr;
  __builtin_cpu_init();
#ifdef __AVX2__
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) lacks = "AVX2 and FMA (x86-64-v3)";
#endif
#ifdef __AVX512F__
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512dq") ||
      !__builtin_cpu_supports("avx512vl"))
    lacks = "AVX-512 (x86-64-v4)";
#endif
  if (!lacks) return;
  // Not by fprintf: where the system's headers are fortified (Ubuntu) it is inlined, which this target
  // forbids.
  for (const char* part :
       {"tayra: this program was compiled for " TAYRA_PROCESSOR ", and this processor lacks ", lacks,
        ": build it here, or with -DTAYRA_PROCESSOR=any\n"})
    if (write(STDERR_FILENO, part, __builtin_strlen(part)) < 0) break;
  _exit(unavailable);
}
#endif

}  // namespace

std::string_view compiled_for() { return TAYRA_PROCESSOR; }

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
