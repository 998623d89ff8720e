// Written beside, forced to the disk, renamed.
#include "io/file_beside.hpp"

#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "io/descriptor.hpp"
#include "io/held_directory.hpp"

namespace tayra {
namespace {

bool force_to_disk(const std::string& path) {
  const Descriptor file(path, O_RDONLY);
  return file.id() >= 0 && file.sync();
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// Not every file system can force a folder; the file itself is safe then all the same.
bool is_trouble_of_disk(int problem) { return problem == EIO || problem == ENOSPC || problem == EDQUOT; }

void require_done(bool done, const char* what) {
  require(done, ExitCode::failed, std::string("cannot ") + what + " (" + std::strerror(errno) + ")");
}

void require_on_disk(const std::string& path) {
  require_held_directory();
  require_done(force_to_disk(path), "force it to the disk");
}

}  // namespace

void leave_to_disk(const std::string& path) {
  require_on_disk(path);
  Descriptor(path, O_RDONLY).forget();
}

std::string name_beside(const std::string& path) { return path + ".tmp"; }

FileBeside::FileBeside(std::string path) : final_(std::move(path)), name_(name_beside(final_)) {}

FileBeside::~FileBeside() {
  if (published_ || !held_directory_is_there()) return;
  std::error_code ignored;
  // HDF5 keeps a file open whose closing failed: cut to nothing, it gives its room on the disk back all the
  // same.
  std::filesystem::resize_file(name_, 0, ignored);
  std::filesystem::remove(name_, ignored);
}

void FileBeside::publish() {
  require_on_disk(name_);
  require_held_directory();
  published_ = std::rename(name_.c_str(), final_.c_str()) == 0;
  require_done(published_, "rename it");
  if (force_to_disk(folder_of(final_)) || !is_trouble_of_disk(errno)) return;
  const int problem = errno;
  published_ = std::rename(final_.c_str(), name_.c_str()) != 0;
  errno = problem;
  require_done(false, "force its name to the disk");
}

}  // namespace tayra
