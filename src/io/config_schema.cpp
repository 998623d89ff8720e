// The table, and what can be asked of it.
#include "io/config_schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>

#include "io/config.hpp"
#include "solver/output_fields.hpp"
#include "solver/simulation.hpp"

namespace tayra {
namespace {

using Texts = std::vector<std::string>;

constexpr double most_cells = 65536;  // along one axis

Texts halo_choices() {
  Texts names{"auto"};
  names.insert(names.end(), halo_names().begin(), halo_names().end());
  return names;
}

std::vector<Parameter> problem_section() {
  return {{.name = "problem.name",
           .meaning = "flow to compute; it decides which other keys the section problem has",
           .kind = Kind::text,
           .required = true,
           .choices = problem_names()}};
}

Parameter boundary_key(const std::string& axis) {
  return {.name = "grid.boundary." + axis,
          .meaning = "boundary on both sides along " + axis +
                     ". periodic; mirror: a wall without friction; outflow: the state of the last cell "
                     "continues. Default: depends on the problem" +
                     (axis == "z" ? "" : "; periodic, and nothing else, along an axis of one cell") +
                     (axis == "z" ? ". With gravity only mirror is allowed along z" : ""),
          .kind = Kind::text,
          .choices = {boundary_names.begin(), boundary_names.end()}};
}

std::vector<Parameter> grid_section() {
  return {
      {.name = "grid.cells",
       .meaning = "numbers of cells along x, y and z: at least 4, or 1 along x or y in a flow that does not "
                  "vary along it (two-dimensional: 1 along y)",
       .kind = Kind::integers,
       .required = true,
       .range = {.at_least = 1, .at_most = most_cells},
       .length = 3},
      {.name = "grid.lower",
       .meaning = "lower corner of the box",
       .kind = Kind::numbers,
       .fallback = std::vector<double>{0, 0, 0},
       .length = 3},
      {.name = "grid.upper",
       .meaning = "upper corner of the box",
       .kind = Kind::numbers,
       .fallback = std::vector<double>{1, 1, 1},
       .length = 3},
      boundary_key("x"),
      boundary_key("y"),
      boundary_key("z")};
}

std::vector<Parameter> physics_section() {
  return {
      {.name = "physics.gamma",
       .meaning = "ratio of specific heats. Default: depends on the problem, mostly 5/3",
       .kind = Kind::number,
       .range = {.above = 1}},
      {.name = "physics.gravity",
       .meaning = "acceleration along z; negative: downwards. Default: depends on the problem. rt_single and "
                  "rt_multi refuse 0",
       .kind = Kind::number}};
}

std::vector<Parameter> numerics_section() {
  return {{.name = "numerics.scheme",
           .meaning = "scheme that computes the fluxes through faces. muscl: robust in mixing and at shocks. "
                      "roe3: faster, and the most accurate in growth from a smooth start; but where a sharp "
                      "interface mixes, its density undershoots and steps become short. All: see numerics.md",
           .kind = Kind::text,
           .fallback = SolverSettings().scheme,
           .choices = scheme_names()},
          {.name = "numerics.cfl",
           .meaning = "factor of the time step: dt = cfl / (largest value in any cell of (|u| + c) / dx + "
                      "(|v| + c) / dy + (|w| + c) / dz). Up to 1/6 it is proved, with positivity: true and "
                      "without gravity, that density and pressure stay positive in a stage whose time step "
                      "was computed from the state at the stage's start; of the three stages of a step that "
                      "is the first. At the default this is not proved; only one specially built test flow "
                      "has violated it",
           .kind = Kind::number,
           .fallback = SolverSettings().cfl,
           .range = {.above = 0, .at_most = 1}},
          {.name = "numerics.dt",
           .meaning = "fixed time step; numerics.cfl is then not used",
           .kind = Kind::number,
           .range = {.above = 0}},
          {.name = "numerics.precision",
           .meaning = "precision of the computation",
           .kind = Kind::text,
           .fallback = std::string(name_of(SolverSettings().precision)),
           .choices = {"double", "single"}},
          {.name = "numerics.positivity",
           .meaning = "whether fluxes are limited where density or pressure would become negative",
           .kind = Kind::boolean,
           .fallback = SolverSettings().positivity}};
}

std::vector<Parameter> run_section() {
  return {
      {.name = "run.time",
       .meaning =
           "time at which the run ends. Give run.time or run.steps; with both, the run ends at whichever is "
           "reached first",
       .kind = Kind::number,
       .range = {.above = 0}},
      {.name = "run.steps",
       .meaning = "number of steps after which the run ends; see run.time",
       .kind = Kind::integer,
       .range = {.at_least = 0}},
      {.name = "run.device",
       .meaning = "device that computes. auto: a GPU if there is one or if run.gpus is above 1, else the CPU",
       .kind = Kind::text,
       .fallback = std::string("auto"),
       .choices = {"auto", "cpu", "cuda"}},
      {.name = "run.gpus",
       .meaning =
           "number of GPUs; with several MPI ranks, GPUs of each rank (in tayra check: of the whole run)",
       .kind = Kind::integer,
       .fallback = std::int64_t{SolverSettings().gpus},
       .range = {.at_least = 1, .at_most = 1024}},
      {.name = "run.slabs",
       .meaning = "number of slabs into which the box is cut along z; with several ranks, slabs of each "
                  "rank. Default: one for each GPU. If there are more slabs than GPUs, they share the GPUs",
       .kind = Kind::integer,
       .range = {.at_least = 1, .at_most = most_cells}},
      {.name = "run.halo",
       .meaning = "how neighbouring slabs exchange their edge planes (see halo.md)",
       .kind = Kind::text,
       .fallback = SolverSettings().halo,
       .choices = halo_choices()},
      {.name = "run.patience",
       .meaning =
           "seconds without a sign of life after which a rank counts as lost. A rank gives signs of life "
           "while it reads or writes files, however long that takes",
       .kind = Kind::number,
       .fallback = SolverSettings().patience,
       .range = {.above = 0, .at_most = 1e9}},
      {.name = "run.audit.every_steps",
       .meaning = "number of steps between audits, which look for hardware that computes wrongly without "
                  "saying so (see cluster.md). Without it there are none",
       .kind = Kind::integer,
       .range = {.at_least = 1}}};
}

std::vector<Parameter> mpi_section() {
  return {{.name = "mpi.gpu_aware",
           .meaning =
               "whether the halo backend mpi hands addresses of GPU memory to the MPI library. auto: if the "
               "library says that it accepts them and each rank has one GPU; on: always, for libraries "
               "that accept them without saying so (others crash); off: never, all goes through host "
               "memory",
           .kind = Kind::text,
           .fallback = std::string("auto"),
           .choices = {"auto", "on", "off"}}};
}

/// Of the snapshots of the whole box or of one part of it.
std::vector<Parameter> snapshot_keys(const std::string& section) {
  return {
      {.name = section + ".every_time",
       .meaning = "time of the flow between snapshots. There is always one at the start and, unless the run "
                  "fails, one at the end",
       .kind = Kind::number,
       .range = {.above = 0}},
      {.name = section + ".every_steps",
       .meaning = "number of steps between snapshots",
       .kind = Kind::integer,
       .range = {.at_least = 1}},
      {.name = section + ".fields",
       .meaning = "fields that a snapshot holds",
       .kind = Kind::texts,
       .fallback = Texts{"density", "velocity", "pressure"},
       .choices = output_field_names()},
      {.name = section + ".precision",
       .meaning = "precision of the numbers in a snapshot",
       .kind = Kind::text,
       .fallback = std::string(name_of(SnapshotSettings().precision)),
       .choices = {"single", "double"}},
      {.name = section + ".compression",
       .meaning = "compression of snapshots. deflate: smaller files without loss, but slower to write; it "
                  "gains nothing where the chosen cells of a plane are few",
       .kind = Kind::text,
       .fallback = std::string("none"),
       .choices = {"none", "deflate"}}};
}

/// A part of the box with snapshots of its own.
std::vector<Parameter> part_keys(const std::string& name) {
  const std::string section = std::string(parts_section) + "." + name;
  std::vector<Parameter> keys = snapshot_keys(section);
  keys.push_back(
      {.name = section + ".lower",
       .meaning = "lower corner of the part. Default: the box's. The part holds the cells whose centres lie "
                  "in it, but at least one along every axis: equal corners make a slice",
       .kind = Kind::numbers,
       .length = 3});
  keys.push_back({.name = section + ".upper",
                  .meaning = "upper corner of the part. Default: the box's",
                  .kind = Kind::numbers,
                  .length = 3});
  keys.push_back({.name = section + ".stride",
                  .meaning = "strides [n_x, n_y, n_z]: every n-th cell is taken along x, y and z",
                  .kind = Kind::integers,
                  .fallback = std::vector<std::int64_t>{1, 1, 1},
                  .range = {.at_least = 1, .at_most = most_cells},
                  .length = 3});
  return keys;
}

/// Where results go, and the diagnostics.
std::vector<Parameter> output_section() {
  return {{.name = "output.directory",
           .meaning = "directory of the results. Default: results/NAME, where NAME is problem.name",
           .kind = Kind::text},
          {.name = "output.diagnostics.every_time",
           .meaning = "time of the flow between rows of diagnostics.csv",
           .kind = Kind::number,
           .range = {.above = 0}},
          {.name = "output.diagnostics.every_steps",
           .meaning = "number of steps between rows of diagnostics.csv. No default if every_time is given",
           .kind = Kind::integer,
           .fallback = std::int64_t{10},
           .range = {.at_least = 1}}};
}

std::vector<Parameter> checkpoint_keys() {
  return {
      {.name = "output.checkpoints.every_minutes",
       .meaning =
           "minutes of wall time between checkpoints. No default if every_steps is given. There is always "
           "one at the end and when a signal stops the run; a run that fails keeps only earlier ones",
       .kind = Kind::number,
       .fallback = 15.,
       .range = {.above = 0}},
      {.name = "output.checkpoints.every_steps",
       .meaning = "number of steps between checkpoints",
       .kind = Kind::integer,
       .range = {.at_least = 1}},
      {.name = "output.checkpoints.keep",
       .meaning = "how many of the newest checkpoints are kept; 0: none is written",
       .kind = Kind::integer,
       .fallback = CheckpointSettings().keep,
       .range = {.at_least = 0, .at_most = 1000}}};
}

/// How files are written, whatever they hold.
std::vector<Parameter> writing_keys() {
  return {
      {.name = "output.on_write_error",
       .meaning = "what happens when a file can't be written. stop: the run stops; warn: it continues with a "
                  "warning",
       .kind = Kind::text,
       .fallback = std::string("stop"),
       .choices = {"stop", "warn"}},
      {.name = "output.writer_memory",
       .meaning =
           "MiB of output on each rank that may wait to be compressed and written while the flow continues. "
           "0: the flow waits for every file. Default: the ranks of a machine share a quarter of its free "
           "memory",
       .kind = Kind::integer,
       .range = {.at_least = 0, .at_most = 1048576}}};
}

std::string range_text(const Range& range) {
  Texts limits;
  if (range.above) limits.push_back(fmt::format("above {}", *range.above));
  if (range.at_least) limits.push_back(fmt::format("at least {}", *range.at_least));
  if (range.below) limits.push_back(fmt::format("below {}", *range.below));
  if (range.at_most) limits.push_back(fmt::format("at most {}", *range.at_most));
  return fmt::format("{}", fmt::join(limits, " and "));
}

std::string element_text(Kind kind, bool plural) {
  switch (kind) {
    case Kind::boolean:
      return "true or false";
    case Kind::integer:
    case Kind::integers:
      return plural ? "whole numbers" : "a whole number";
    case Kind::number:
    case Kind::numbers:
      return plural ? "numbers" : "a number";
    case Kind::text:
    case Kind::texts:
      return plural ? "names" : "a text";
  }
  return {};
}

}  // namespace

std::vector<std::string> problem_names() {
  Texts names;
  for (const auto& entry : problem_registry()) names.push_back(entry.name);
  return names;
}

ConfigSchema::ConfigSchema() {
  for (const auto& section : {problem_section(), grid_section(), physics_section(), numerics_section(),
                              run_section(), mpi_section(), output_section(), checkpoint_keys(),
                              writing_keys(), snapshot_keys("output.snapshots"), part_keys("NAME")})
    keys_.insert(keys_.end(), section.begin(), section.end());
}

ConfigSchema::ConfigSchema(const ProblemEntry& problem, const std::vector<std::string>& parts)
    : ConfigSchema() {
  std::erase_if(keys_,
                [](const Parameter& key) { return key.name.starts_with(std::string(parts_section) + "."); });
  for (const auto& part : parts)
    for (const Parameter& key : part_keys(part)) keys_.push_back(key);
  const Texts axes{"x", "y", "z"};
  for (int axis = 0; axis < 3; ++axis)
    key("grid.boundary." + axes[axis]).fallback =
        boundary_names[static_cast<std::size_t>(problem.default_boundary[axis])];
  key("physics.gamma").fallback = problem.default_gamma;
  key("physics.gravity").fallback = problem.default_gravity;
  key("output.directory").fallback = "results/" + problem.name;
  auto position = keys_.begin() + 1;  // behind problem.name
  for (Parameter own : problem.keys) {
    own.name = "problem." + own.name;
    position = keys_.insert(position, own) + 1;
  }
}

const Parameter* ConfigSchema::find(const std::string& key) const {
  const auto found =
      std::find_if(keys_.begin(), keys_.end(), [&](const Parameter& known) { return known.name == key; });
  return found == keys_.end() ? nullptr : &*found;
}

Parameter& ConfigSchema::key(const std::string& name) {
  const auto found =
      std::find_if(keys_.begin(), keys_.end(), [&](const Parameter& known) { return known.name == name; });
  require(found != keys_.end(), ExitCode::failed, "the table of keys has no '" + name + "'");
  return *found;
}

bool ConfigSchema::is_section(const std::string& name) const {
  const std::string prefix = name + ".";
  return name == parts_section || std::any_of(keys_.begin(), keys_.end(), [&](const Parameter& key) {
           return key.name.starts_with(prefix);
         });
}

std::vector<std::string> ConfigSchema::names_in(const std::string& section) const {
  const std::string prefix = section.empty() ? "" : section + ".";
  Texts names;
  for (const auto& key : keys_) {
    if (!key.name.starts_with(prefix)) continue;
    const std::string name =
        key.name.substr(prefix.size(), key.name.find('.', prefix.size()) - prefix.size());
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::vector<std::string> ConfigSchema::names_allowed_in(const std::string& section) const {
  Texts names = names_in(section);
  if (section + ".parts" == parts_section && std::find(names.begin(), names.end(), "parts") == names.end())
    names.emplace_back("parts");
  return names;
}

bool is_list(Kind kind) { return kind == Kind::numbers || kind == Kind::integers || kind == Kind::texts; }

std::string expectation(const Parameter& key) {
  if (!key.choices.empty() && !is_list(key.kind))
    return fmt::format("one of: {}", fmt::join(key.choices, ", "));
  const std::string limits = range_text(key.range);
  if (!is_list(key.kind)) return element_text(key.kind, false) + (limits.empty() ? "" : " " + limits);
  std::string text = "a list of ";
  if (key.length) text += fmt::format("{} ", *key.length);
  text += element_text(key.kind, true);
  if (!limits.empty()) text += ", each " + limits;
  if (!key.choices.empty()) text += fmt::format(" out of: {}", fmt::join(key.choices, ", "));
  return text;
}

}  // namespace tayra
