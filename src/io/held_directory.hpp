// A run writes into the directory in which it began, not into another that has come to the same path.
#pragma once

#include <string>

#include "io/descriptor.hpp"

namespace tayra {

/// While one lives, whoever creates, names or removes a file of the run asks first whether the path still
/// leads to the same directory: another run may have begun there after it was moved away. Holds nothing where
/// there is no directory, or where a file system gives one another number each time.
class HeldDirectory {
 public:
  explicit HeldDirectory(const std::string& path);
  ~HeldDirectory();
  HeldDirectory(const HeldDirectory&) = delete;
  HeldDirectory& operator=(const HeldDirectory&) = delete;

  bool is_there() const;
  Descriptor open(const std::string& path, int flags) const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  Descriptor directory_;  // open: no other gets its number
};

/// Whether the path still leads to the directory that is held; true where none is.
bool held_directory_is_there();
/// Throws Error(failed) if it does not.
void require_held_directory();
/// Likewise; opens a file of the directory that is held, or of any where none is.
Descriptor open_held(const std::string& path, int flags);

}  // namespace tayra
