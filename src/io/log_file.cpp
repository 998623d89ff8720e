// Growing text files.
#include "io/log_file.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.hpp"

namespace tayra {

LogFile::LogFile(std::string path, const std::string& header)
    : path_(std::move(path)), file_(std::fopen(path_.c_str(), "w")) {
  append(header + "\n");
}

void LogFile::append(const std::string& lines) {
  const bool written = file_ && std::fwrite(lines.data(), 1, lines.size(), file_.get()) == lines.size() &&
                       std::fflush(file_.get()) == 0;
  require(written, ExitCode::failed, "cannot write " + path_ + " (" + std::strerror(errno) + ")");
}

}  // namespace tayra
