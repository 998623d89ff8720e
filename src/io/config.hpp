// The resolved config: what a YAML file, --set and the command line came to, every value checked.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/key.hpp"
#include "io/json.hpp"
#include "solver/problem.hpp"
#include "solver/simulation.hpp"

namespace tayra {

struct RunLimits {
  std::optional<double> time;
  std::optional<std::int64_t> steps;
  std::optional<double> wall_minutes = {};  // since the process began; the flow may then go on
};

/// Due every so much time or so many steps; what is unset never is.
struct Cadence {
  std::optional<double> every_time = {};
  std::optional<std::int64_t> every_steps = {};

  bool is_set() const { return every_time || every_steps; }
};

enum class Compression { none, deflate };
enum class MeanAlong { none, x, y, z };

struct SnapshotSettings {
  Cadence cadence;
  std::vector<std::string> fields{"density", "velocity", "pressure"};
  Precision precision = Precision::single;
  Compression compression = Compression::none;
  // Of a part of the box; unset: its ends.
  std::optional<Vec3> lower = {}, upper = {};
  std::array<int, 3> stride{1, 1, 1};
  bool one_file = false;  // for all times
  MeanAlong mean_along = MeanAlong::none;
};
using PartSettings = std::pair<const std::string, SnapshotSettings>;  // with its name

/// The newest state in small, for who looks at a run under way.
struct PictureSettings {
  double every_seconds = 2;  // of wall time; zero: none is ever made
  std::vector<std::string> fields{"density"};
  std::array<std::optional<double>, 3> slices = {};  // across each axis, where there is one
  std::vector<std::string> projections = {};         // along these axes

  bool are_wanted() const { return every_seconds > 0; }
};

struct CheckpointSettings {
  std::optional<std::int64_t> every_steps = {};
  std::optional<double> every_minutes = {};  // of wall time
  std::int64_t keep = 2;                     // zero: none is ever written
};

/// Of planes' waves; of no fields: none.
struct SpectraSettings {
  Cadence cadence = {};  // unset: the statistics' own
  std::vector<std::string> fields = {};
  double layer = 0.5;
  std::vector<double> heights = {};  // instead of the layer
};

/// Histograms; of no fields: none.
struct PdfSettings {
  Cadence cadence = {};  // unset: the statistics' own
  std::vector<std::string> fields = {};
  std::int64_t bins = 64;
  std::vector<double> lower = {}, upper = {};  // of the bins, one a field; none: 0 and 1
  std::optional<double> layer = {};            // unset: of the whole box
};

/// What is measured into statistics.h5. Without a cadence nothing is.
struct StatisticsSettings {
  Cadence cadence = {};
  bool profiles = true;
  SpectraSettings spectra = {};
  PdfSettings pdf = {};

  // Of each kind of rows; unset where there are none.
  Cadence of_profiles() const { return profiles ? cadence : Cadence(); }
  Cadence of_spectra() const { return of(spectra); }
  Cadence of_pdf() const { return of(pdf); }
  bool are_wanted() const { return of_profiles().is_set() || of_spectra().is_set() || of_pdf().is_set(); }

 private:
  Cadence of(const auto& kind) const {
    if (kind.fields.empty()) return {};
    return kind.cadence.is_set() ? kind.cadence : cadence;
  }
};

/// What a run does when a file can't be written.
enum class OnWriteError { stop, warn };

/// The keys of each member, their limits and their meaning are in config_keys.cpp.
struct Config {
  std::string file;  // as the user named it
  std::string problem;
  std::shared_ptr<Problem> problem_keys;  // copies share them, and nobody changes them
  SolverSettings solver;                  // device already resolved from auto
  std::string device = "auto";            // as wanted, and at last as resolved
  std::optional<int> cut_y = 1;           // as wanted; unset: the solver's is the likely one
  RunLimits limits;
  std::optional<std::int64_t> audit_every_steps = {};  // unset: no step is computed a second time
  std::string output_directory;
  SnapshotSettings snapshots;                          // of the whole box
  std::map<std::string, SnapshotSettings> parts = {};  // of parts of it, by name
  PictureSettings pictures = {};
  Cadence diagnostics{.every_steps = 10};
  StatisticsSettings statistics = {};
  CheckpointSettings checkpoints{.every_minutes = 15};
  OnWriteError on_write_error = OnWriteError::stop;
  // Of output that may wait while the flow goes on; unset: a share of the free memory.
  std::optional<std::int64_t> writer_mebibytes = {};
  // Every key with its value, as config.yaml holds it; reads back to the same Config.
  std::string resolved_yaml = {};
  // The part of it that decides the flow, whatever it runs on and wherever it goes: in snapshots and
  // checkpoints.
  std::string flow_yaml = {};
  std::map<std::string, std::string> places = {};  // of each key that was given: "a.yaml:12", "--set …"
  std::vector<std::string> renamed = {};           // what is to be said of keys that had other names
  // Keys of the problem that were not given and follow from others, with their values.
  std::map<std::string, Json> derived = {};
};

/// The parts with a file for each time, and those with one for all.
std::vector<const PartSettings*> parts_in_files(const Config& config);
std::vector<const PartSettings*> parts_in_one_file(const Config& config);

/// In bytes.
inline std::size_t writer_memory(const Config& config, std::size_t usual) {
  return config.writer_mebibytes ? static_cast<std::size_t>(*config.writer_mebibytes) << 20 : usual;
}

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

/// "numerics.cfl is 0.6 there, 0.5 here" for every key that differs between two resolved configs, of which an
/// older version may have written the first: it has the values that keys have which that did not know or did
/// not write. How long a run goes, on what, what it writes and how it uses MPI (the sections run, output and
/// mpi) may differ.
std::vector<std::string> differing_keys(const std::string& there, const std::string& here);

/// Whether a run that began with the first config may go on with the second one, which has nothing else but
/// another gravity: it varies, and begins as it did there, so that the background is the same.
bool gravity_changes(const std::string& there, const Config& here);

/// Of a config, for editors and validators. Draft 7; what it accepts, `tayra check` accepts up to values that
/// are impossible together and a directory that begins with ~ or $.
std::string config_json_schema();

/// Throws Error(bad_input) for keys that are impossible together.
std::unique_ptr<Problem> make_problem(const Config& config);

/// "a.yaml:12: key: problem".
Error config_error(const Config& config, ExitCode code, const std::string& key, const std::string& problem);

}  // namespace tayra
