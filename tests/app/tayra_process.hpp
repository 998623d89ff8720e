// The program under test as a process of its own.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <utility>
#include <vector>

#include "io/temporary_directory.hpp"

namespace tayra {

struct ProcessEnd {
  int code;  // minus the signal if one killed it
  std::string output;
  std::string errors;
};

class TayraProcess {
 public:
  /// Any other program, where one is given.
  TayraProcess(std::vector<std::string> arguments, const std::string& folder,
               const std::string& program = TAYRA_BINARY)
      : process_(::fork()) {
    if (process_ != 0) return;
    arguments.insert(arguments.begin(), program);
    become(arguments, folder);
  }

  void send(int signal) const { kill(process_, signal); }

  ProcessEnd wait() const {
    int status = 0;
    waitpid(process_, &status, 0);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return {code, text_of(streams_.path("output")), text_of(streams_.path("errors"))};
  }

 private:
  [[noreturn]] void become(std::vector<std::string> arguments, const std::string& folder) const {
    const int flags = O_CREAT | O_WRONLY | O_TRUNC;
    dup2(open(streams_.path("output").c_str(), flags, 0600), STDOUT_FILENO);
    dup2(open(streams_.path("errors").c_str(), flags, 0600), STDERR_FILENO);
    // Tests run side by side; threads that wait for a busy core would make each of them slow.
    setenv("OMP_NUM_THREADS", "1", 1);
    // mpirun would rather not run as root, and wants a core a rank.
    for (const char* name :
         {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"})
      setenv(name, "1", 1);
    std::vector<char*> words;
    for (auto& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    if (chdir(folder.c_str()) == 0) execvp(words[0], words.data());
    _exit(127);
  }

  TemporaryDirectory streams_;
  pid_t process_;
};

inline ProcessEnd run_tayra(const std::vector<std::string>& arguments, const std::string& folder) {
  return TayraProcess(arguments, folder).wait();
}

inline ProcessEnd run_ranks(int ranks, std::vector<std::string> arguments, const std::string& folder) {
  arguments.insert(arguments.begin(), {"--oversubscribe", "-n", std::to_string(ranks), TAYRA_BINARY});
  return TayraProcess(arguments, folder, "mpirun").wait();
}

inline ProcessEnd run_shell(const std::string& command, const std::string& folder) {
  return TayraProcess({"-c", command}, folder, "sh").wait();
}

inline void write_file(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

}  // namespace tayra
