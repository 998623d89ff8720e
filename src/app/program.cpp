// `tayra NAME …` runs the program tayra-NAME: beside this one, in ../libexec, or on PATH. Else MPI is
// started, the command carried out, and what went wrong told once.
#include "app/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <sstream>

#include "app/completion.hpp"
#include "app/signals.hpp"
#include "core/error.hpp"
#include "core/nearest_name.hpp"
#include "core/printable.hpp"
#include "core/process.hpp"
#include "grid/ranks.hpp"
#include "grid/together.hpp"
#include "io/hdf5.hpp"

namespace tayra {
namespace {

using Words = std::vector<std::string>;
namespace fs = std::filesystem;

const std::string prefix = "tayra-";
constexpr std::array in_python{"plot", "render", "compare", "report", "watch"};

bool is_in_python(const std::string& name) {
  return std::find(in_python.begin(), in_python.end(), name) != in_python.end();
}

std::vector<fs::path> search_folders() {
  std::error_code unreadable;
  const fs::path own = fs::read_symlink("/proc/self/exe", unreadable).parent_path();
  std::vector<fs::path> folders{own, own.parent_path() / "libexec"};
  const char* path = std::getenv("PATH");
  std::istringstream parts(path ? path : "");
  // An empty or relative one would be looked for where the user happens to be: among results, say.
  for (std::string folder; std::getline(parts, folder, ':');)
    if (folder.starts_with('/')) folders.emplace_back(folder);
  return folders;
}

bool is_program(const fs::path& path) {
  std::error_code unreadable;
  return fs::is_regular_file(path, unreadable) && access(path.c_str(), X_OK) == 0;
}

void exec(const fs::path& program, Words words) {
  words.insert(words.begin(), program.string());
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(program.c_str(), pointers.data());
  throw Error(ExitCode::failed,
              fmt::format("{} can't be started ({})", program.string(), std::strerror(errno)));
}

/// The app's, and those of other programs, sorted.
Words all_commands(const CLI::App& app) {
  Words all = command_names(app);
  std::set<std::string> names;
  for (const auto& folder : search_folders()) {
    std::error_code unreadable;
    for (const auto& entry : fs::directory_iterator(folder, unreadable)) {
      const std::string file = entry.path().filename().string();
      if (file.starts_with(prefix) && is_program(entry.path())) names.insert(file.substr(prefix.size()));
    }
  }
  all.insert(all.end(), names.begin(), names.end());
  return all;
}

std::string how_to_get(const std::string& name) {
  if (name == "bench") return ": building the target tayra-bench brings it";
  return is_in_python(name) ? ": cmake --install or pip install brings it" : "";
}

[[noreturn]] void fail_unknown_command(const std::string& name, const Words& known) {
  throw Error(
      ExitCode::bad_input,
      fmt::format(
          "unknown command '{}' (there is no tayra-{} beside this program or on PATH{}); {}commands: {}",
          name, name, how_to_get(name), did_you_mean(name, known), fmt::join(known, ", ")));
}

bool names_another_program(const CLI::App& app, const Words& words) {
  if (words.empty() || words.front().starts_with('-')) return false;
  const Words known = command_names(app);
  return std::find(known.begin(), known.end(), words.front()) == known.end();
}

/// Ranks with other commands would wait for each other in vain until run.timeout is over.
void require_same_command(const Words& words) {
  const std::size_t length = !words.empty() && words[0] == "bench" ? 2 : 1;
  const auto end = words.begin() + static_cast<std::ptrdiff_t>(std::min(length, words.size()));
  const std::string mine = fmt::format("{}", fmt::join(words.begin(), end, " "));
  const std::string of_first = ranks().from_first(mine);
  do_together([&] {
    require(
        mine == of_first, ExitCode::bad_input,
        fmt::format("rank {} was started as 'tayra {}', rank 0 as 'tayra {}': start all ranks with the same "
                    "command",
                    ranks().rank(), mine, of_first));
  });
}

/// The subcommand that the words got to.
const CLI::App& chosen_command(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : chosen_command(*chosen.front());
}

std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent ? full_name(*parent) + " " + command.get_name() : command.get_name();
}

Words option_names(const CLI::App& command) {
  Words names;
  for (const auto* option : command.get_options()) names.push_back(option->get_name());
  return names;
}

/// What the first unknown option was probably meant to be.
std::string spelling_hint(const CLI::App& command, const Words& words) {
  const Words options = option_names(command);
  for (const auto& word : words) {
    const std::string option = word.substr(0, word.find('='));
    const bool unknown =
        option.starts_with("--") && std::find(options.begin(), options.end(), option) == options.end();
    if (unknown) return did_you_mean(option, options);
  }
  return "";
}

/// CLI11 itself names what it did not expect the last first.
std::string what_is_wrong(const CLI::App& command, const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) return error.what();
  return fmt::format("not expected: {}", fmt::join(command.remaining(), " "));
}

