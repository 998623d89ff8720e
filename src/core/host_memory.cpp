// As /proc/meminfo has it, or less where a batch system or a container allows a group of processes less.
#include "core/host_memory.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace tayra {
namespace {

namespace fs = std::filesystem;

/// Where a kind of control groups keeps its numbers.
struct GroupFiles {
  const char *folder, *limit, *used, *reclaimable;
};
constexpr GroupFiles version_2{"", "memory.max", "memory.current", "inactive_file "};
constexpr GroupFiles version_1{"memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                               "total_inactive_file "};

std::optional<std::uint64_t> number_in(const fs::path& file) {
  std::ifstream stream(file);
  std::uint64_t number = 0;
  if (stream >> number) return number;
  return {};  // no such file, or "max"
}

/// Of files that were read or written, which the system takes back when memory is wanted.
std::uint64_t reclaimable(const fs::path& group, const std::string& key) {
  std::ifstream stat(group / "memory.stat");
  for (std::string line; std::getline(stat, line);)
    if (line.starts_with(key)) return std::stoull(line.substr(key.size()));
  return 0;
}

std::uint64_t available_in(const fs::path& group, const GroupFiles& files) {
  const auto limit = number_in(group / files.limit), used = number_in(group / files.used);
  if (!limit || !used) return UINT64_MAX;
  const std::uint64_t bound = *used - std::min(*used, reclaimable(group, files.reclaimable));
  return *limit - std::min(*limit, bound);
}

std::uint64_t machine_memory_available() {
  std::ifstream meminfo("/proc/meminfo");
  for (std::string key, rest; meminfo >> key && std::getline(meminfo, rest);)
    if (key == "MemAvailable:") return std::stoull(rest) * 1024;
  return UINT64_MAX;
}

std::string own_groups() {
  std::ostringstream text;
  text << std::ifstream("/proc/self/cgroup").rdbuf();
  return text.str();
}

}  // namespace

// A line a hierarchy: "0::/path" of version 2, "7:memory:/path" of version 1. Every group above sets a limit,
// too.
std::uint64_t group_memory_available(const std::string& groups, const fs::path& root) {
  std::uint64_t least = UINT64_MAX;
  std::istringstream lines(groups);
  for (std::string number, kind, path;
       std::getline(lines, number, ':') && std::getline(lines, kind, ':') && std::getline(lines, path);) {
    if (!kind.empty() && kind != version_1.folder) continue;
    const GroupFiles& files = kind.empty() ? version_2 : version_1;
    for (fs::path group = fs::path(path).relative_path();; group = group.parent_path()) {
      least = std::min(least, available_in(root / files.folder / group, files));
      if (group.empty()) break;
    }
  }
  return least;
}

std::uint64_t host_memory_available() {
  return std::min(machine_memory_available(), group_memory_available(own_groups(), "/sys/fs/cgroup"));
}

}  // namespace tayra
