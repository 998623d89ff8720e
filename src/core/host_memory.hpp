// How much memory the machine has left for this process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tayra {

/// Bytes of this machine's memory that this process may still take.
std::uint64_t host_memory_available();

/// What the control groups named in `groups`, a text like /proc/self/cgroup, leave; their folders are in
/// `root`.
std::uint64_t group_memory_available(const std::string& groups, const std::filesystem::path& root);

}  // namespace tayra
