// tayra stop, checkpoint and snapshot make the files; the run looks for them before each batch of steps.
#include "app/requests.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <utility>

#include "app/commands.hpp"
#include "core/error.hpp"
#include "core/printable.hpp"
#include "io/file.hpp"
#include "io/run_directory.hpp"
#include "io/run_record.hpp"

namespace tayra {
namespace {

constexpr std::array<std::pair<Request, const char*>, 3> names{
    {{request_stop, "STOP"}, {request_checkpoint, "CHECKPOINT"}, {request_snapshot, "SNAPSHOT"}}};

}  // namespace

unsigned Requests::noted() const {
  unsigned found = 0;
  for (const auto& [request, name] : names) {
    struct stat file {};
    if (lstat(path_of(name).c_str(), &file) == 0 && S_ISREG(file.st_mode) && file.st_uid == geteuid())
      found |= request;
  }
  return found;
}

void Requests::remove(unsigned which) const {
  for (const auto& [request, name] : names)
    if ((which & request) != 0) unlink(path_of(name).c_str());
}

void Requests::add(Request request) const {
  const PastRun run = read_past_run(RunDirectory(directory_).record());
  require(
      run.status == name_of(RunStatus::running), ExitCode::bad_input,
      fmt::format("no run is under way in {}{}", printable(directory_),
                  run.status.empty() ? ": it holds no run.json" : " (run.json says: " + run.status + ")"));
  for (const auto& [known, name] : names) {
    if (known != request) continue;
    write_text_file(path_of(name), "");
    fmt::print("asked: the run sees {} before its next batch of steps, and removes it when that is done\n",
               printable(path_of(name)));
  }
}

void add_request_commands(CLI::App& app) {
  const auto add = [&app](const char* name, const char* what, Request request) {
    const auto directory = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand(name, what);
    command->add_option("RUN", *directory, "The directory of a run under way")->required();
    command->callback([directory, request] { Requests(*directory).add(request); });
  };
  add("stop", "Let a run write a checkpoint and stop", request_stop);
  add("checkpoint", "Let a run write a checkpoint now", request_checkpoint);
  add("snapshot", "Let a run write its snapshots now", request_snapshot);
}

}  // namespace tayra
