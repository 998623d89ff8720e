// What a benchmark finds: a table on the screen, and its rows in files, as JSON by the convention of
// docs/files.md and as CSV. Files are written every second, so that what is measured is kept, and a killed
// sweep can go on from the JSON.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "core/device.hpp"
#include "core/spread.hpp"
#include "io/json.hpp"

namespace tayra {

struct FileOptions {
  std::string json;     // empty: nothing is written
  std::string csv;      // the rows once more, as a table; empty: none
  bool resume = false;  // rows that the JSON holds already are not measured again
};

/// --json and --csv; returns the first.
CLI::Option* add_file_options(CLI::App& command, FileOptions& options);
/// And --resume.
void add_resumable_file_options(CLI::App& command, FileOptions& options);

/// Names of the GPUs, or of the processor.
std::vector<std::string> names_of_devices(DeviceKind kind);

/// A case and what was measured of it: columns of the files beside cells on the screen.
class Row {
 public:
  /// In the files and, unless another cell is given, as it is on the screen.
  Row& add(const std::string& name, const Json& value);
  Row& add(const std::string& name, const Json& value, const std::string& cell);
  Row& add_rounded(const std::string& name, double value, int digits = 4);
  /// NAME, NAME_least and NAME_most; on the screen two cells.
  Row& add_time(const std::string& name, const Spread& time);
  /// In the files alone.
  Row& keep(const std::string& name, const Json& value);
  /// On the screen alone.
  Row& show(const std::string& cell);

  const Json& columns() const { return columns_; }
  const std::vector<std::string>& cells() const { return cells_; }

 private:
  Json columns_ = Json::object();
  std::vector<std::string> cells_;
};

/// Of the screen.
struct Column {
  std::string title;
  int width;
  bool is_left;
};
inline Column left(const char* title, int width) { return {title, width, true}; }
inline Column right(const char* title, int width) { return {title, width, false}; }

class Results {
 public:
  /// `conditions`: what holds for every row. Throws Error(bad_input) when a file can't be written, or was
  /// measured under other conditions. All ranks must construct it together.
  Results(const FileOptions& options, const std::string& benchmark, const std::vector<std::string>& devices,
          const Json& conditions);

  void start_table(const std::string& heading, const std::vector<Column>& columns);
  /// Whether there is a row of this case. All ranks must call it together.
  bool has(const Row& bench_case) const;
  void add(const Row& row);
  void skip(const Row& bench_case, const std::string& reason);
  /// Call at the end.
  void write();

 private:
  void check_files(const std::string& benchmark, bool resume);
  void take_over(const Json& old);
  std::string line(const std::vector<std::string>& cells) const;
  void write_now_and_then();

  std::string json_, csv_;
  std::chrono::steady_clock::time_point written_ = {};
  std::vector<Column> table_;
  Json header_ = Json::object();
  std::vector<Json> rows_, skipped_;
};

void print(const std::string& text);

}  // namespace tayra
