// A text file that only grows, as logs do; every batch is on its way to the disk before append() returns.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

namespace tayra {

class LogFile {
 public:
  /// Starts an empty file. Throws Error(failed) that names path and reason, as append() does.
  LogFile(std::string path, const std::string& header);
  void append(const std::string& lines);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace tayra
