// The built-in example, run and drawn.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "app/commands.hpp"
#include "app/run_config.hpp"
#include "app/watched_process.hpp"
#include "core/error.hpp"
#include "core/printable.hpp"
#include "core/process.hpp"
#include "grid/together.hpp"
#include "io/file.hpp"
#include "io/run_directory.hpp"
#include "quickstart_config.hpp"

namespace tayra {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_bytes = 1 << 20;  // of a config that may be the example

/// In the results, where it can be read and copied.
void write_config(const RunOptions& options) {
  const std::string& file = options.config.file;
  const RunDirectory directory(*options.config.output);
  directory.check(options.force ? ExistingResults::replace : ExistingResults::refuse,
                  "choose another directory with --output, or replace them with --force");
  require(
      options.force || !fs::exists(file) || text_of_small_file(file, most_bytes) == quickstart_config,
      ExitCode::bad_input,
      fmt::format("{0} is not the example (it was changed, or is of another version): run it with tayra run "
                  "{0}, or replace it with --force",
                  file));
  directory.make();
  write_text_file(file, quickstart_config);
}

void draw(const std::string& results, const char* how) {
  std::fflush(stdout);
  const WatchedEnd end =
      run_watched({fs::read_symlink("/proc/self/exe"), "plot", results, how}, [] { return false; }, {1, 5});
  require(end.code == 0, ExitCode::failed,
          fmt::format("the run is done, but not drawn: tayra plot {} {} does so once it can", results, how));
}

constexpr const char* done = R"(
Done. In {0}:
  pictures     pictures
  snapshots    snapshots/snapshots.vtkhdf.series (open it in ParaView; before 5.12: snapshots/snapshots.xmf)
  logs         timings.csv, diagnostics.csv
  the config   quickstart.yaml
Now change a copy of the config and run that:
  cp {0}/quickstart.yaml mine.yaml
  {1} run mine.yaml --output mine && {1} plot mine
)";

void quickstart(RunOptions options) {
  const std::string results = *options.config.output;
  options.config.file = fs::path(results) / "quickstart.yaml";
  on_first_rank([&] { write_config(options); });
  run_config(options);
  on_first_rank([&] {
    draw(results, "--smooth");
    draw(results, "--curves");
    fmt::print(done, printable(results), printable(command_words().front()));
  });
}

}  // namespace

void add_quickstart_command(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  options->config.output = "tayra-quickstart";
  CLI::App* command = app.add_subcommand("quickstart", "Run the built-in example and draw it");
  add_config_options(*command, options->config);
  command->add_flag("--force", options->force, "Replace the results of an earlier run");
  command->callback([options] { quickstart(*options); });
}

}  // namespace tayra
