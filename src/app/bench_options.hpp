// What the options of all benchmarks have in common.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "solver/simulation.hpp"

namespace tayra {

using Words = std::vector<std::string>;

void add_list(CLI::App& command, const char* name, Words& list, const char* meaning, const char* type);
void add_count(CLI::App& command, const char* name, int& count, const char* meaning);
void add_counts(CLI::App& command, const char* name, std::vector<int>& counts, const char* meaning);
/// "4KiB", "1MiB" or a plain number.
void add_bytes(CLI::App& command, const char* name, std::uint64_t& bytes, const char* meaning);

/// Throws Error(bad_input) that names the nearest of the known names.
void require_known(const std::string& option, const Words& names, const Words& known);
/// What an option takes whose list may be "all".
Words or_all(Words names);
/// "all" stands for every scheme.
Words chosen_schemes(const Words& asked);
DeviceKind chosen_device(const std::string& asked);
/// "128" is a cube, "64x64x128" is not; periodic but for walls along z.
Grid grid_of(const std::string& cells, int slabs, int of_ranks = 1);
/// As many of these as there are slabs, stacked along z.
Grid grid_of_each(const std::string& cells, int slabs, int of_ranks);
void require_two_planes_a_slab(const Grid& grid, int slabs, int of_ranks = 1);

/// Makes its folder where it is missing. What can't be written is better known now than after minutes of
/// measuring.
void prepare_file(const std::string& option, const std::string& path);
void show(const std::string& text);

}  // namespace tayra
