// The memory of the machine: how much is left for this process, its caches, and blocks of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace tayra {

/// Bytes of this machine's memory that this process may still take.
std::uint64_t host_memory_available();

/// What the control groups named in `groups`, a text like /proc/self/cgroup, leave; their folders are in
/// `root`.
std::uint64_t group_memory_available(const std::string& groups, const std::filesystem::path& root);

/// Bytes of all last caches of this machine's cores, or a usual size where the system doesn't tell.
std::uint64_t last_level_cache_bytes();

/// As a folder like /sys/devices/system/cpu has them; zero where it doesn't.
std::uint64_t last_level_caches_in(const std::filesystem::path& cpus);

/// For std::free, starting a cache line. Large blocks come in large pages where the system has some: less of
/// a sweep's time goes into finding where pages lie, and a new field is there in a few page faults.
void* allocate_host_bytes(std::size_t bytes);

/// So many pieces, each so far from the one before.
void copy_host_pieces(void* to, std::size_t to_apart, const void* from, std::size_t from_apart,
                      std::size_t bytes, std::size_t count);

}  // namespace tayra
