// The program tayra. The one place that catches: it turns an error into one message and the exit code.
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "app/command_line.hpp"
#include "core/error.hpp"
#include "grid/ranks.hpp"
#include "io/hdf5.hpp"

namespace {

using tayra::ExitCode;
using tayra::ranks;

void print(const std::string& message) {
  std::fflush(stdout);
  std::fprintf(stderr, "tayra: %s\n", message.c_str());
}

/// An error that all ranks make is told by the first; one that only some make, by each, and it ends all.
int report(const std::string& message, ExitCode code) {
  constexpr double seconds_to_meet = 2;
  if (ranks().size() > 1) {
    const std::string told = "rank " + std::to_string(ranks().rank()) + ": " + message;
    if (!ranks().meet(seconds_to_meet)) {
      print(told);
      ranks().abort(code);
    }
    const bool same = ranks().broadcast_text(message) == message;
    if (!ranks().is_first()) {
      if (!same) print(told);
      return static_cast<int>(code);
    }
  }
  print(message);
  return static_cast<int>(code);
}

int run(const std::vector<std::string>& arguments) {
  try {
    return static_cast<int>(tayra::run_command_line(arguments));
  } catch (const tayra::Error& error) {
    return report(error.what(), error.code());
  } catch (const std::bad_alloc&) {
    return report("out of memory", ExitCode::failed);
  } catch (const std::exception& error) {
    return report(error.what(), ExitCode::failed);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    // Before MPI: HDF5 would otherwise tidy up when MPI ends, which it must not (see prepare()).
    tayra::h5::prepare();
    // Only the first rank talks.
    if (!ranks().is_first() && std::freopen("/dev/null", "w", stdout) == nullptr) return 1;
  } catch (const tayra::Error& error) {
    print(error.what());
    return static_cast<int>(error.code());
  }
  return run({argv + 1, argv + argc});
}
