// Growing text files.
#include "io/log_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "io/file.hpp"

namespace tayra {
namespace {

std::int64_t step_of(const std::string& row) {
  std::int64_t step = INT64_MAX;  // of what is no row
  std::from_chars(row.data(), row.data() + row.size(), step);
  return step;
}

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream stream(row);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  return cells;
}

/// A row with its cells under other names; no number where there was no such column.
std::string rearranged(const std::vector<std::string>& row, const std::vector<std::string>& names,
                       const std::vector<std::string>& wanted) {
  std::string text;
  for (const std::string& name : wanted) {
    const auto place = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    text += (text.empty() ? "" : ",") + (place < names.size() ? row[place] : "nan");
  }
  return text + "\n";
}

/// An older Tayra's log lacks columns: it gets them. One with columns that are no longer known stays as it
/// is.
void add_columns(const std::string& path, const std::string& header) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  if (!std::getline(file, line) || file.eof() || line == header) return;
  const auto names = cells_of(line), wanted = cells_of(header);
  const auto is_known = [&](const auto& name) { return std::count(wanted.begin(), wanted.end(), name) > 0; };
  if (!std::all_of(names.begin(), names.end(), is_known)) return;
  std::string text = header + "\n";
  while (std::getline(file, line) && !file.eof()) {
    const auto row = cells_of(line);
    if (row.size() != names.size()) break;  // noise, with which the log ends
    text += rearranged(row, names, wanted);
  }
  write_text_file(path, text);
}

/// Follows no link, and waits for no pipe. Never a file of another run that has come to the same path.
Descriptor open_log(const std::string& path, int flags) {
  Descriptor file = open_held(path, flags | O_NOFOLLOW | O_NONBLOCK);
  struct stat found {};
  const bool is_other = file.id() < 0 ? errno == ELOOP || errno == ENXIO || errno == EISDIR
                                      : ::fstat(file.id(), &found) == 0 && !S_ISREG(found.st_mode);
  require(!is_other, ExitCode::failed,
          path + " is no file of its own (but a link, a pipe, a folder or a device): move it away");
  return file;
}

/// Rows up to `last`. A last line that was cut short does not count.
KeptRows rows_up_to(std::int64_t last, const std::string& path, const std::string& header, Rows rows) {
  open_log(path, O_RDONLY);  // else what follows might wait for ever
  add_columns(path, header);
  KeptRows kept;
  const auto reach = [&](std::int64_t step) {
    if (kept.step < step) kept.missing.push_back({kept.step, step});
  };
  std::ifstream file(path, std::ios::binary);
  std::string line;
  if (std::getline(file, line) && !file.eof()) {
    require(
        line == header, ExitCode::bad_input,
        path + " has columns that this Tayra does not write: move it away, the log then goes on without it");
    kept.bytes = line.size() + 1;
  }
  while (std::getline(file, line) && !file.eof() && step_of(line) <= last) {
    if (rows == Rows::of_every_step) reach(step_of(line) - 1);
    kept.bytes += line.size() + 1;
    kept.step = step_of(line);
  }
  reach(last);
  return kept;
}

}  // namespace

LogFile::LogFile(std::string path, const std::string& header, LastRow last, Rows rows)
    : path_(std::move(path)),
      kept_(last ? rows_up_to(*last, path_, header, rows) : KeptRows()),
      size_(kept_.bytes),
      file_(open_log(path_, O_WRONLY | O_CREAT | O_APPEND | (size_ == 0 ? O_TRUNC : 0))) {
  const bool cut = file_.id() >= 0 && (size_ == 0 || ::ftruncate(file_.id(), static_cast<off_t>(size_)) == 0);
  if (!cut) fail(std::strerror(errno));
  if (size_ == 0) append(header + "\n");
}

void LogFile::append(const std::string& lines) {
  waiting_ += lines;
  write_waiting();
}

void LogFile::write_waiting() {
  if (waiting_.empty()) return;
  struct stat status {};
  if (::fstat(file_.id(), &status) == 0 && status.st_nlink == 0) fail("it was removed");
  if (!file_.write(waiting_)) {
    const int reason = errno;
    // A half row that can't be cut off is cut off at the next resume, or seen by its missing columns.
    static_cast<void>(::ftruncate(file_.id(), static_cast<off_t>(size_)) == 0);
    fail(std::strerror(reason));
  }
  size_ += waiting_.size();
  waiting_.clear();
}

void LogFile::sync() {
  if (!file_.sync()) fail(std::strerror(errno));
}

void LogFile::fail(const std::string& reason) const {
  throw Error(ExitCode::failed, "cannot write " + path_ + " (" + reason + ")");
}

}  // namespace tayra
