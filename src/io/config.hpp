// The resolved config: what a YAML file, --set and the command line came to, every value checked.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/parameters.hpp"
#include "solver/problem.hpp"
#include "solver/simulation.hpp"

namespace tayra {

struct RunLimits {
  std::optional<double> time;
  std::optional<std::int64_t> steps;
};

/// Due every so much time or so many steps; what is unset never is.
struct Cadence {
  std::optional<double> every_time;
  std::optional<std::int64_t> every_steps;
};

enum class Compression { none, deflate };

struct SnapshotSettings {
  Cadence cadence;
  std::vector<std::string> fields;
  Precision precision = Precision::single;
  Compression compression = Compression::none;
  // Of a part of the box; unset: its ends.
  std::optional<Vec3> lower = {}, upper = {};
  std::array<int, 3> stride{1, 1, 1};
};

struct CheckpointSettings {
  std::optional<std::int64_t> every_steps;
  std::optional<double> every_minutes;  // of wall time
  std::int64_t keep = 2;                // zero: none is ever written
};

/// What a run does when a file can't be written.
enum class OnWriteError { stop, warn };

/// Sections of a config that decide the flow; the others say where it is computed and what is written.
inline const std::vector<std::string> flow_sections{"problem", "grid", "physics", "numerics"};

struct Config {
  std::string file;  // as the user named it
  std::string problem;
  Parameters problem_keys;  // without the prefix "problem."
  SolverSettings solver;    // device already resolved from auto
  RunLimits limits;
  std::optional<std::int64_t> audit_every_steps = {};  // unset: no step is computed a second time
  std::string output_directory;
  SnapshotSettings snapshots;                          // of the whole box
  std::map<std::string, SnapshotSettings> parts = {};  // of parts of it, by name
  Cadence diagnostics;
  CheckpointSettings checkpoints;
  OnWriteError on_write_error = OnWriteError::stop;
  // Bytes of output that may wait while the flow goes on; unset: a share of the free memory.
  std::optional<std::size_t> writer_memory = {};
  // Every key with its value, as config.yaml holds it; reads back to the same Config.
  std::string resolved_yaml = {};
  // The part of it that decides the flow, whatever it runs on and wherever it goes: in snapshots and
  // checkpoints.
  std::string flow_yaml = {};
  std::map<std::string, std::string> places = {};  // of each key that was given: "a.yaml:12", "--set …"
  // Keys of the problem that were not given and follow from others, with their values.
  Parameters derived = {};
};

/// A value that the command line puts over the file's.
struct Override {
  std::string key;              // full: "numerics.cfl"
  std::string value;            // YAML
  std::string place;            // what error messages call it: "--set numerics.cfl=2"
  bool null_takes_away = true;  // false: a null is a mistake (--gpus, --slabs)
};

/// Whether the devices that a config wants must be those of this machine.
enum class Devices { here, anywhere };

/// Later overrides win. `continued` is the config of a run that goes on: what follows from other keys stays
/// what it was there. Throws Error(bad_input) or, for a device that can't be had here, Error(unavailable).
Config load_config(const std::string& file, const std::vector<Override>& overrides = {},
                   Devices devices = Devices::here, const std::string& continued = {});

/// The part that decides the flow of a config that an older version may have resolved, with the values that
/// keys have which it did not know or did not write. A text that can't be read stays as it is.
std::string completed_flow(const std::string& resolved);

ProblemSetting problem_setting(const Config& config);
/// Throws Error(bad_input) for keys that are impossible together.
std::unique_ptr<Problem> make_problem(const Config& config);

/// "a.yaml:12: key: problem".
Error config_error(const Config& config, ExitCode code, const std::string& key, const std::string& problem);

}  // namespace tayra
