// Calls of the system, each repeated where it must be.
#include "io/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"

namespace tayra {
namespace {

namespace fs = std::filesystem;

const HeldDirectory* held = nullptr;  // of this process: a run has one

/// Calls act(bytes, how many are done) until all are.
template <class Byte, class Act>
bool in_full(std::span<Byte> bytes, const Act& act) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t now = act(bytes.subspan(done), done);
    if (now < 0 && errno == EINTR) continue;
    if (now == 0) errno = ENODATA;  // the file ends here
    if (now <= 0) return false;
    done += static_cast<std::size_t>(now);
  }
  return true;
}

bool force_to_disk(const std::string& path) {
  const Descriptor file(path, O_RDONLY);
  return file.id() >= 0 && file.sync();
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// Not every file system can force a folder; the file itself is safe then all the same.
bool is_trouble_of_disk(int problem) { return problem == EIO || problem == ENOSPC || problem == EDQUOT; }

bool held_directory_is_there() { return !held || held->is_there(); }

}  // namespace

Descriptor::Descriptor(const std::string& path, int flags)
    : id_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}

Descriptor::Descriptor(const Descriptor& folder, const std::string& path, int flags)
    : id_(::openat(folder.id_, path.c_str(), flags | O_CLOEXEC, 0666)) {}

bool Descriptor::is_at(const std::string& path) const {
  struct stat mine {};
  struct stat there {};
  return ::fstat(id_, &mine) == 0 && ::stat(path.c_str(), &there) == 0 && mine.st_ino == there.st_ino &&
         mine.st_dev == there.st_dev;
}

bool Descriptor::write(std::string_view text) const {
  return in_full(std::span(text),
                 [&](auto rest, std::size_t) { return ::write(id_, rest.data(), rest.size()); });
}

bool Descriptor::write_at(std::uint64_t place, std::span<const std::byte> bytes) const {
  return in_full(bytes, [&](auto rest, std::size_t done) {
    return ::pwrite(id_, rest.data(), rest.size(), static_cast<off_t>(place + done));
  });
}

bool Descriptor::read_at(std::uint64_t place, std::span<std::byte> bytes) const {
  return in_full(bytes, [&](auto rest, std::size_t done) {
    return ::pread(id_, rest.data(), rest.size(), static_cast<off_t>(place + done));
  });
}

bool Descriptor::sync() const { return ::fsync(id_) == 0; }

// A hint: nothing is wrong where it can't be followed.
void Descriptor::start_sync() const { ::sync_file_range(id_, 0, 0, SYNC_FILE_RANGE_WRITE); }

void Descriptor::forget() const { ::posix_fadvise(id_, 0, 0, POSIX_FADV_DONTNEED); }

bool Descriptor::close() { return id_ < 0 || ::close(std::exchange(id_, -1)) == 0; }

HeldDirectory::HeldDirectory(const std::string& path)
    : path_(path), directory_(path, O_RDONLY | O_DIRECTORY) {
  if (is_there()) held = this;
}

HeldDirectory::~HeldDirectory() {
  if (held == this) held = nullptr;
}

Descriptor HeldDirectory::open(const std::string& path, int flags) const {
  return {directory_, fs::path(path).lexically_relative(path_).string(), flags};
}

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

void require_done(bool done, const char* what) {
  require(done, ExitCode::failed, std::string("cannot ") + what + " (" + std::strerror(errno) + ")");
}

FileBeside::~FileBeside() {
  if (published_ || !held_directory_is_there()) return;
  std::error_code ignored;
  // HDF5 keeps a file open whose closing failed: cut to nothing, it gives its room on the disk back all the
  // same. A link is not followed, and the reader of a pipe not waited for.
  Descriptor(name_, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_NONBLOCK);
  fs::remove(name_, ignored);
}

void FileBeside::publish_unforced() {
  require_held_directory();
  published_ = std::rename(name_.c_str(), final_.c_str()) == 0;
  require_done(published_, "rename it");
}

void FileBeside::publish() {
  require_held_directory();
  require_done(force_to_disk(name_), "force it to the disk");
  publish_unforced();
  if (force_to_disk(folder_of(final_)) || !is_trouble_of_disk(errno)) return;
  const int problem = errno;
  published_ = std::rename(final_.c_str(), name_.c_str()) != 0;
  errno = problem;
  require_done(false, "force its name to the disk");
}

void leave_to_disk(const std::string& path) {
  require_held_directory();
  const Descriptor file(path, O_RDONLY);
  require_done(file.id() >= 0 && file.sync(), "force it to the disk");
  file.forget();
}

void write_text_file(const std::string& path, const std::string& text) {
  require_held_directory();
  const std::string beside = FileBeside::name_beside(path);
  ::unlink(beside.c_str());  // a link that somebody has put there is not followed
  Descriptor file(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
  bool done = file.id() >= 0 && file.write(text) && file.sync() && file.close();
  if (done) {
    require_held_directory();
    done = std::rename(beside.c_str(), path.c_str()) == 0;
  }
  if (done) return;
  const int reason = errno;
  ::unlink(beside.c_str());
  throw Error(ExitCode::failed, "cannot write " + path + " (" + std::strerror(reason) + ")");
}

std::optional<std::string> beginning_of_file(const std::string& path, std::size_t most) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  std::string text(most, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

std::optional<std::string> text_of_small_file(const std::string& path, std::size_t most) {
  if (!other_than_file(path).empty()) return std::nullopt;
  auto text = beginning_of_file(path, most + 1);
  return text && text->size() <= most ? text : std::nullopt;
}

std::string other_than_file(const std::string& path) {
  std::error_code unknown;
  switch (fs::status(path, unknown).type()) {
    case fs::file_type::directory:
      return "a directory";
    case fs::file_type::fifo:
      return "a pipe (FIFO)";
    case fs::file_type::socket:
      return "a socket";
    case fs::file_type::character:
    case fs::file_type::block:
      return "a device";
    default:
      return "";
  }
}

}  // namespace tayra
