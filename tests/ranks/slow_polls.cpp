// A wait whose every poll takes long, as where a loaded machine lets others run in each, ends after the
// patience nevertheless; one in which this process itself was stopped for nearly as long does not. Started
// under mpirun by tests/app/ranks_test.cpp.
#include <chrono>
#include <cstdio>
#include <thread>

#include "core/error.hpp"
#include "grid/ranks.hpp"
#include "grid/wait_mpi.hpp"

namespace {

void tell(const char* what) {
  if (tayra::ranks().is_first()) std::printf("%s\n", what);
}

}  // namespace

int main() {
  constexpr double patience = 0.5;
  constexpr std::chrono::milliseconds taken_by_a_poll(5), stopped_for(450);
  tayra::ranks().set_patience(patience);
  int polls = 0;
  const auto never = [&] {
    std::this_thread::sleep_for(taken_by_a_poll);
    ++polls;
    return false;
  };
  const auto soon = [&, calls = 0]() mutable {
    std::this_thread::sleep_for(calls == 20 ? stopped_for : taken_by_a_poll);
    return ++calls == 23;
  };
  try {
    tayra::poll(soon, [] { return "blamed others"; });
    tayra::poll(never, [] { return "late"; });
  } catch (const tayra::Error& error) {
    tell(polls < 1000 ? error.what() : "too late");
  }
}
