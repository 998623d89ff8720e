// Writing small text files whole or not at all.
#include "io/text_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "core/error.hpp"

namespace tayra {
namespace {

[[noreturn]] void fail(const std::string& path, int reason) {
  throw Error(ExitCode::failed, "cannot write " + path + " (" + std::strerror(reason) + ")");
}

class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : id_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int id() const { return id_; }
  bool close() { return id_ < 0 || ::close(std::exchange(id_, -1)) == 0; }

 private:
  int id_;
};

bool write_all(int descriptor, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = ::write(descriptor, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

bool write_and_rename(const std::string& path, const std::string& beside, const std::string& text) {
  Descriptor file(beside);
  return file.id() >= 0 && write_all(file.id(), text) && ::fsync(file.id()) == 0 && file.close() &&
         std::rename(beside.c_str(), path.c_str()) == 0;
}

}  // namespace

void write_text_file(const std::string& path, const std::string& text) {
  const std::string beside = path + ".tmp";
  if (write_and_rename(path, beside, text)) return;
  const int reason = errno;
  ::unlink(beside.c_str());
  fail(path, reason);
}

}  // namespace tayra
