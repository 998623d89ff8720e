// A file that has its final name only when it is whole.
#pragma once

#include <string>

namespace tayra {

/// Forces the file's content to the disk and has the system forget it, as far as that goes: who reads it next
/// hears what the disk holds. Throws Error(failed) with the reason.
void leave_to_disk(const std::string& path);

/// Where the file at `path` is written.
std::string name_beside(const std::string& path);

/// A file there, removed at the end unless publish() gave it its final name.
class FileBeside {
 public:
  explicit FileBeside(std::string path);
  ~FileBeside();
  FileBeside(const FileBeside&) = delete;
  FileBeside& operator=(const FileBeside&) = delete;

  const std::string& name() const { return name_; }
  /// Once its content has reached the disk. Throws Error(failed) with the reason.
  void publish();

 private:
  std::string final_, name_;
  bool published_ = false;
};

}  // namespace tayra
