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

bool Descriptor::sync() const { return ::fsync(id_) == 0; }

// A hint: nothing is wrong where it can't be followed.
void Descriptor::start_sync() const { ::sync_file_range(id_, 0, 0, SYNC_FILE_RANGE_WRITE); }

bool Descriptor::close() { return id_ < 0 || ::close(std::exchange(id_, -1)) == 0; }

}  // namespace tayra
