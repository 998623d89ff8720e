// Writing small text files whole or not at all, and telling files from what hangs when it is opened.
#include "io/text_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "core/error.hpp"
#include "io/descriptor.hpp"
#include "io/held_directory.hpp"

namespace tayra {
namespace {

[[noreturn]] void fail(const std::string& path, int reason) {
  throw Error(ExitCode::failed, "cannot write " + path + " (" + std::strerror(reason) + ")");
}

bool write_and_rename(const std::string& path, const std::string& beside, const std::string& text) {
  require_held_directory();
  ::unlink(beside.c_str());  // a link that somebody has put there is not followed
  Descriptor file(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
  if (file.id() < 0 || !file.write(text) || !file.sync() || !file.close()) return false;
  require_held_directory();
  return std::rename(beside.c_str(), path.c_str()) == 0;
}

}  // namespace

std::string other_than_file(const std::string& path) {
  namespace fs = std::filesystem;
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

void write_text_file(const std::string& path, const std::string& text) {
  const std::string beside = path + ".tmp";
  if (write_and_rename(path, beside, text)) return;
  const int reason = errno;
  ::unlink(beside.c_str());
  fail(path, reason);
}

}  // namespace tayra
