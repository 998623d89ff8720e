// From checked values to a Config, and back to YAML.
#include "io/config.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <cstdint>

#include "io/config_checks.hpp"
#include "io/config_document.hpp"
#include "io/config_schema.hpp"
#include "io/config_value.hpp"
#include "io/config_values.hpp"
#include "solver/placement.hpp"
#include "solver/problems/layer_keys.hpp"

namespace tayra {
namespace {

template <class T>
std::optional<T> optional_value(const Parameters& values, const std::string& key) {
  const auto found = values.all().find(key);
  return found == values.all().end() ? std::nullopt : std::optional(std::get<T>(found->second));
}

Cadence read_cadence(const Parameters& values, const std::string& section) {
  return {.every_time = optional_value<double>(values, section + ".every_time"),
          .every_steps = optional_value<std::int64_t>(values, section + ".every_steps")};
}

std::optional<Vec3> read_corner(const Parameters& values, const std::string& key) {
  const auto corner = optional_value<std::vector<double>>(values, key);
  if (!corner) return std::nullopt;
  return Vec3{(*corner)[0], (*corner)[1], (*corner)[2]};
}

SnapshotSettings read_snapshot_settings(const Parameters& values, const std::string& section) {
  return {.cadence = read_cadence(values, section),
          .fields = values.texts(section + ".fields"),
          .precision = precision_named(values.text(section + ".precision")),
          .compression =
              values.text(section + ".compression") == "deflate" ? Compression::deflate : Compression::none};
}

SnapshotSettings read_part(const Parameters& values, const std::string& section) {
  SnapshotSettings part = read_snapshot_settings(values, section);
  part.lower = read_corner(values, section + ".lower");
  part.upper = read_corner(values, section + ".upper");
  const auto stride = values.integers(section + ".stride");
  for (int axis = 0; axis < 3; ++axis) part.stride[axis] = static_cast<int>(stride[axis]);
  return part;
}

std::map<std::string, SnapshotSettings> read_parts(const ConfigSchema& schema, const Parameters& values) {
  std::map<std::string, SnapshotSettings> parts;
  for (const auto& name : schema.names_in(parts_section))
    parts[name] = read_part(values, std::string(parts_section) + "." + name);
  return parts;
}

CheckpointSettings read_checkpoint_settings(const Parameters& values) {
  return {.every_steps = optional_value<std::int64_t>(values, "output.checkpoints.every_steps"),
          .every_minutes = optional_value<double>(values, "output.checkpoints.every_minutes"),
          .keep = values.integer("output.checkpoints.keep")};
}

GpuAwareMpi gpu_aware_named(const std::string& name) {
  if (name == "auto") return GpuAwareMpi::automatic;
  return name == "on" ? GpuAwareMpi::on : GpuAwareMpi::off;
}

Grid read_grid(const Parameters& values) {
  const auto cells = values.integers("grid.cells");
  const auto lower = values.numbers("grid.lower");
  const auto upper = values.numbers("grid.upper");
  const char* const axes[] = {"x", "y", "z"};
  Grid grid;
  for (int axis = 0; axis < 3; ++axis) {
    grid.cells[axis] = static_cast<int>(cells[axis]);
    grid.lower[axis] = lower[axis];
    grid.upper[axis] = upper[axis];
    grid.boundary[axis] = boundary_named(values.text(std::string("grid.boundary.") + axes[axis]));
  }
  return grid;
}

SolverSettings read_solver_settings(const Parameters& values) {
  const std::int64_t gpus = values.integer("run.gpus");
  return {.grid = read_grid(values),
          .gamma = values.number("physics.gamma"),
          .gravity = values.number("physics.gravity"),
          .scheme = values.text("numerics.scheme"),
          .precision = precision_named(values.text("numerics.precision")),
          .positivity = values.flag("numerics.positivity"),
          .cfl = values.number("numerics.cfl"),
          .fixed_dt = optional_value<double>(values, "numerics.dt"),
          .gpus = static_cast<int>(gpus),
          .slabs = static_cast<int>(optional_value<std::int64_t>(values, "run.slabs").value_or(gpus)),
          .halo = values.text("run.halo"),
          .gpu_aware_mpi = gpu_aware_named(values.text("mpi.gpu_aware")),
          .patience = values.number("run.patience")};
}

Parameters without_prefix(const Parameters& values, const std::string& prefix) {
  Parameters own;
  for (const auto& [key, value] : values.all())
    if (key.starts_with(prefix)) own.set(key.substr(prefix.size()), value);
  return own;
}

DeviceKind resolve_device(const Config& config, const std::string& wanted) {
  const int gpus = config.solver.gpus;
  if (wanted == "cpu" && gpus > 1)
    throw config_error(
        config, ExitCode::bad_input, "run.gpus",
        fmt::format("{} GPUs, with device cpu: set run.device to cuda, or run.gpus to 1", gpus));
  const bool none_needed = wanted == "auto" && gpus == 1 && cuda_devices().empty();
  return wanted == "cpu" || none_needed ? DeviceKind::cpu : DeviceKind::cuda;
}

void require_devices(const Config& config) {
  const std::string missing = missing_devices(config.solver);
  if (!missing.empty())
    throw config_error(config, ExitCode::unavailable, config.solver.gpus > 1 ? "run.gpus" : "run.device",
                       missing);
}

bool has_any(const Parameters& values, const std::string& section) {
  const auto first = values.all().lower_bound(section + ".");
  return first != values.all().end() && first->first.starts_with(section + ".");
}

void write_section(YAML::Emitter& yaml, const ConfigSchema& schema, const Parameters& values,
                   const std::string& section) {
  yaml << YAML::BeginMap;
  for (const auto& name : schema.names_in(section)) {
    const std::string key = section + "." + name;
    if (schema.is_section(key)) {
      if (!has_any(values, key)) continue;
      yaml << YAML::Key << name << YAML::Value;
      write_section(yaml, schema, values, key);
    } else if (values.has(key)) {
      yaml << YAML::Key << name << YAML::Value;
      write_value(yaml, values.all().at(key));
    }
  }
  yaml << YAML::EndMap;
}

std::string to_yaml(const ConfigSchema& schema, const Parameters& values,
                    const std::vector<std::string>& sections) {
  YAML::Emitter yaml;
  yaml << YAML::BeginMap;
  for (const auto& section : sections) {
    yaml << YAML::Key << section << YAML::Value;
    write_section(yaml, schema, values, section);
  }
  yaml << YAML::EndMap;
  return std::string(yaml.c_str()) + "\n";
}

std::optional<std::size_t> writer_memory(const Parameters& values) {
  const auto mebibytes = optional_value<std::int64_t>(values, "output.writer_memory");
  return mebibytes ? std::optional(std::size_t(*mebibytes) << 20) : std::nullopt;
}

Config to_config(const std::string& file, const ConfigDocument& document, const ConfigSchema& schema,
                 const Parameters& values) {
  Config config{.file = file,
                .problem = values.text("problem.name"),
                .problem_keys = without_prefix(values, "problem."),
                .solver = read_solver_settings(values),
                .limits = {.time = optional_value<double>(values, "run.time"),
                           .steps = optional_value<std::int64_t>(values, "run.steps")},
                .audit_every_steps = optional_value<std::int64_t>(values, "run.audit.every_steps"),
                .output_directory = values.text("output.directory"),
                .snapshots = read_snapshot_settings(values, "output.snapshots"),
                .parts = read_parts(schema, values),
                .diagnostics = read_cadence(values, "output.diagnostics"),
                .checkpoints = read_checkpoint_settings(values),
                .on_write_error =
                    values.text("output.on_write_error") == "warn" ? OnWriteError::warn : OnWriteError::stop,
                .writer_memory = writer_memory(values)};
  for (const auto& [key, entry] : document) config.places[key] = entry.place;
  return config;
}

/// Returns what it has added. A run that goes on keeps its own.
Parameters derive(const ProblemEntry& problem, Parameters& values, const Parameters& continued) {
  Parameters keys = without_prefix(values, "problem.");
  for (const Parameter& key : problem.keys)
    if (const std::string name = "problem." + key.name; continued.has(name) && !keys.has(key.name))
      keys.set(key.name, continued.all().at(name));
  if (problem.derive)
    problem.derive(keys,
                   {read_grid(values), values.number("physics.gamma"), values.number("physics.gravity")});
  Parameters derived;
  for (const Parameter& key : problem.keys)
    if (const std::string name = "problem." + key.name; keys.has(key.name) && !values.has(name)) {
      derived.set(name, keys.all().at(key.name));
      values.set(name, keys.all().at(key.name));
    }
  return derived;
}

/// Older versions wrote no derived values. Only the pressure followed from the others by another rule.
Parameters values_of_continued(const ConfigDocument& document, const ConfigSchema& schema) {
  Parameters values = read_values("", schema, document);
  if (schema.find("problem.pressure") && !values.has("problem.pressure"))
    values.set("problem.pressure", pressure_of_older_runs({.grid = read_grid(values),
                                                           .gravity = values.number("physics.gravity")},
                                                          values.number("problem.density")));
  derive(chosen_problem("", document), values, {});
  return values;
}

/// Of a run of this problem; else there is nothing to go on from, which whoever compares the two says.
Parameters read_continued(const std::string& text) {
  if (text.empty()) return {};
  try {
    const ConfigDocument document = read_config_text(text, "");
    return values_of_continued(document, ConfigSchema(chosen_problem("", document), part_names(document)));
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

std::string completed_flow(const std::string& resolved) {
  const Parameters values = read_continued(resolved);
  if (values.all().empty()) return resolved;
  return to_yaml(ConfigSchema(*find_problem(values.text("problem.name"))), values, flow_sections);
}

Config load_config(const std::string& file, const std::vector<Override>& overrides, Devices devices,
                   const std::string& continued) {
  ConfigDocument document = read_config_file(file);
  for (const auto& override_ : overrides) lay_over(document, read_override(override_));
  const ConfigSchema schema(chosen_problem(file, document), part_names(document));
  Parameters values = read_values(file, schema, document);
  const Parameters derived = derive(chosen_problem(file, document), values, read_continued(continued));
  Config config = to_config(file, document, schema, values);
  config.derived = derived;
  check_together(config);
  config.solver.device = resolve_device(config, values.text("run.device"));
  if (devices == Devices::here) require_devices(config);
  values.set("run.device", std::string(config.solver.device == DeviceKind::cuda ? "cuda" : "cpu"));
  values.set("run.slabs", std::int64_t{config.solver.slabs});
  config.resolved_yaml = to_yaml(schema, values, schema.names_in(""));
  config.flow_yaml = to_yaml(schema, values, flow_sections);
  return config;
}

ProblemSetting problem_setting(const Config& config) {
  return {.grid = config.solver.grid, .gamma = config.solver.gamma, .gravity = config.solver.gravity};
}

std::unique_ptr<Problem> make_problem(const Config& config) {
  try {
    return find_problem(config.problem)->make(config.problem_keys, problem_setting(config));
  } catch (const Error& error) {  // a problem doesn't know where its keys were written
    const std::string message = error.what();
    const auto colon = message.find(": ");
    if (error.code() != ExitCode::bad_input || colon == std::string::npos) throw;
    const std::string key = message.substr(0, colon);  // one of the problem's, or physics.KEY
    throw config_error(config, ExitCode::bad_input, key.starts_with("physics.") ? key : "problem." + key,
                       message.substr(colon + 2));
  }
}

Error config_error(const Config& config, ExitCode code, const std::string& key, const std::string& problem) {
  const auto given = config.places.find(key);
  const std::string& place = given == config.places.end() ? config.file : given->second;
  return Error(code, fmt::format("{}: {}: {}", place, key, problem));
}

}  // namespace tayra
