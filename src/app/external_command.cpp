// Search and exec.
#include "app/external_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <sstream>

#include "core/error.hpp"

namespace tayra {
namespace {

namespace fs = std::filesystem;

const std::string prefix = "tayra-";

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

void exec(const fs::path& program, const std::vector<std::string>& words) {
  std::vector<std::string> arguments{program.string()};
  arguments.insert(arguments.end(), words.begin() + 1, words.end());
  std::vector<char*> pointers;
  for (auto& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  execv(program.c_str(), pointers.data());
  throw Error(ExitCode::failed,
              fmt::format("{} can't be started ({})", program.string(), std::strerror(errno)));
}

}  // namespace

void exec_external_command(const std::vector<std::string>& words) {
  if (words.front().find('/') != std::string::npos) return;
  for (const auto& folder : search_folders()) {
    const fs::path program = folder / (prefix + words.front());
    if (is_program(program)) exec(program, words);
  }
}

std::vector<std::string> external_commands() {
  std::set<std::string> names;
  for (const auto& folder : search_folders()) {
    std::error_code unreadable;
    for (const auto& entry : fs::directory_iterator(folder, unreadable)) {
      const std::string file = entry.path().filename().string();
      if (file.starts_with(prefix) && is_program(entry.path())) names.insert(file.substr(prefix.size()));
    }
  }
  return {names.begin(), names.end()};
}

}  // namespace tayra
