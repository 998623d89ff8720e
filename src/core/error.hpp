// The one exception type: a message for a person, and the exit code that the process ends with.
#pragma once

#include <new>
#include <stdexcept>
#include <string>

namespace tayra {

enum class ExitCode : int {
  done = 0,
  failed = 1,       // while running; state saved where possible
  bad_input = 2,    // command line or config
  unavailable = 3,  // a backend or device that was asked for
  lost = 4,         // a rank, a GPU or the way to it: going on from the last checkpoint may help
};

class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

/// What any exception comes to for a person.
inline Error as_error(const std::exception& failure) {
  if (const auto* error = dynamic_cast<const Error*>(&failure)) return *error;
  const bool no_memory = dynamic_cast<const std::bad_alloc*>(&failure) != nullptr;
  return {ExitCode::failed, no_memory ? "out of memory" : failure.what()};
}

/// "problem (why it is one): what to do".
inline void require(bool ok, ExitCode code, const std::string& message) {
  if (!ok) throw Error(code, message);
}

}  // namespace tayra
