// The program tayra. The one place that catches: it turns an error into one message and the exit code.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "app/command_line.hpp"
#include "app/share_cores.hpp"
#include "core/error.hpp"
#include "core/printable.hpp"
#include "grid/last_words.hpp"
#include "grid/ranks.hpp"
#include "io/hdf5.hpp"

namespace {

using tayra::ranks;

int run(const std::vector<std::string>& arguments) {
  try {
    return static_cast<int>(tayra::run_command_line(arguments));
  } catch (const std::exception& failure) {
    const tayra::Error error = tayra::as_error(failure);
    tayra::report_failure(error, tayra::Ending::tidy);
    return static_cast<int>(error.code());
  }
}

/// What is printed waits in a buffer: that a disk is full may be heard of only here.
int code_of_output() {
  const bool lost_before = std::ferror(stdout) != 0, lost_now = std::fflush(stdout) != 0;
  if (!lost_before && !lost_now) return 0;
  std::fprintf(stderr, "tayra: cannot write to standard output (%s): direct it elsewhere\n",
               lost_now ? std::strerror(errno) : "an earlier part is lost");
  return static_cast<int>(tayra::ExitCode::failed);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    // Before MPI: HDF5 would otherwise tidy up when MPI ends, which it must not (see prepare()).
    tayra::h5::prepare();
    tayra::share_cores();
    // Only the first rank talks.
    if (!ranks().is_first() && std::freopen("/dev/null", "w", stdout) == nullptr) return 1;
  } catch (const tayra::Error& error) {
    std::fprintf(stderr, "tayra: %s\n", tayra::printable(error.what()).c_str());
    return static_cast<int>(error.code());
  }
  const int code = run({argv + 1, argv + argc});
  const int of_output = code_of_output();
  return code == 0 ? of_output : code;
}
