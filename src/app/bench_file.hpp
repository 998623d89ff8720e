// The files that a benchmark leaves: JSON by the convention of docs/files.md, and its rows as CSV. They are
// written every second, so that what is measured is kept, and a killed sweep can go on from the JSON.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "core/spread.hpp"
#include "io/json.hpp"
#include "solver/simulation.hpp"

namespace tayra {

struct BenchFileOptions {
  std::string path;     // empty: nothing is written
  std::string csv;      // the rows once more, as a table; empty: none
  bool resume = false;  // rows that it holds already are not measured again
};

/// --json and --csv; returns the first.
CLI::Option* add_bench_outputs(CLI::App& command, BenchFileOptions& options);
/// And --resume.
void add_bench_file_options(CLI::App& command, BenchFileOptions& options);

/// Names of the GPUs, or of the processor.
std::vector<std::string> names_of_devices(DeviceKind kind);

class BenchFile {
 public:
  /// `conditions`: what holds for every row. Throws Error(bad_input) when the file can't be written, or was
  /// measured under other conditions. All ranks must construct it together.
  BenchFile(const BenchFileOptions& options, const std::string& benchmark,
            const std::vector<std::string>& devices, const Json& conditions);

  /// Whether there is a row whose case columns have these values. All ranks must call it together.
  bool has(const Json& bench_case) const;
  void add(const Json& row);
  void skip(const Json& bench_case);
  /// Call at the end.
  void write();

 private:
  void take_over(const Json& old);
  void write_now_and_then();

  std::string path_, csv_;
  std::chrono::steady_clock::time_point written_ = {};
  Json header_ = Json::object();
  std::vector<Json> rows_;
  std::vector<Json> skipped_;
};

/// A case with its time as columns: NAME, NAME_least, NAME_most.
Json with_spread(Json row, const std::string& name, const Spread& spread);

}  // namespace tayra
