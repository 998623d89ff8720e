// Every key of a config but those of its problem, which are in solver/problems.
#include "io/config_keys.hpp"

#include "solver/output_fields.hpp"
#include "solver/plane_counts.hpp"

namespace tayra {
namespace {

using Texts = std::vector<std::string>;

constexpr double most_cells = 65536;  // along one axis

Key problem_section(Config& config) {
  Texts names;
  for (const ProblemEntry& entry : problem_registry()) names.push_back(entry.name);
  std::vector<Key> keys;
  if (config.problem_keys) keys = config.problem_keys->keys(config.solver);
  keys.insert(keys.begin(), choice("name", config.problem,
                                   "flow to compute; it decides which other keys the section problem has",
                                   names, {.is_required = true}));
  return section("problem", keys);
}

Key boundary_key(Config& config, int axis) {
  Grid& grid = config.solver.grid;
  const std::string name(1, "xyz"[axis]);
  Choices<Boundary> choices;
  for (const char* known : boundary_names) choices.emplace_back(known, Boundary(choices.size()));
  return choice(name, grid.boundary[axis],
                "boundary on both sides along " + name +
                    ". periodic; mirror: a wall without friction; outflow: the state of the last cell "
                    "continues. Default: depends on the problem" +
                    (axis == 2 ? ". With gravity only mirror is allowed along z"
                               : "; periodic, and nothing else, along an axis of one cell"),
                choices, {.derived = [&config, &grid, axis] {
                  const Boundary usual = find_problem(config.problem)->default_boundary[axis];
                  grid.boundary[axis] = grid.varies_along(axis) ? usual : Boundary::periodic;
                }});
}

Key grid_section(Config& config) {
  Grid& grid = config.solver.grid;
  return section(
      "grid",
      {key("cells", grid.cells,
           "numbers of cells along x, y and z: at least 4, or 1 along x or y in a flow that does not "
           "vary along it (two-dimensional: 1 along y)",
           {.at_least = 1, .at_most = most_cells, .is_required = true}),
       key("lower", grid.lower, "lower corner of the box"),
       key("upper", grid.upper, "upper corner of the box"),
       section("boundary", {boundary_key(config, 0), boundary_key(config, 1), boundary_key(config, 2)})});
}

GravityCourse course_of(const Value& value) {
  if (const auto* formula = std::get_if<std::string>(&value.front())) return {.formula = *formula};
  GravityCourse course;
  for (std::size_t i = 0; i + 1 < value.size(); i += 2)
    course.table.emplace_back(std::get<double>(value[i]), std::get<double>(value[i + 1]));
  return course;
}

/// What varies is kept beside its value at time 0.
Key gravity_key(Config& config) {
  double& at_rest = config.solver.gravity;
  GravityCourse& course = config.solver.gravity_course;
  Key made = key(
      "gravity", at_rest,
      "acceleration along z; negative: downwards. One that varies in time is an expression in t, such as "
      "'-1 - 0.5 * sin(2 * pi * t)', in what muParser knows; or a list of [time, number], linear in "
      "between and constant beyond, that jumps at a time given twice, such as [[0, -1], [2, -1], [2, 1]]. "
      "The flow starts in the balance of gravity at t = 0, which is what 'gravity' in other keys means. "
      "Default: depends on the problem. rt_single, rt_multi and rt_surface refuse 0",
      {.derived = [&config, &at_rest] { at_rest = find_problem(config.problem)->default_gravity; }});
  made.may_vary = true;
  made.flaw = [](const Value& value) { return flaw_of(course_of(value)); };
  made.set = [&at_rest, &course](const Value& value) {
    const auto* number = value.size() == 1 ? std::get_if<double>(&value.front()) : nullptr;
    course = number ? GravityCourse() : course_of(value);
    at_rest = number ? *number : gravity_at_rest(course);
  };
  made.get = [&at_rest, &course] {
    if (!course.varies()) return Value{at_rest};
    if (!course.formula.empty()) return Value{course.formula};
    Value table;
    for (const auto& [time, gravity] : course.table) table.insert(table.end(), {time, gravity});
    return table;
  };
  return made;
}

Key physics_section(Config& config) {
  return section(
      "physics",
      {key("gamma", config.solver.gamma,
           "ratio of specific heats. Default: depends on the problem, mostly 5/3",
           {.above = 1,
            .derived = [&config] { config.solver.gamma = find_problem(config.problem)->default_gamma; }}),
       gravity_key(config),
       key("scalars", config.solver.scalars,
           "names of up to four mass fractions that the flow carries along, from 0 to 1; they are fields of "
           "snapshots. Problems of two layers start 'fraction', that of the heavy fluid: diagnostics of the "
           "mixing layer are then made of it. Problem formula starts any, by problem.scalars: {NAME: "
           "expression}, and file those that are in the file. Needs numerics.positivity: true. Default: "
           "none",
           {.may_be_empty = true})});
}

Key numerics_section(SolverSettings& solver) {
  return section(
      "numerics",
      {choice("scheme", solver.scheme,
              "scheme that computes the fluxes through faces. muscl: robust in mixing and at shocks. roe3: "
              "faster on a GPU, and the most accurate in growth from a smooth start; but where a sharp "
              "interface mixes, its density undershoots and steps become short. All: see numerics.md",
              scheme_names()),
       key("cfl", solver.cfl,
           "factor of the time step: dt = cfl / (largest value in any cell of (|u| + c) / dx + (|v| + c) / "
           "dy + (|w| + c) / dz). Up to 1/6 it is proved, with positivity: true and without gravity, that "
           "density and pressure stay positive in a stage whose time step was computed from the state at the "
           "stage's start; of the three stages of a step that is the first. At the default this is not "
           "proved; only one specially built test flow has violated it",
           {.above = 0, .at_most = 1}),
       key("dt", solver.fixed_dt, "fixed time step; numerics.cfl is then not used", {.above = 0}),
       choice("precision", solver.precision, "precision of the computation",
              {{"double", Precision::double_}, {"single", Precision::single}}),
       key("positivity", solver.positivity,
           "whether fluxes are limited where density or pressure would become negative")});
}

Key run_section(Config& config) {
  SolverSettings& solver = config.solver;
  Texts halos = halo_names();
  halos.insert(halos.begin(), "auto");
  return section(
      "run",
      {key("time", config.limits.time,
           "time at which the run ends. Give run.time or run.steps; with both, the run ends at whichever is "
           "reached first",
           {.above = 0}),
       key("steps", config.limits.steps, "number of steps after which the run ends; see run.time",
           {.at_least = 0}),
       key("wall_minutes", config.limits.wall_minutes,
           "minutes after which the run writes a checkpoint and stops, to go on with --resume. Its exit code "
           "is "
           "then 0, its status stopped. For jobs whose time is limited: leave some for the last files",
           {.above = 0, .at_most = 1e7}),
       choice("device", config.device,
              "device that computes. auto: a GPU if there is one or if run.gpus is above 1, else the CPU",
              {"auto", "cpu", "cuda"}),
       key("gpus", solver.gpus,
           "number of GPUs; with several MPI ranks, GPUs of each rank (in tayra check: of the whole run)",
           {.at_least = 1, .at_most = 65536}),
       key("slabs", solver.slabs,
           "number of slabs into which the box is cut along z; with several ranks, slabs of each rank. "
           "Default: one for each GPU. If there are more slabs than GPUs, they share the GPUs",
           {.at_least = 1, .at_most = most_cells, .derived = [&solver] { solver.slabs = solver.gpus; }}),
       key_or(
           "auto", "cut_y", config.cut_y,
           "number of slabs side by side along y; 1: no cut there. It must divide the slabs of a rank, or be "
           "a multiple of them, and then ranks lie side by side (see halo.md). auto: 1, or the cut with the "
           "fewest bytes between slabs, whichever is faster in a trial before the run",
           {.at_least = 1, .at_most = most_cells}),
       choice("halo", solver.halo, "how neighbouring slabs exchange their edge planes (see halo.md)", halos),
       key("timeout", solver.timeout,
           "seconds for which ranks and GPUs may wait for each other; then the run counts as lost. How long "
           "files "
           "take does not count",
           {.above = 0, .at_most = 1e9}),
       section("audit", {key("every_steps", config.audit_every_steps,
                             "number of steps between audits, which look for hardware that computes wrongly "
                             "without saying so (see cluster.md). Without it there are none",
                             {.at_least = 1})})});
}

Key mpi_section(SolverSettings& solver) {
  return section(
      "mpi",
      {choice("gpu_aware", solver.gpu_aware_mpi,
              "whether the halo backend mpi hands addresses of GPU memory to the MPI library. auto: if "
              "the library says that it accepts them and each rank has one GPU; on: always, for "
              "libraries that accept them without saying so (others crash); off: never, all goes "
              "through host memory",
              {{"auto", GpuAwareMpi::automatic}, {"on", GpuAwareMpi::on}, {"off", GpuAwareMpi::off}})});
}

Key diagnostics_section(Cadence& cadence) {
  return section("diagnostics",
                 {key("every_time", cadence.every_time, "time of the flow between rows of diagnostics.csv",
                      {.above = 0}),
                  key("every_steps", cadence.every_steps,
                      "number of steps between rows of diagnostics.csv. No default if every_time is given",
                      {.at_least = 1, .adapted = [&cadence] {
                         if (cadence.every_time) cadence.every_steps.reset();
                       }})});
}

/// Of a kind of rows in statistics.h5.
std::vector<Key> own_cadence(Cadence& cadence) {
  return {key("every_time", cadence.every_time,
              "time of the flow between rows of these. Default: as those of the statistics", {.above = 0}),
          key("every_steps", cadence.every_steps,
              "number of steps between rows of these. Default: as those of the statistics", {.at_least = 1})};
}

Key spectra_section(SpectraSettings& spectra, const Texts& scalars) {
  Key keys = section("spectra", own_cadence(spectra.cadence));
  keys.keys.insert(
      keys.keys.end(),
      {choice("fields", spectra.fields,
              "fields of whose planes there are spectra; those that physics.scalars names, too. "
              "heavy_fraction is f of statistics.md. Default: none",
              plane_field_names(scalars)),
       key("layer", spectra.layer,
           "spectra are means over the planes whose mean f has 4 f (1 - f) above this",
           {.at_least = 0, .below = 1}),
       key("heights", spectra.heights,
           "heights z of planes of which there are spectra, each of its own, instead of the layer's means")});
  return keys;
}

Key pdf_section(PdfSettings& pdf, const Texts& scalars) {
  Key keys = section("pdf", own_cadence(pdf.cadence));
  keys.keys.insert(
      keys.keys.end(),
      {choice("fields", pdf.fields,
              "fields of which there are histograms: the share of cells in each of equal bins. Default: none",
              plane_field_names(scalars)),
       key("bins", pdf.bins, "number of bins", {.at_least = 1, .at_most = most_bins}),
       key("lower", pdf.lower,
           "where the bins begin, of each field. Default: 0, if all fields are fractions"),
       key("upper", pdf.upper, "where they end. Default: 1, if all fields are fractions"),
       key("layer", pdf.layer,
           "only cells of the planes whose mean f has 4 f (1 - f) above this are counted. Default: all are",
           {.at_least = 0, .below = 1})});
  return keys;
}

Key statistics_section(StatisticsSettings& statistics, const Texts& scalars) {
  return section(
      "statistics",
      {key("every_time", statistics.cadence.every_time,
           "time of the flow between rows of statistics.h5 (see statistics.md). There is always one at the "
           "start. Without this key and every_steps there is no such file",
           {.above = 0}),
       key("every_steps", statistics.cadence.every_steps, "number of steps between rows of statistics.h5",
           {.at_least = 1}),
       key("profiles", statistics.profiles, "whether rows hold profiles: means over planes, along z"),
       spectra_section(statistics.spectra, scalars), pdf_section(statistics.pdf, scalars)});
}

Key checkpoints_section(CheckpointSettings& checkpoints) {
  return section(
      "checkpoints",
      {key("every_minutes", checkpoints.every_minutes,
           "minutes of wall time between checkpoints. No default if every_steps is given. There is always "
           "one at the end and when a signal stops the run; a run that fails keeps only earlier ones",
           {.above = 0,
            .adapted =
                [&checkpoints] {
                  if (checkpoints.every_steps) checkpoints.every_minutes.reset();
                }}),
       key("every_steps", checkpoints.every_steps, "number of steps between checkpoints", {.at_least = 1}),
       key("keep", checkpoints.keep, "how many of the newest checkpoints are kept; 0: none is written",
           {.at_least = 0, .at_most = 1000})});
}

void append(Texts& names, const Texts& more) { names.insert(names.end(), more.begin(), more.end()); }

/// Of the whole box or of one part of it.
Key snapshots_section(const std::string& name, SnapshotSettings& snapshots, const Texts& scalars) {
  return section(
      name,
      {key("every_time", snapshots.cadence.every_time,
           "time of the flow between snapshots. There is always one at the start and, unless the run fails, "
           "one at the end",
           {.above = 0}),
       key("every_steps", snapshots.cadence.every_steps, "number of steps between snapshots",
           {.at_least = 1}),
       choice(
           "fields", snapshots.fields,
           "fields that a snapshot holds; those that physics.scalars names may be chosen, too, and are there "
           "if nothing is chosen",
           output_field_names(scalars),
           {.adapted = [&snapshots, &scalars] { append(snapshots.fields, scalars); }}),
       choice("precision", snapshots.precision, "precision of the numbers in a snapshot",
              {{"single", Precision::single}, {"double", Precision::double_}}),
       choice("compression", snapshots.compression,
              "compression of snapshots. deflate: smaller files without loss, but slower to write; it gains "
              "nothing where the chosen cells of a plane are few",
              {{"none", Compression::none}, {"deflate", Compression::deflate}})});
}

/// A part of the box with snapshots of its own.
Key part_section(const std::string& name, SnapshotSettings& part, const Texts& scalars) {
  Key keys = snapshots_section(name, part, scalars);
  keys.keys.push_back(
      key("lower", part.lower,
          "lower corner of the part. Default: the box's. The part holds the cells whose centres lie in it, "
          "but at least one along every axis: equal corners make a slice"));
  keys.keys.push_back(key("upper", part.upper, "upper corner of the part. Default: the box's"));
  keys.keys.push_back(key("stride", part.stride,
                          "strides [n_x, n_y, n_z]: every n-th cell is taken along x, y and z",
                          {.at_least = 1, .at_most = most_cells}));
  keys.keys.push_back(key(
      "one_file", part.one_file,
      "whether all times go into one file, parts/NAME.h5, which grows: for points and slices at every few "
      "steps. It has a row at the start and at each time that is due, none at the end"));
  keys.keys.push_back(
      choice("mean_along", part.mean_along,
             "axis along which the part holds the mean of its cells, instead of each of them. "
             "Needs one_file: true",
             {{"none", MeanAlong::none}, {"x", MeanAlong::x}, {"y", MeanAlong::y}, {"z", MeanAlong::z}}));
  return keys;
}

Key slice_key(PictureSettings& pictures, int axis) {
  const std::string name(1, "xyz"[axis]);
  return key(name, pictures.slices[axis], "place along " + name + " of a slice across it");
}

Key pictures_section(PictureSettings& pictures, const Texts& scalars) {
  return section(
      "pictures",
      {key("every_seconds", pictures.every_seconds,
           "seconds of wall time between pictures of the newest state for `tayra watch` (see watch.md), of "
           "which only the last are kept. They are made between steps and change none; if they took more "
           "than a hundredth of the run's time, they come less often. 0: none",
           {.at_least = 0, .at_most = 1e9}),
       choice("fields", pictures.fields,
              "fields of pictures; those that physics.scalars names may be chosen, too, and are there if "
              "nothing is chosen",
              output_field_names(scalars),
              {.adapted = [&pictures, &scalars] { append(pictures.fields, scalars); }}),
       section("slices", {slice_key(pictures, 0), slice_key(pictures, 1), slice_key(pictures, 2)}),
       choice("projections", pictures.projections,
              "axes along which a picture holds the mean of the box. Without these and slices there is one "
              "slice through the middle, across y or an axis along which the box is thin",
              {"x", "y", "z"})});
}

Key output_section(Config& config) {
  std::vector<Key> parts;
  for (auto& [name, part] : config.parts) parts.push_back(part_section(name, part, config.solver.scalars));
  return section(
      "output",
      {key("directory", config.output_directory,
           "directory of the results. Default: results/NAME, where NAME is problem.name",
           {.derived = [&config] { config.output_directory = "results/" + config.problem; }}),
       diagnostics_section(config.diagnostics), statistics_section(config.statistics, config.solver.scalars),
       pictures_section(config.pictures, config.solver.scalars), checkpoints_section(config.checkpoints),
       choice("on_write_error", config.on_write_error,
              "what happens when a file can't be written. stop: the run stops; warn: it continues with a "
              "warning",
              {{"stop", OnWriteError::stop}, {"warn", OnWriteError::warn}}),
       key("writer_memory", config.writer_mebibytes,
           "MiB of output on each rank that may wait to be compressed and written while the flow continues. "
           "0: the flow waits for every file. Default: the ranks of a machine share a quarter of its free "
           "memory, and none has more than the one with the least",
           {.at_least = 0, .at_most = 1048576}),
       snapshots_section("snapshots", config.snapshots, config.solver.scalars), section("parts", parts)});
}

}  // namespace

Key config_keys(Config& config) {
  return section("", {problem_section(config), grid_section(config), physics_section(config),
                      numerics_section(config.solver), run_section(config), mpi_section(config.solver),
                      output_section(config)});
}

}  // namespace tayra
