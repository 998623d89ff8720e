// The program tayra. The one place that catches: it turns an error into one message and the exit code.
#include <cstdio>
#include <exception>
#include <new>

#include "app/command_line.hpp"
#include "core/error.hpp"

namespace {

int report(const char* message, tayra::ExitCode code) {
  std::fflush(stdout);
  std::fprintf(stderr, "tayra: %s\n", message);
  return static_cast<int>(code);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return static_cast<int>(tayra::run_command_line({argv + 1, argv + argc}));
  } catch (const tayra::Error& error) {
    return report(error.what(), error.code());
  } catch (const std::bad_alloc&) {
    return report("out of memory", tayra::ExitCode::failed);
  } catch (const std::exception& error) {
    return report(error.what(), tayra::ExitCode::failed);
  }
}
