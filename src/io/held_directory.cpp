// Directories are told apart by device and number.
#include "io/held_directory.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <filesystem>

#include "core/error.hpp"

namespace tayra {
namespace {

const HeldDirectory* held = nullptr;  // of this process: a run has one

}  // namespace

HeldDirectory::HeldDirectory(const std::string& path)
    : path_(path), directory_(path, O_RDONLY | O_DIRECTORY) {
  if (is_there()) held = this;
}

HeldDirectory::~HeldDirectory() {
  if (held == this) held = nullptr;
}

bool HeldDirectory::is_there() const {
  struct stat mine {};
  struct stat there {};
  return ::fstat(directory_.id(), &mine) == 0 && ::stat(path_.c_str(), &there) == 0 &&
         mine.st_ino == there.st_ino && mine.st_dev == there.st_dev;
}

Descriptor HeldDirectory::open(const std::string& path, int flags) const {
  return {directory_, std::filesystem::path(path).lexically_relative(path_).string(), flags};
}

bool held_directory_is_there() { return !held || held->is_there(); }

void require_held_directory() {
  require(held_directory_is_there(), ExitCode::failed,
          "cannot write into " + (held ? held->path() : "") +
              " any more (the directory of this run was moved, removed or replaced): go on where it is now "
              "with --resume");
}

Descriptor open_held(const std::string& path, int flags) {
  require_held_directory();
  return held ? held->open(path, flags) : Descriptor(path, flags);
}

}  // namespace tayra
