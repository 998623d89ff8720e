// The program tayra: its commands.
#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/program.hpp"
#include "tayra_version.hpp"

int main(int argc, char** argv) {
  CLI::App app{"Tayra: compressible Rayleigh-Taylor flow on many GPUs.", "tayra"};
  app.set_version_flag("--version", fmt::format("tayra {} ({})", tayra::version, tayra::commit));
  app.require_subcommand(1);
  tayra::add_quickstart_command(app);
  tayra::add_run_command(app);
  tayra::add_check_command(app);
  tayra::add_info_command(app);
  tayra::add_model_command(app);
  tayra::add_refine_command(app);
  tayra::add_supervise_command(app);
  tayra::add_request_commands(app);
  tayra::add_completion_command(app);
  // After them, who would inherit it: behind a command it is untrue.
  app.footer(
      "Programs of their own:\n"
      "  bench                       Measure this build on this machine\n"
      "  plot, compare               Draw or compare runs and benchmarks\n"
      "  render                      Draw a run in three dimensions\n"
      "  watch                       Show runs under way on a page of this machine\n"
      "  report                      Write one HTML file that shows runs\n"
      "Any other word NAME runs the program tayra-NAME.");
  return tayra::run_program(app, {argv + 1, argv + argc});
}
