// Options read, checked and turned into settings.
#include "bench/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "app/options.hpp"
#include "app/units.hpp"
#include "core/error.hpp"
#include "core/nearest_name.hpp"
#include "core/number_in.hpp"
#include "grid/ranks.hpp"
#include "solver/placement.hpp"

namespace tayra {
namespace {

[[noreturn]] void fail(const std::string& option, const std::string& found, const std::string& expected) {
  throw Error(ExitCode::bad_input, fmt::format("{} {}: {}", option, found, expected));
}

bool has(const Words& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Turns "64k", "16M" or "1 KiB" into bytes.
CLI::Validator size_in_bytes() {
  constexpr bool kb_is_1000 = false;
  constexpr std::uint64_t least = 8, most = std::uint64_t(1) << 40;
  const auto convert = [](std::string& text) {
    const std::string given = text;
    if (begins_with_zero(text)) text.clear();
    try {
      CLI::AsSizeValue{kb_is_1000}(text);
    } catch (const CLI::ValidationError&) {
      text.clear();
    }
    const auto bytes = number_in<std::uint64_t>(text);
    if (bytes && *bytes >= least && *bytes <= most) return std::string();
    return fmt::format("found {}, expected a size from 8 bytes to 1T, for example 64k or 16M", given);
  };
  return CLI::Validator(convert, "");
}

std::array<int, 3> parse_cells(const std::string& option, const std::string& text) {
  std::vector<int> counts;
  std::istringstream parts(text + 'x');  // lest one that ends with x seems whole
  for (std::string part; std::getline(parts, part, 'x');) {
    counts.push_back(number_in<int>(part).value_or(0));
    if (counts.back() < 1) fail(option, text, "expected a whole number like 128, or three like 64x64x128");
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

CLI::Validator number_above_zero() {
  const auto complaint = [](const std::string& text) {
    const auto number = number_in<double>(text);
    if (number && *number > 0 && std::isfinite(*number)) return std::string();
    return fmt::format("found {}, expected a number above 0", text);
  };
  return CLI::Validator(complaint, "");
}

void add_device(CLI::App& command, std::string& device, const char* meaning) {
  command.add_option("--device", device, meaning)->type_name("NAME");
}

void require_known(const std::string& option, const Words& names, const Words& known) {
  for (const auto& name : names)
    if (!has(known, name))
      fail(option, name, fmt::format("{}expected {}", did_you_mean(name, known), fmt::join(known, ", ")));
}

Words names_and_all(Words names) {
  names.emplace_back("all");
  return names;
}

Words names_or_all(const std::string& option, const Words& asked, const Words& known) {
  require_known(option, asked, names_and_all(known));
  return has(asked, "all") ? known : asked;
}

Words chosen_schemes(const Words& asked) { return names_or_all("--scheme", asked, scheme_names()); }

std::vector<Precision> chosen_precisions(const Words& asked) {
  require_known("--precision", asked, {"double", "single"});
  std::vector<Precision> precisions;
  for (const auto& name : asked) precisions.push_back(precision_named(name));
  return precisions;
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

}  // namespace tayra
