// A wait whose every poll takes long, as where a loaded machine lets others run in each, ends after the
// patience nevertheless: started under mpirun by tests/app/ranks_test.cpp.
#include <chrono>
#include <cstdio>
#include <thread>

#include "core/error.hpp"
#include "grid/ranks.hpp"
#include "grid/wait_mpi.hpp"

int main() {
  constexpr double patience = 0.5;
  constexpr std::chrono::milliseconds taken_by_a_poll(5);
  tayra::ranks().set_patience(patience);
  int polls = 0;
  const auto never = [&] {
    std::this_thread::sleep_for(taken_by_a_poll);
    ++polls;
    return false;
  };
  try {
    tayra::poll(never, [] { return "late"; });
  } catch (const tayra::Error& error) {
    if (tayra::ranks().is_first()) std::printf("%s\n", polls < 1000 ? error.what() : "too late");
  }
}
