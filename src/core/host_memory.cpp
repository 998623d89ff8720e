// What is left is as /proc/meminfo has it, or less where a batch system or a container allows a group of
// processes less; caches are as /sys has them.
#include "core/host_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <new>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>

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

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
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
  return std::min(machine_memory_available(),
                  group_memory_available(text_of("/proc/self/cgroup"), "/sys/fs/cgroup"));
}

// sysconf counts the whole socket's caches even where a virtual machine has but a few of its cores.
std::uint64_t last_level_caches_in(const fs::path& cpus) {
  std::map<std::string, std::uint64_t> caches;  // by the cores that share one
  std::error_code error;
  for (const fs::directory_entry& cpu : fs::directory_iterator(cpus, error))
    for (const char* level : {"index3", "index2"}) {
      const fs::path cache = cpu.path() / "cache" / level;
      const auto kilobytes = number_in(cache / "size");  // "32768K"
      if (!kilobytes) continue;
      caches[text_of(cache / "shared_cpu_list")] = *kilobytes << 10;
      break;
    }
  std::uint64_t sum = 0;
  for (const auto& [cores, bytes] : caches) sum += bytes;
  return sum;
}

std::uint64_t last_level_cache_bytes() {
  constexpr std::uint64_t usual = 32 << 20;
  static const std::uint64_t known = last_level_caches_in("/sys/devices/system/cpu");
  return known > 0 ? known : usual;
}

void* allocate_host_bytes(std::size_t bytes) {
  constexpr std::size_t line = 64, page = 2 << 20;
  const std::size_t alignment = bytes < page / 2 ? line : page;
  const std::size_t whole = (bytes + alignment - 1) / alignment * alignment;
  void* address = std::aligned_alloc(alignment, whole);
  if (address == nullptr) throw std::bad_alloc();
  if (alignment == page) madvise(address, whole, MADV_HUGEPAGE);  // a wish: nothing is lost if it is refused
  return address;
}

void copy_host_pieces(void* to, std::size_t to_apart, const void* from, std::size_t from_apart,
                      std::size_t bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(static_cast<std::byte*>(to) + i * to_apart,
                static_cast<const std::byte*>(from) + i * from_apart, bytes);
}

}  // namespace tayra
