// Making a run's directory and clearing it of earlier results.
#include "io/run_directory.hpp"

#include <regex.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "io/file.hpp"

namespace tayra {
namespace {

namespace fs = std::filesystem;

/// What ranks wrote into a folder of their own beside the file that shows it all.
constexpr const char* part_files = R"([0-9]{6,}-[0-9]+\.h5(\.tmp)?)";

constexpr const char* snapshot_files =
    R"(([0-9]{6,}\.vtkhdf|snapshots\.xmf|snapshots\.vtkhdf\.series)(\.tmp)?)";

constexpr const char* pictures_folder = "pictures";
constexpr const char* picture_files =
    R"(([a-z_]+(_[xyz]=[^/]*)?_[0-9]{6,}|part_[A-Za-z0-9_-]+|curves|profiles|budget|spectra|pdf)\.(png|svg)(\.tmp)?)";

/// Every name that Tayra gives to a file, by folder. Nothing else is ever removed.
constexpr std::pair<const char*, const char*> own_files[] = {
    {"",
     R"((config\.yaml|run\.json|timings\.csv|slab_timings\.csv|diagnostics\.csv|statistics\.h5)(\.tmp)?)"},
    {snapshots_folder, snapshot_files},
    {"checkpoints", R"([0-9]{6,}\.h5(\.tmp)?)"},
    {"parts", R"([A-Za-z0-9_-]+\.(h5|xmf)(\.tmp)?)"},
    {pictures_folder, picture_files},
    {live_folder, R"((slice|mean)_[xyz]\.vtkhdf(\.tmp)?)"},
};

[[noreturn]] void refuse(const std::string& problem) { throw Error(ExitCode::bad_input, problem); }

void append_results(const fs::path& folder, const std::string& pattern, std::vector<fs::path>& found) {
  regex_t own;
  ::regcomp(&own, ("^(" + pattern + ")$").c_str(), REG_EXTENDED | REG_NOSUB);
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(folder, unreadable))
    // Without an error: a link among the user's files may lead in a circle or where none may look.
    if (::regexec(&own, entry.path().filename().c_str(), 0, nullptr, 0) == 0 &&
        entry.is_regular_file(unreadable))
      found.push_back(entry.path());
  ::regfree(&own);
  if (pattern != part_files) append_results(folder / parts_folder, part_files, found);
}

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (entry.is_directory(none)) found.push_back(entry.path());
  return found;
}

std::vector<fs::path> results_in(const std::string& directory) {
  std::vector<fs::path> found;
  for (const auto& [folder, pattern] : own_files)
    append_results(fs::path(directory) / folder, pattern, found);
  for (const fs::path& part : folders_in(fs::path(directory) / "parts")) {
    append_results(part, snapshot_files, found);
    append_results(part / pictures_folder, picture_files, found);
  }
  return found;
}

/// Not a link or a file of that name, which the user has put there.
void remove_if_empty(const fs::path& folder) {
  std::error_code not_empty;
  if (fs::is_directory(fs::symlink_status(folder, not_empty))) fs::remove(folder, not_empty);
}

/// Those of a run's own folders that hold nothing, the inner ones first.
void remove_empty_folders(const fs::path& directory) {
  std::vector<fs::path> own = folders_in(directory / "parts");
  for (const auto& name : {snapshots_folder, "checkpoints", pictures_folder, live_folder})
    own.push_back(directory / name);
  for (const fs::path& folder : own)
    for (const fs::path& one : {folder / parts_folder, folder / pictures_folder, folder})
      remove_if_empty(one);
  remove_if_empty(directory / "parts");
}

/// The closest folder above that exists, the one in which something must be created; also a link that leads
/// nowhere.
fs::path existing_part(const std::string& path) {
  std::error_code unreadable;
  fs::path part = fs::absolute(path);
  while (part.has_relative_path() && !fs::exists(fs::symlink_status(part, unreadable)))
    part = part.parent_path();
  return part;
}

/// Why no folder is found there; empty if one is.
std::string why_no_folder(const fs::path& path) {
  std::error_code problem;
  if (::access(path.c_str(), F_OK) == 0)
    return fs::is_directory(path, problem) ? "" : path.string() + " is a file";
  if (errno == ENOENT) return path.string() + " is a link that leads nowhere";
  if (errno == ELOOP) return path.string() + " is a link that leads in a circle";
  return path.string() + ": " + std::strerror(errno);
}

