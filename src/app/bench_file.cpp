// What the file begins with, which rows it already holds, and that a sweep goes on only under the same
// conditions.
#include "app/bench_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "app/bench_options.hpp"
#include "app/processor.hpp"
#include "core/error.hpp"
#include "core/process.hpp"
#include "grid/ranks.hpp"
#include "grid/together.hpp"
#include "io/json_file.hpp"
#include "io/text_file.hpp"
#include "tayra_version.hpp"

namespace tayra {
namespace {

namespace fs = std::filesystem;

bool holds(const Json& row, const Json& bench_case) {
  const auto columns = bench_case.entries();
  return std::all_of(columns.begin(), columns.end(), [&](const auto& column) {
    const Json* value = row.find(column.first);
    return value != nullptr && value->text() == column.second.text();
  });
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
  std::string header, cell, before, two_before;
  std::getline(file, header);
  if (!file.is_open()) return false;
  if (header.empty()) return file.peek() == std::ifstream::traits_type::eof();
  std::istringstream cells(header);
  for (; std::getline(cells, cell, ','); two_before = std::exchange(before, cell))
    if (before == two_before + "_least" && cell == two_before + "_most") return true;
  return false;
}

bool are_same_file(const std::string& one, const std::string& other) {
  std::error_code unknown;
  return fs::weakly_canonical(fs::absolute(one), unknown) ==
         fs::weakly_canonical(fs::absolute(other), unknown);
}

/// By the rule of RFC 4180.
std::string csv_text(std::string text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  for (auto quote = text.find('"'); quote != std::string::npos; quote = text.find('"', quote + 2))
    text.insert(quote, 1, '"');
  return '"' + text + '"';
}

/// Grids get a column for each axis.
std::string csv_cell(const Json& value) {
  const auto elements = value.elements();
  if (!elements.empty()) {
    std::vector<std::string> cells;
    for (const Json& element : elements) cells.push_back(element.text());
    return fmt::format("{}", fmt::join(cells, ","));
  }
  return value.string() != nullptr ? csv_text(*value.string()) : value.text();
}

std::vector<std::string> columns_of(const std::vector<Json>& rows) {
  std::vector<std::string> columns;
  for (const Json& row : rows)
    for (const auto& entry : row.entries())
      if (std::find(columns.begin(), columns.end(), entry.first) == columns.end())
        columns.push_back(entry.first);
  return columns;
}

std::string as_csv(const std::vector<Json>& rows) {
  const auto columns = columns_of(rows);
  std::vector<std::string> cells;
  for (const std::string& name : columns) cells.push_back(name == "cells" ? "nx,ny,nz" : name);
  std::string text = fmt::format("{}\n", fmt::join(cells, ","));
  for (const Json& row : rows) {
    cells.clear();
    for (const std::string& name : columns) cells.push_back(row.find(name) ? csv_cell(*row.find(name)) : "");
    text += fmt::format("{}\n", fmt::join(cells, ","));
  }
  return text;
}

}  // namespace

CLI::Option* add_bench_outputs(CLI::App& command, BenchFileOptions& options) {
  CLI::Option* json = command.add_option("--json", options.path, "Write all results to FILE, row by row");
  command.add_option("--csv", options.csv, "Write the rows to FILE as a table")->type_name("FILE");
  return json->type_name("FILE");
}

void add_bench_file_options(CLI::App& command, BenchFileOptions& options) {
  CLI::Option* json = add_bench_outputs(command, options);
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

BenchFile::BenchFile(const BenchFileOptions& options, const std::string& benchmark,
                     const std::vector<std::string>& devices, const Json& conditions)
    : path_(options.path), csv_(options.csv) {
  header_.set("benchmark", benchmark).set("tayra", version).set("commit", commit);
  header_.set("machine", host_name()).set("devices", devices).set("command", command_words());
  header_.set("ranks", ranks().size());
  for (const auto& [key, value] : conditions.entries()) header_.set(key, value);
  // Only the first rank's file counts: nodes need not share a disk.
  do_together([&] {
    if (!ranks().is_first()) return;
    require(path_.empty() || csv_.empty() || !are_same_file(path_, csv_), ExitCode::bad_input,
            fmt::format("--csv {}: is the file of --json: name another", csv_));
    prepare_file("--json", path_);
    prepare_file("--csv", csv_);
    require(!fs::is_regular_file(csv_) || is_table_of_benchmark(csv_), ExitCode::bad_input,
            fmt::format("--csv {}: exists and is not a table of a benchmark: name another", csv_));
    if (!fs::is_regular_file(path_)) return;
    if (options.resume) return take_over(read_json_file(path_));
    require(is_of_benchmark(path_, benchmark), ExitCode::bad_input,
            fmt::format("--json {}: exists and is not a file of bench {}: name another", path_, benchmark));
  });
}

void BenchFile::take_over(const Json& old) {
  for (const auto& [key, value] : header_.entries()) {
    if (key == "command") continue;
    const Json* before = old.find(key);
    const std::string found = before == nullptr ? "nothing" : before->text();
    require(found == value.text(), ExitCode::bad_input,
            fmt::format("--resume: {} was measured with '{}' {}, which is now {}: measure anew, without "
                        "--resume",
                        path_, key, found, value.text()));
  }
  if (const Json* rows = old.find("rows")) rows_ = rows->elements();
  if (!rows_.empty())
    show(fmt::format("{} already has {} rows, which are not measured again\n", path_, rows_.size()));
}

bool BenchFile::has(const Json& bench_case) const {
  return ranks().from_first(
      std::any_of(rows_.begin(), rows_.end(), [&](const Json& row) { return holds(row, bench_case); }));
}

void BenchFile::add(const Json& row) {
  rows_.push_back(row);
  write_now_and_then();
}

void BenchFile::skip(const Json& bench_case) {
  skipped_.push_back(bench_case);
  write_now_and_then();
}

void BenchFile::write_now_and_then() {
  if (std::chrono::steady_clock::now() - written_ > std::chrono::seconds(1)) write();
}

void BenchFile::write() {
  written_ = std::chrono::steady_clock::now();
  if (!ranks().is_first()) return;
  if (!path_.empty())
    write_text_file(path_, Json(header_).set("rows", rows_).set("skipped", skipped_).text() + "\n");
  if (!csv_.empty()) write_text_file(csv_, as_csv(rows_));
}

Json with_spread(Json row, const std::string& name, const Spread& spread) {
  return row.set(name, spread.median).set(name + "_least", spread.least).set(name + "_most", spread.most);
}

}  // namespace tayra
