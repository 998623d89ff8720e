// Options read, checked and turned into settings.
#include "app/bench_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "app/option_checks.hpp"
#include "app/units.hpp"
#include "core/error.hpp"
#include "core/nearest_name.hpp"
#include "grid/ranks.hpp"
#include "solver/placement.hpp"

namespace tayra {
namespace {

[[noreturn]] void fail(const std::string& option, const std::string& found, const std::string& expected) {
  throw Error(ExitCode::bad_input, fmt::format("{} {}: {}", option, found, expected));
}

/// "128" is a cube, "64x64x128" is not.
std::array<int, 3> parse_cells(const std::string& option, const std::string& text) {
  std::vector<int> counts;
  for (const char *at = text.data(), *end = at + text.size(); counts.empty() || at != end;) {
    int count = 0;
    const auto [stopped, error] = std::from_chars(at, end, count);
    const bool separated = stopped == end || (*stopped == 'x' && stopped + 1 != end);
    if (error != std::errc() || !separated || count < 1)
      fail(option, text, "expected a whole number like 128, or three like 64x64x128");
    counts.push_back(count);
    at = stopped == end ? end : stopped + 1;
  }
  if (counts.size() == 1) return {counts[0], counts[0], counts[0]};
  if (counts.size() != 3) fail(option, text, "expected one number or three");
  return {counts[0], counts[1], counts[2]};
}

/// So many of them stacked along z.
Grid periodic_box(const std::string& option, const std::string& cells, int stacked) {
  constexpr int fewest = 4, most = 65536;
  Grid grid{.cells = parse_cells(option, cells),
            .boundary = {Boundary::periodic, Boundary::periodic, Boundary::mirror}};
  const auto is_right = [&](int axis) {
    const int count = grid.cells[axis];
    return (count >= fewest && count <= most) || (count == 1 && axis < 2);
  };
  if (!is_right(0) || !is_right(1) || !is_right(2) || grid.cells[2] > most / stacked)
    fail(option, cells,
         fmt::format("expected {} to {} cells along each axis, or 1 along x or y{}", fewest, most,
                     stacked > 1 ? fmt::format(", along z for all {} slabs together", stacked) : ""));
  grid.cells[2] *= stacked;
  return grid;
}

}  // namespace

void add_list(CLI::App& command, const char* name, Words& list, const char* meaning, const char* type) {
  command.add_option(name, list, meaning)->delimiter(',')->type_name(type);
}

void add_count(CLI::App& command, const char* name, int& count, const char* meaning) {
  command.add_option(name, count, meaning)
      ->capture_default_str()
      ->type_name("N")
      ->check(whole_number_from(1));
}

void add_counts(CLI::App& command, const char* name, std::vector<int>& counts, const char* meaning) {
  command.add_option(name, counts, meaning)->delimiter(',')->type_name("N,...")->check(whole_number_from(1));
}

void add_bytes(CLI::App& command, const char* name, std::uint64_t& bytes, const char* meaning) {
  command
      .add_option(name, bytes,
                  fmt::format("{} (for example 64k or 16M; default: {})", meaning, bytes_text(bytes)))
      ->transform(size_in_bytes())
      ->type_name("SIZE");
}

void require_known(const std::string& option, const Words& names, const Words& known) {
  for (const auto& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      fail(option, name, fmt::format("{}expected {}", did_you_mean(name, known), fmt::join(known, ", ")));
}

Words or_all(Words names) {
  names.emplace_back("all");
  return names;
}

Words chosen_schemes(const Words& asked) {
  require_known("--scheme", asked, or_all(scheme_names()));
  const bool all = std::find(asked.begin(), asked.end(), "all") != asked.end();
  return all ? scheme_names() : asked;
}

DeviceKind chosen_device(const std::string& asked) {
  require_known("--device", {asked}, {"auto", "cpu", "cuda"});
  SolverSettings on_a_gpu;
  on_a_gpu.device = DeviceKind::cuda;
  const std::string missing = missing_devices(on_a_gpu);
  require(missing.empty() || asked != "cuda", ExitCode::unavailable, "--device cuda: " + missing);
  return missing.empty() && asked != "cpu" ? DeviceKind::cuda : DeviceKind::cpu;
}

Grid grid_of(const std::string& cells, int slabs, int of_ranks) {
  const Grid grid = periodic_box("--cells", cells, 1);
  require_two_planes_a_slab(grid, slabs, of_ranks);
  return grid;
}

Grid grid_of_each(const std::string& cells, int slabs, int of_ranks) {
  return periodic_box("--cells-each", cells, slabs * of_ranks);
}

void require_two_planes_a_slab(const Grid& grid, int slabs, int of_ranks) {
  const int most = grid.cells[2] / 2;
  if (slabs * of_ranks <= most) return;
  const std::string expected = fmt::format("expected at most {}{}, two planes each, for {} cells along z",
                                           most, of_ranks > 1 ? " in all" : "", grid.cells[2]);
  fail("--slabs", std::to_string(slabs),
       of_ranks > 1 ? fmt::format("on each of {} ranks; {}", of_ranks, expected) : expected);
}

void prepare_file(const std::string& option, const std::string& path) {
  namespace fs = std::filesystem;
  if (path.empty()) return;
  std::error_code unknown;
  const fs::file_status found = fs::status(path, unknown);
  if (fs::path(path).filename().empty() || fs::is_directory(found))
    fail(option, path, "is a folder: name a file");
  if (!fs::status_known(found))  // a link that leads in a circle
    fail(option, path, fmt::format("can't be used ({}): name another file", unknown.message()));
  if (path == "-") fail(option, path, "name a file: the screen has the results anyway");
  const fs::path folder = fs::absolute(path).parent_path();
  fs::create_directories(folder, unknown);
  if (unknown)
    fail(option, path, fmt::format("its folder can't be made ({}): name another file", unknown.message()));
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    fail(option, path, fmt::format("its folder can't be written to ({})", std::strerror(errno)));
  if (fs::exists(found) && !fs::is_regular_file(found))
    fail(option, path, "is no ordinary file: name another");
}

void show(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

}  // namespace tayra