std::string why_not_writable(const fs::path& path) {
  if (::access(path.c_str(), W_OK | X_OK) == 0) return "";
  return errno == EACCES ? "no permission to write in " + path.string()
                         : path.string() + ": " + std::strerror(errno);
}

void refuse_for(const std::string& why, const std::string& path) {
  if (why.empty()) return;
  refuse("cannot put the run into " + path + " (" + why + "): choose another output.directory");
}

void require_folder_above(const std::string& path) { refuse_for(why_no_folder(existing_part(path)), path); }

void require_writable(const std::string& path) {
  require_folder_above(path);
  refuse_for(why_not_writable(existing_part(path)), path);
}

void make_folder(const std::string& path) {
  require_folder_above(path);
  std::error_code problem;
  fs::create_directories(path, problem);
  if (problem)
    refuse("cannot create " + path + " (" + problem.message() + "): choose another output.directory");
}

void remove_result(const fs::path& file) {
  std::error_code problem;
  fs::remove(file, problem);
  if (problem) refuse("cannot replace " + file.string() + " (" + problem.message() + ")");
}

/// The number that a snapshot, a checkpoint or half of one begins with, and a picture ends in; -1 for any
/// other file.
std::int64_t number_of(const fs::path& file) {
  std::string name = file.filename().string();
  if (file.extension() == ".png" || file.extension() == ".svg") name.erase(0, name.rfind('_') + 1);
  std::int64_t number = -1;
  std::from_chars(name.data(), name.data() + name.size(), number);
  return number;
}

}  // namespace

bool RunDirectory::has_results() const { return !results_in(path_).empty(); }

std::uint64_t RunDirectory::room() const {
  std::error_code unknown;
  return fs::space(existing_part(path_), unknown).available;  // with an error: all bits set
}

void RunDirectory::cut_back(const std::map<std::string, std::int64_t>& snapshots, std::int64_t step,
                            const std::set<std::int64_t>& spared) const {
  require_held_directory();
  require_writable(path_);
  for (const fs::path& file : results_in(path_)) {
    const std::string extension = file.extension().string();
    const std::int64_t number = number_of(file);
    const fs::path folder = file.parent_path();
    const bool is_part = folder.filename() == parts_folder, is_picture = folder.filename() == pictures_folder;
    // As named, not where a link leads: a folder may be one to another disk.
    const std::string kind =
        (is_part || is_picture ? folder.parent_path() : folder).lexically_relative(path_).string();
    const bool is_checkpoint = kind == "checkpoints";
    const auto kept = snapshots.find(kind == "." ? snapshots_folder : kind);
    const bool of_snapshot = extension == ".vtkhdf" || is_picture || (is_part && !is_checkpoint);
    const bool of_later_snapshot = of_snapshot && number >= (kept == snapshots.end() ? 0 : kept->second);
    const bool is_list = extension == ".xmf" || extension == ".series";
    const bool of_later_checkpoint = is_checkpoint && number > step && !spared.contains(number);
    if (extension == ".tmp" || is_list || kind == live_folder || of_later_snapshot || of_later_checkpoint)
      remove_result(file);
  }
}

void RunDirectory::add_folder(const std::string& name) const { make_folder(folder(name)); }

void RunDirectory::check(ExistingResults existing, const std::string& remedy) const {
  require_writable(path_);
  if (existing == ExistingResults::replace) return;
  require_folders_inside();
  if (has_results())
    refuse(path_ + " already holds the results of a run (they are never overwritten by accident): " + remedy);
}

void RunDirectory::require_folders_inside() const {
  for (const std::string& inside : {snapshots(), checkpoints(), folder("parts"), folder(live_folder)})
    require_folder_above(inside);
}

void RunDirectory::require_apart(const std::string& config) const {
  std::error_code none;
  if (fs::equivalent(config, this->config(), none) && !fs::exists(record()))
    refuse(config +
           " lies where the run would write its own config.yaml and be replaced: rename it, or choose "
           "another directory with --output");
}

void RunDirectory::make() const { make_folder(path_); }

void RunDirectory::create(ExistingResults existing) const {
  check(existing);
  require_folders_inside();
  require_held_directory();
  for (const fs::path& file : results_in(path_)) remove_result(file);
  remove_empty_folders(path_);
  make();
  make_folder(snapshots());
}

}  // namespace tayra
