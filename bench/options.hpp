// Options that several benchmarks have, and what they are turned into.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "solver/simulation.hpp"

namespace tayra {

using Words = std::vector<std::string>;

void add_list(CLI::App& command, const char* name, Words& list, const char* meaning,
              const char* type = "NAME,...");
void add_count(CLI::App& command, const char* name, int& count, const char* meaning);
void add_counts(CLI::App& command, const char* name, std::vector<int>& counts, const char* meaning);
/// "4KiB", "1MiB" or a plain number.
void add_bytes(CLI::App& command, const char* name, std::uint64_t& bytes, const char* meaning);
CLI::Validator number_above_zero();
void add_device(CLI::App& command, std::string& device,
                const char* meaning = "cpu or cuda (default: cuda where there is a GPU)");

/// Throws Error(bad_input) that names the nearest of the known names.
void require_known(const std::string& option, const Words& names, const Words& known);
/// What an option takes whose list may be "all".
Words names_and_all(Words names);
/// Those asked for, each of which must be known; "all" stands for all of them.
Words names_or_all(const std::string& option, const Words& asked, const Words& known);
Words chosen_schemes(const Words& asked);
std::vector<Precision> chosen_precisions(const Words& asked);
DeviceKind chosen_device(const std::string& asked);
/// "128" is a cube, "64x64x128" is not; periodic but for walls along z.
Grid grid_of(const std::string& cells, int slabs, int of_ranks = 1);
/// As many of these as there are slabs, stacked along z.
Grid grid_of_each(const std::string& cells, int slabs, int of_ranks);
void require_two_planes_a_slab(const Grid& grid, int slabs, int of_ranks = 1);

}  // namespace tayra
