// What a user asks of a run under way: files in its directory whose names say what to do.
#pragma once

#include <string>

namespace tayra {

/// Bits, so that several ranks' and several at once can be joined.
enum Request : unsigned { request_stop = 1, request_checkpoint = 2, request_snapshot = 4 };

/// Those of a run's directory.
class Requests {
 public:
  explicit Requests(std::string directory) : directory_(std::move(directory)) {}

  /// Of whom the run belongs to: other users' files ask nothing.
  unsigned noted() const;
  void remove(unsigned which) const;
  /// Throws Error(bad_input) unless a run is under way there.
  void add(Request request) const;

 private:
  std::string path_of(const char* name) const { return directory_ + "/" + name; }
  std::string directory_;
};

}  // namespace tayra
