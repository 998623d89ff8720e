// MPI is started, the command carried out, and what went wrong told once.
#include "app/program.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "app/command_line.hpp"
#include "app/share_cores.hpp"
#include "core/error.hpp"
#include "core/printable.hpp"
#include "grid/failure_report.hpp"
#include "grid/ranks.hpp"
#include "io/hdf5.hpp"

namespace tayra {
namespace {

using Words = std::vector<std::string>;

int run(CLI::App& app, const Words& words) {
  try {
    run_command_line(app, words);
    return 0;
  } catch (const std::exception& failure) {
    const Error error = as_error(failure);
    report_failure(error);
    return static_cast<int>(error.code());
  }
}

/// What is printed waits in a buffer: that a disk is full may be heard of only here.
int code_of_output() {
  const bool lost_before = std::ferror(stdout) != 0, lost_now = std::fflush(stdout) != 0;
  if (!lost_before && !lost_now) return 0;
  std::fprintf(stderr, "tayra: cannot write to standard output (%s): direct it elsewhere\n",
               lost_now ? std::strerror(errno) : "an earlier part is lost");
  return static_cast<int>(ExitCode::failed);
}

}  // namespace

int run_program(CLI::App& app, const Words& words) {
  try {
    become_other_program(app, words);  // before MPI, which a process can start only once
    // Before MPI: HDF5 would otherwise tidy up when MPI ends, which it must not (see prepare()).
    h5::prepare();
    share_cores();
    // Only the first rank talks.
    if (!ranks().is_first() && std::freopen("/dev/null", "w", stdout) == nullptr) return 1;
  } catch (const std::exception& failure) {
    const Error error = as_error(failure);
    std::fprintf(stderr, "tayra: %s\n", printable(error.what()).c_str());
    return static_cast<int>(error.code());
  }
  const int code = run(app, words);
  const int of_output = code_of_output();
  return code == 0 ? of_output : code;
}

}  // namespace tayra