/// Where the last command that was understood has subcommands, one of these is missing.
std::string usage_problem(const CLI::App& command, const Words& words, const CLI::ParseError& error) {
  const Words known = command_names(command);
  const std::string hint = spelling_hint(command, words);
  if (known.empty() || !hint.empty()) return fmt::format("{}; {}", what_is_wrong(command, error), hint);
  if (!command.get_parent())
    return fmt::format("needs a command; known: {}; ", fmt::join(all_commands(command), ", "));
  const auto name = std::find(words.begin(), words.end(), command.get_name());
  const bool unknown = name != words.end() && name + 1 != words.end() && !name[1].starts_with('-');
  const std::string problem = unknown ? fmt::format("there is no '{} {}'; {}", full_name(command), name[1],
                                                    did_you_mean(name[1], known))
                                      : fmt::format("{} needs a command; ", full_name(command));
  return fmt::format("{}known: {}; ", problem, fmt::join(known, ", "));
}

/// Where the first word is no command of the app but names a program tayra-NAME, that one replaces this
/// process, with these arguments.
void become_other_program(const CLI::App& app, const Words& words, const Words& arguments) {
  if (!names_another_program(app, words) || words.front().find('/') != std::string::npos) return;
  for (const auto& folder : search_folders()) {
    const fs::path program = folder / (prefix + words.front());
    if (is_program(program)) exec(program, arguments);
  }
}

/// Of a command line behind `completion_word`. Programs that come with this one complete their own.
void complete(const CLI::App& app, const Words& words) {
  const bool is_ours = words.size() > 1 && (words[0] == "bench" || is_in_python(words[0]));
  if (is_ours) {
    Words asking{words};
    asking[0] = completion_word;
    become_other_program(app, words, asking);
  }
  std::fputs(completions(app, words, all_commands(app)).c_str(), stdout);
}

/// CLI11 driven, and its usage errors turned into ours. All ranks must call it together.
void run_command_line(CLI::App& app, const Words& words) {
  require_same_command(words);
  if (names_another_program(app, words)) fail_unknown_command(words.front(), all_commands(app));
  try {
    app.parse(Words(words.rbegin(), words.rend()));  // CLI11 wants them last first
  } catch (const CLI::Success& help_or_version) {
    app.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    const CLI::App& command = chosen_command(app);
    throw Error(ExitCode::bad_input,
                fmt::format("{}see {} --help", usage_problem(command, words, error), full_name(command)));
  }
}

/// Ranks that may use the same cores of a machine share them, where nobody said otherwise (OMP_NUM_THREADS):
/// threads that wait for a core while others wait for them would take many times as long. All ranks must call
/// it together.
void share_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  const bool are_known = sched_getaffinity(0, sizeof cores, &cores) == 0;  // not of more than 1,024
  // Alike for those that share them.
  const std::size_t mine = std::hash<std::string>()(
      host_name() + std::string(reinterpret_cast<const char*>(&cores), sizeof cores));
  const auto all = ranks().gather_values(mine);
  if (!are_known || std::getenv("OMP_NUM_THREADS") != nullptr) return;
  const int sharing = static_cast<int>(std::count(all.begin(), all.end(), mine));
  omp_set_num_threads(std::clamp(CPU_COUNT(&cores) / sharing, 1, omp_get_max_threads()));
}

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
  go_on_ignoring_hangups();
  try {
    // Before MPI, which a process can start only once.
    if (!words.empty() && words.front() == completion_word) {
      complete(app, {words.begin() + 1, words.end()});
      return code_of_output();
    }
    become_other_program(app, words, words.empty() ? words : Words(words.begin() + 1, words.end()));
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
