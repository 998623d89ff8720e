// Each check says what is wrong, why, and what would do.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <climits>

#include "grid/ranks.hpp"
#include "io/config_keys.hpp"
#include "solver/audit.hpp"
#include "solver/output_fields.hpp"
#include "solver/plane_fields.hpp"

namespace tayra {
namespace {

constexpr int fewest_planes = 2;  // of a slab: its neighbour's ghosts are two layers

/// The problem says what is wrong with the key's value beside the others.
template <class... Values>
void check(const Config& config, bool ok, const std::string& key,
           fmt::format_string<const Values&...> problem, const Values&... values) {
  if (!ok) throw config_error(config, ExitCode::bad_input, key, fmt::format(problem, values...));
}

/// A stencil reads four cells, or none along an axis of one.
void check_axis(const Config& config, int axis) {
  const Grid& grid = config.solver.grid;
  const char name = "xyz"[axis];
  const int cells = grid.cells[axis];
  check(config, cells >= 4 || (cells == 1 && axis < 2), "grid.cells",
        "{} along {} (a face's flux reads four cells): take at least 4{}", cells, name,
        axis < 2 ? ", or 1 where the flow does not vary along it" : "");
  check(config, cells > 1 || grid.boundary[axis] == Boundary::periodic, std::string("grid.boundary.") + name,
        "{} along an axis of one cell (the flow goes on without end there): leave it out, or set periodic",
        name_of(grid.boundary[axis]));
  check(config, grid.lower[axis] < grid.upper[axis],
        config.places.contains("grid.upper") ? "grid.upper" : "grid.lower",
        "along {} the box reaches from {} (lower) to {} (upper): lower must be below upper", name,
        grid.lower[axis], grid.upper[axis]);
}

void check_rows(const Config& config) {
  const int cut = config.solver.cut_y, slabs = config.solver.slabs, rows = config.solver.grid.cells[1];
  const std::string key = "run.cut_y";
  if (cut == 1) return;
  check(config, slabs % cut == 0 || cut % slabs == 0, key,
        "{} neither divides the {} slabs of a rank (run.slabs) nor is a multiple: give one that does or is",
        cut, slabs);
  check(config, cut <= slabs || ranks().size() % (cut / slabs) == 0, key,
        "{} slabs side by side are those of {} ranks (run.slabs: {}), and {} make no whole layers: start a "
        "multiple of that many, give a rank more slabs (run.slabs: {}), or another cut",
        cut, cut / slabs, slabs, ranks().size(), cut);
  const int apart = config.solver.rows_apart;
  const bool sums_tiles = apart > rows_of_group;
  check(config, cut <= rows / apart, key,
        "{} slabs of at least {} rows{} don't fit side by side into the {} cells along y: at most {}{}", cut,
        apart, sums_tiles ? ", by which statistics are summed up," : "", rows, std::max(rows / apart, 1),
        sums_tiles ? ", or more without output.statistics" : "");
}

void check_slabs(const Config& config) {
  const int planes = config.solver.grid.cells[2], slabs = config.solver.slabs, gpus = config.solver.gpus;
  const int layers = planes / fewest_planes, cut = config.solver.cut_y;
  const char* more = cut < config.solver.grid.cells[1] / config.solver.rows_apart
                         ? ", or let more lie side by side along y (run.cut_y)"
                         : "";
  check(
      config, slabs > 1 || cut > 1 || ranks().size() <= layers, "grid.cells",
      "{} ranks with a slab of at least {} planes each don't fit into the {} cells along z: start at most {} "
      "ranks{}",
      ranks().size(), fewest_planes, planes, layers, more);
  const std::string of_ranks = ranks().size() > 1 ? fmt::format("{} ranks with ", ranks().size()) : "";
  check(config, ranks().size() * slabs / cut <= layers,
        config.places.contains("run.slabs") ? "run.slabs" : "run.gpus",
        "{}{} slabs of at least {} planes don't fit into the {} cells along z: at most {} in all{}", of_ranks,
        slabs, fewest_planes, planes, layers * cut, more);
  check_rows(config);
  check(config, slabs >= gpus, "run.slabs",
        "{} slabs for {} GPUs leave some idle: give every GPU a slab (run.slabs: {}, or leave it out)", slabs,
        gpus, gpus);
}

void check_audit(const Config& config) {
  if (!config.audit_every_steps) return;
  check(
      config, has_auditable_planes(config.solver), "run.audit.every_steps",
      "none of the {} planes on {} ranks can be audited (a step of a plane follows from {} planes on either "
      "side, which must be of the same ranks): start fewer ranks, let more of them lie side by side "
      "(run.cut_y), or leave it out",
      config.solver.grid.cells[2], ranks().size(), planes_a_step_reads);
}

void check_wall_minutes(const Config& config) {
  check(config, !config.limits.wall_minutes || config.checkpoints.keep > 0, "run.wall_minutes",
        "{}, but output.checkpoints.keep is 0 (the run could not go on): keep checkpoints, or leave it out",
        config.limits.wall_minutes.value_or(0));
}

void check_scalars(const Config& config) {
  const std::string key = "physics.scalars";
  const auto& names = config.solver.scalars;
  check(config, names.size() <= most_scalars, key, "{} names, but a flow carries at most {}: leave some out",
        names.size(), most_scalars);
  for (const std::string& name : names) {
    const bool is_name =
        std::isalpha(static_cast<unsigned char>(name.front())) &&
        name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
            std::string::npos;
    check(config, is_name, key,
          "'{}' would name a field of files: begin with a letter and use letters, digits and _", name);
    const auto fields = output_field_names();
    check(config, std::find(fields.begin(), fields.end(), name) == fields.end(), key,
          "'{}' is a field of every flow: take another name", name);
    check(config, std::count(names.begin(), names.end(), name) == 1, key, "'{}' is named twice", name);
    check(config, config.problem_keys->starts(name), key,
          "'{}' has no start in problem {} (those of two layers start '{}', formula and file any): take one "
          "of these",
          name, config.problem, heavy_scalar);
  }
  check(config, names.empty() || config.solver.positivity, "numerics.positivity",
        "false, but what the flow carries needs a flow that stays positive: set true, or carry nothing");
}

void check_gravity(const Config& config) {
  const Boundary z = config.solver.grid.boundary[2];
  const SolverSettings& solver = config.solver;
  const bool varies = solver.gravity_course.varies();
  check(config, (solver.gravity == 0 && !varies) || z == Boundary::mirror, "grid.boundary.z",
        "{}, with physics.gravity {}{} ({}): use mirror, or no gravity", name_of(z), solver.gravity,
        varies ? " at t = 0 that varies" : "",
        z == Boundary::periodic ? "pressure rises towards the floor, so floor and ceiling differ"
                                : "whatever moves at an open end grows until the column has left the box");
  if (!varies || !config.limits.time) return;
  constexpr int looks = 1000;
  const GravityInTime course(solver.gravity_course);
  for (int i = 0; i <= looks; ++i) try {
      course.at(*config.limits.time * i / looks);
    } catch (const Error& error) {
      check(config, false, "physics.gravity", "{}", std::string(error.what()));
    }
}

void check_named_once(const Config& config, const std::string& key, std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) check(config, false, key, "'{}' is named twice", *twice);
}

void check_part(const Config& config, const std::string& section, const SnapshotSettings& part) {
  const Grid& grid = config.solver.grid;
  const std::string corner = section + (part.lower ? ".lower" : ".upper");
  for (int axis = 0; axis < 3; ++axis) {
    const double lower = part.lower.value_or(grid.lower)[axis], upper = part.upper.value_or(grid.upper)[axis];
    check(config, lower <= upper, corner,
          "along {} the part begins at {}, above its end at {}: exchange them", "xyz"[axis], lower, upper);
    check(config, grid.lower[axis] <= lower && upper <= grid.upper[axis], corner,
          "along {} the part reaches from {} to {}: it must lie in the box, {} to {}", "xyz"[axis], lower,
          upper, grid.lower[axis], grid.upper[axis]);
  }
  check(
      config, part.cadence.every_time || part.cadence.every_steps, section,
      "no cadence is given, so it would be written at the start {}only: set every_time, every_steps or both",
      part.one_file ? "" : "and at the end ");
}

void check_pictures(const Config& config) {
  const Grid& grid = config.solver.grid;
  const std::string section = "output.pictures";
  check_named_once(config, section + ".fields", config.pictures.fields);
  for (int axis = 0; axis < 3; ++axis) {
    const double place = config.pictures.slices[axis].value_or(grid.lower[axis]);
    check(config, grid.lower[axis] <= place && place <= grid.upper[axis], section + ".slices." + "xyz"[axis],
          "{} lies outside the box, which reaches from {} to {}: take a place inside", place,
          grid.lower[axis], grid.upper[axis]);
  }
  check_named_once(config, section + ".projections", config.pictures.projections);
}

/// Of a part in one file, or of one that should be.
void check_one_file(const Config& config, const std::string& section, const SnapshotSettings& part) {
  check(config, part.one_file || part.mean_along == MeanAlong::none, section + ".mean_along",
        "a part with a file for each time holds cells as they are: set one_file: true, or leave it out");
  check(config, !part.one_file || part.compression == Compression::none, section + ".compression",
        "deflate, but rows of one file must be equally long (one_file: true): leave it out");
  for (const char* taken : {"x", "y", "z", "step", "time", "rows"})
    check(config,
          !part.one_file || std::find(part.fields.begin(), part.fields.end(), taken) == part.fields.end(),
          section + ".fields",
          "'{}' is what the file calls something else (one_file: true): give the scalar another name, or "
          "leave it out here",
          std::string(taken));
}

void check_directory(const Config& config) {
  const std::string key = "output.directory", &directory = config.output_directory;
  check(config, directory.size() < PATH_MAX, key, "has {} letters, more than any path: take a shorter one",
        directory.size());
  check(config, !directory.starts_with('~'), key,
        "~ is the shell's name of your home and would become a folder: write the path out");
  check(config, !directory.starts_with('$'), key,
        "variables such as $HOME are the shell's and would become a folder: write the path out, or use "
        "--output");
}

/// What a kind of rows wants of the flow.
void check_kind(const Config& config, const Problem& problem, const std::string& section,
                const std::vector<std::string>& fields, bool reads_layer, const std::string& instead) {
  const Cadence own = section.ends_with("pdf") ? config.statistics.of_pdf() : config.statistics.of_spectra();
  check_named_once(config, section + ".fields", fields);
  check(config, own.is_set(), section + ".fields",
        "no cadence is given: set every_steps or every_time, here or in output.statistics");
  const bool reads_fraction = std::find(fields.begin(), fields.end(), "heavy_fraction") != fields.end();
  check(config, !reads_fraction || problem.layers(), section + ".fields",
        "'heavy_fraction', but problem {} has no two fluids that can be told apart: take other fields",
        config.problem);
  check(config, !reads_layer || problem.layers(), section + ".fields",
        "problem {} has no mixing layer (no two fluids that can be told apart): {}", config.problem, instead);
}

void check_spectra(const Config& config, const Problem& problem) {
  const std::string section = "output.statistics.spectra";
  const SpectraSettings& spectra = config.statistics.spectra;
  const Grid& grid = config.solver.grid;
  check_kind(config, problem, section, spectra.fields, spectra.heights.empty(), "name heights");
  check(config, grid.varies_along(0) || grid.varies_along(1), section + ".fields",
        "planes of one cell have no waves: leave it out");
  for (const int axis : {0, 1})
    check(config, grid.boundary[axis] == Boundary::periodic, section + ".fields",
          "planes are taken apart into periodic waves, but grid.boundary.{} is {}: set periodic there, or "
          "leave it out",
          "xyz"[axis], name_of(grid.boundary[axis]));
  for (const double height : spectra.heights)
    check(config, grid.lower[2] <= height && height <= grid.upper[2], section + ".heights",
          "{} lies outside the box, which reaches from {} to {}: take a height inside", height, grid.lower[2],
          grid.upper[2]);
}

void check_pdf(const Config& config, const Problem& problem) {
  const std::string section = "output.statistics.pdf";
  const PdfSettings& pdf = config.statistics.pdf;
  check_kind(config, problem, section, pdf.fields, pdf.layer.has_value(), "leave out layer");
  for (const auto& [name, ends] : {std::pair("lower", pdf.lower), std::pair("upper", pdf.upper)}) {
    const std::string key = section + "." + name;
    for (const std::string& field : pdf.fields)
      check(config, !ends.empty() || plane_field_named(field, config.solver.scalars).is_fraction(), key,
            "'{}' has no range of its own: give lower and upper, a number for each of fields", field);
    check(config, ends.empty() || ends.size() == pdf.fields.size(), key,
          "{} for {} fields: give one number a field", ends.size(), pdf.fields.size());
  }
  const auto end = [](const std::vector<double>& given, std::size_t i, double usual) {
    return given.empty() ? usual : given[i];
  };
  for (std::size_t i = 0; i < pdf.fields.size(); ++i)
    check(config, end(pdf.lower, i, 0) < end(pdf.upper, i, 1),
          section + (pdf.upper.empty() ? ".lower" : ".upper"),
          "the bins of {} reach from {} (lower) to {} (upper): lower must be below upper", pdf.fields[i],
          end(pdf.lower, i, 0), end(pdf.upper, i, 1));
}

}  // namespace

void check_statistics(const Config& config, const Problem& problem) {
  if (!config.statistics.spectra.fields.empty()) check_spectra(config, problem);
  if (!config.statistics.pdf.fields.empty()) check_pdf(config, problem);
}

void check_together(const Config& config) {
  check_directory(config);
  check(config, config.limits.time || config.limits.steps, "run",
        "no end is given: set run.time, run.steps or both");
  for (int axis = 0; axis < 3; ++axis) check_axis(config, axis);
  check_gravity(config);
  check_scalars(config);
  check_slabs(config);
  check_audit(config);
  check_wall_minutes(config);
  check_named_once(config, "output.snapshots.fields", config.snapshots.fields);
  check_pictures(config);
  for (const auto& [name, part] : config.parts) {
    check_named_once(config, "output.parts." + name + ".fields", part.fields);
    check_part(config, "output.parts." + name, part);
    check_one_file(config, "output.parts." + name, part);
  }
}

}  // namespace tayra
