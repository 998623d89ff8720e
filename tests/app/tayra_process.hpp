// The program under test as a process of its own.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <string>
#include <thread>
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

  bool lives() const {
    siginfo_t ended{};  // which is left for wait() to hear, too
    return waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid == 0;
  }

  /// By SIGSTOP.
  bool is_stopped() const {
    siginfo_t stopped{};
    return waitid(P_PID, static_cast<id_t>(process_), &stopped, WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
           stopped.si_pid != 0;
  }

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
    signal(SIGHUP, SIG_DFL);  // nohup has it ignored
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

/// For what the process is to bring about. One that takes too long is killed: nobody need wait for its end.
inline void wait_until(const std::function<bool()>& has_come, const TayraProcess& process,
                       const std::string& what) {
  constexpr std::chrono::seconds patience(60);
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!has_come()) {
    if (!process.lives()) {
      ADD_FAILURE() << "the process ended before " << what;
      return;
    }
    if (std::chrono::steady_clock::now() > end) {
      ADD_FAILURE() << "waited " << patience.count() << " s in vain for " << what;
      process.send(SIGKILL);
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

inline void wait_for_file(const std::string& path, const TayraProcess& process) {
  wait_until([&] { return std::filesystem::exists(path); }, process, path);
}

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

/// Of two ranks with a command each; Debian 13's mpirun crashes where they stand with a colon between them.
inline ProcessEnd run_two_ranks(const std::string& first, const std::string& second,
                                const std::string& folder) {
  return run_shell("mpirun --oversubscribe -n 2 sh -c 'if [ $OMPI_COMM_WORLD_RANK = 0 ]; then exec " + first +
                       "; else exec " + second + "; fi'",
                   folder);
}

inline void write_file(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

}  // namespace tayra
