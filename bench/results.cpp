// Rows put into lines and files; which files may be replaced or gone on with.
#include "bench/results.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <system_error>

#include "core/error.hpp"
#include "core/process.hpp"
#include "grid/ranks.hpp"
#include "grid/together.hpp"
#include "io/file.hpp"
#include "io/json.hpp"
#include "tayra_version.hpp"

namespace tayra {
namespace {

namespace fs = std::filesystem;

/// Makes the file's folder where it is missing. What can't be written is better known now than after minutes
/// of measuring.
void prepare_file(const std::string& option, const std::string& path) {
  const auto require_that = [&](bool holds, const std::string& or_else) {
    require(holds, ExitCode::bad_input, fmt::format("{} {}: {}", option, path, or_else));
  };
  if (path.empty()) return;
  std::error_code unknown;
  const fs::file_status found = fs::status(path, unknown);
  require_that(!fs::path(path).filename().empty() && !fs::is_directory(found), "is a folder: name a file");
  require_that(fs::status_known(found),  // or it is a link that leads in a circle
               fmt::format("can't be used ({}): name another file", unknown.message()));
  require_that(path != "-", "name a file: the screen has the results anyway");
  const fs::path folder = fs::absolute(path).parent_path();
  fs::create_directories(folder, unknown);
  require_that(!unknown, fmt::format("its folder can't be made ({}): name another file", unknown.message()));
  const bool is_ours = access(folder.c_str(), W_OK | X_OK) == 0;
  require_that(is_ours, fmt::format("its folder can't be written to ({})", std::strerror(errno)));
  require_that(!fs::exists(found) || fs::is_regular_file(found), "is no ordinary file: name another");
}

bool are_same_file(const std::string& one, const std::string& other) {
  std::error_code unknown;
  return fs::weakly_canonical(fs::absolute(one), unknown) ==
         fs::weakly_canonical(fs::absolute(other), unknown);
}

bool is_of_benchmark(const std::string& path, const std::string& benchmark) {
  try {
    const Json file = read_json_file(path);
    const Json* name = file.find("benchmark");
    return name != nullptr && name->text() == Json(benchmark).text();
  } catch (const Error&) {
    return false;
  }
}

/// Known by its time with the extremes; one without rows is an empty line.
bool is_table_of_benchmark(const std::string& path) {
  std::ifstream file(path);
  std::string header;
  std::getline(file, header);
  if (!file.is_open()) return false;
  if (header.empty()) return file.peek() == std::ifstream::traits_type::eof();
  return std::regex_search(header, std::regex(R"(\b(\w+),\1_least,\1_most\b)"));
}

/// Whichever way the program was started, as the user types it.
std::vector<std::string> command_typed() {
  std::vector<std::string> words = command_words();
  words.front() = "bench";
  words.insert(words.begin(), "tayra");
  return words;
}

bool holds(const Json& row, const Json& bench_case) {
  const auto columns = bench_case.entries();
  return std::all_of(columns.begin(), columns.end(), [&](const auto& column) {
    const Json* value = row.find(column.first);
    return value != nullptr && value->text() == column.second.text();
  });
}

std::string plain_text(const Json& value) {
  return value.string() != nullptr ? *value.string() : value.text();
}

/// By the rule of RFC 4180. Grids get a column for each axis.
std::string csv_cell(const Json& value) {
  std::vector<std::string> cells;
  for (const Json& element : value.elements()) cells.push_back(element.text());
  if (!cells.empty()) return fmt::format("{}", fmt::join(cells, ","));
  std::string text = plain_text(value);
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  for (auto quote = text.find('"'); quote != std::string::npos; quote = text.find('"', quote + 2))
    text.insert(quote, 1, '"');
  return '"' + text + '"';
}

std::string as_csv(const std::vector<Json>& rows) {
  std::vector<std::string> columns;
  for (const Json& row : rows)
    for (const auto& entry : row.entries())
      if (std::find(columns.begin(), columns.end(), entry.first) == columns.end())
        columns.push_back(entry.first);
  const auto line_of = [&](const auto& cell_of) {
    std::vector<std::string> cells;
    for (const std::string& column : columns) cells.push_back(cell_of(column));
    return fmt::format("{}\n", fmt::join(cells, ","));
  };
  std::string text =
      line_of([](const std::string& column) { return column == "cells" ? "nx,ny,nz" : column; });
  for (const Json& row : rows)
    text += line_of([&](const std::string& column) {
      const Json* value = row.find(column);
      return value == nullptr ? "" : csv_cell(*value);
    });
  return text;
}

}  // namespace

CLI::Option* add_file_options(CLI::App& command, FileOptions& options) {
  CLI::Option* json = command.add_option("--json", options.json, "Write all results to FILE, row by row");
  command.add_option("--csv", options.csv, "Write the rows to FILE as a table")->type_name("FILE");
  return json->type_name("FILE");
}

void add_resumable_file_options(CLI::App& command, FileOptions& options) {
  CLI::Option* json = add_file_options(command, options);
  command
      .add_flag("--resume", options.resume, "Keep the results that FILE already holds and measure the rest")
      ->needs(json);
}

std::vector<std::string> names_of_devices(DeviceKind kind) {
  if (kind == DeviceKind::cpu) return {processor_name()};
  std::vector<std::string> names;
  for (const DeviceInfo& info : cuda_devices()) names.push_back(info.name);
  return names;
}

Row& Row::add(const std::string& name, const Json& value) { return add(name, value, plain_text(value)); }

Row& Row::add(const std::string& name, const Json& value, const std::string& cell) {
  return keep(name, value).show(cell);
}

Row& Row::add_rounded(const std::string& name, double value, int digits) {
  return add(name, value, fmt::format("{:.{}g}", value, digits));
}

Row& Row::add_time(const std::string& name, const Spread& time) {
  keep(name, time.median).keep(name + "_least", time.least).keep(name + "_most", time.most);
  return show(fmt::format("{:.4g}", time.median)).show(fmt::format("{:.4g} - {:.4g}", time.least, time.most));
}

Row& Row::keep(const std::string& name, const Json& value) {
  columns_.set(name, value);
  return *this;
}

Row& Row::show(const std::string& cell) {
  cells_.push_back(cell);
  return *this;
}

Results::Results(const FileOptions& options, const std::string& benchmark,
                 const std::vector<std::string>& devices, const Json& conditions)
    : json_(options.json), csv_(options.csv) {
  header_.set("benchmark", benchmark).set("tayra", version).set("commit", commit);
  header_.set("machine", host_name()).set("devices", devices).set("command", command_typed());
  header_.set("ranks", ranks().size());
  for (const auto& [key, value] : conditions.entries()) header_.set(key, value);
  // Only the first rank's files count: nodes need not share a disk.
  do_together([&] {
    if (ranks().is_first()) check_files(benchmark, options.resume);
  });
}

void Results::check_files(const std::string& benchmark, bool resume) {
  require(json_.empty() || csv_.empty() || !are_same_file(json_, csv_), ExitCode::bad_input,
          fmt::format("--csv {}: is the file of --json: name another", csv_));
  prepare_file("--json", json_);
  prepare_file("--csv", csv_);
  require(!fs::is_regular_file(csv_) || is_table_of_benchmark(csv_), ExitCode::bad_input,
          fmt::format("--csv {}: exists and is not a table of a benchmark: name another", csv_));
  if (!fs::is_regular_file(json_)) return;
  if (resume) return take_over(read_json_file(json_));
  require(is_of_benchmark(json_, benchmark), ExitCode::bad_input,
          fmt::format("--json {}: exists and is not a file of bench {}: name another", json_, benchmark));
}

void Results::take_over(const Json& old) {
  for (const auto& [key, value] : header_.entries()) {
    if (key == "command") continue;
    const Json* before = old.find(key);
    const std::string found = before == nullptr ? "nothing" : before->text();
    require(found == value.text(), ExitCode::bad_input,
            fmt::format("--resume: {} was measured with '{}' {}, which is now {}: measure anew, without "
                        "--resume",
                        json_, key, found, value.text()));
  }
  if (const Json* rows = old.find("rows")) rows_ = rows->elements();
  if (!rows_.empty())
    print(fmt::format("{} already has {} rows, which are not measured again\n", json_, rows_.size()));
}

void Results::start_table(const std::string& heading, const std::vector<Column>& columns) {
  table_ = columns;
  std::vector<std::string> titles;
  for (const Column& column : columns) titles.push_back(column.title);
  print(heading + line(titles) + "\n");
}

bool Results::has(const Row& bench_case) const {
  return ranks().from_first(std::any_of(rows_.begin(), rows_.end(),
                                        [&](const Json& row) { return holds(row, bench_case.columns()); }));
}

void Results::add(const Row& row) {
  print(line(row.cells()) + "\n");
  rows_.push_back(row.columns());
  write_now_and_then();
}

void Results::skip(const Row& bench_case, const std::string& reason) {
  print(fmt::format("{}  skipped: {}\n", line(bench_case.cells()), reason));
  skipped_.push_back(Json(bench_case.columns()).set("reason", reason));
  write_now_and_then();
}

/// Cells beyond the titles stand as they are.
std::string Results::line(const std::vector<std::string>& cells) const {
  std::vector<std::string> padded = cells;
  for (std::size_t i = 0; i < std::min(cells.size(), table_.size()); ++i) {
    const auto& [title, width, is_left] = table_[i];
    padded[i] = is_left ? fmt::format("{:<{}}", cells[i], width) : fmt::format("{:>{}}", cells[i], width);
  }
  return fmt::format("{}", fmt::join(padded, "  "));
}

void Results::write_now_and_then() {
  if (std::chrono::steady_clock::now() - written_ > std::chrono::seconds(1)) write();
}

void Results::write() {
  written_ = std::chrono::steady_clock::now();
  if (!ranks().is_first()) return;
  if (!json_.empty())
    write_text_file(json_, Json(header_).set("rows", rows_).set("skipped", skipped_).text() + "\n");
  if (!csv_.empty()) write_text_file(csv_, as_csv(rows_));
}

void print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

}  // namespace tayra
