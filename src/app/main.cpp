// The program tayra. The one place that catches: it turns an error into one message and the exit code.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "app/command_line.hpp"
#include "app/share_cores.hpp"
#include "core/error.hpp"
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
    tayra::tell_end(error, tayra::Ending::tidy);
    return static_cast<int>(error.code());
  }
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
    std::fprintf(stderr, "tayra: %s\n", error.what());
    return static_cast<int>(error.code());
  }
  return run({argv + 1, argv + argc});
}
