// Calls of the system, each repeated where it must be.
#include "io/descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace tayra {

Descriptor::Descriptor(const std::string& path, int flags)
    : id_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}

Descriptor::Descriptor(const Descriptor& folder, const std::string& path, int flags)
    : id_(::openat(folder.id_, path.c_str(), flags | O_CLOEXEC, 0666)) {}

Descriptor::~Descriptor() { close(); }

Descriptor::Descriptor(Descriptor&& other) noexcept : id_(std::exchange(other.id_, -1)) {}

bool Descriptor::write(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t written = ::write(id_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool Descriptor::write_at(std::uint64_t place, std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(id_, bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    place += static_cast<std::uint64_t>(written);
  }
  return true;
}

bool Descriptor::read_at(std::uint64_t place, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t read = ::pread(id_, bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (read < 0 && errno == EINTR) continue;
    if (read == 0) errno = ENODATA;  // the file ends here
    if (read <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(read));
    place += static_cast<std::uint64_t>(read);
  }
  return true;
}

bool Descriptor::sync() const { return ::fsync(id_) == 0; }

// A hint: nothing is wrong where it can't be followed.
void Descriptor::start_sync() const { ::sync_file_range(id_, 0, 0, SYNC_FILE_RANGE_WRITE); }

void Descriptor::forget() const { ::posix_fadvise(id_, 0, 0, POSIX_FADV_DONTNEED); }

bool Descriptor::close() { return id_ < 0 || ::close(std::exchange(id_, -1)) == 0; }

}  // namespace tayra
