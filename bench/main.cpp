// The program tayra-bench, which `tayra bench` becomes: its words are those behind `tayra`.
#include "app/completion.hpp"
#include "app/program.hpp"
#include "bench/benchmarks.hpp"

int main(int argc, char** argv) {
  CLI::App app{"", "tayra"};
  CLI::App* group = app.add_subcommand("bench", "Measure this build on this machine");
  group->require_subcommand(1);
  tayra::add_cadence_benchmark(*group);
  tayra::add_halo_benchmark(*group);
  tayra::add_overheads_benchmark(*group);
  tayra::add_scaling_benchmark(*group);
  tayra::add_step_benchmark(*group);
  tayra::add_transfer_benchmark(*group);  // a new benchmark is one line here
  std::vector<std::string> words{"bench"};
  words.insert(words.end(), argv + 1, argv + argc);
  if (words.size() > 1 && words[1] == tayra::completion_word) std::swap(words[0], words[1]);
  return tayra::run_program(app, words);
}
