// Tests of runs on a disk that fails once: at whichever call, no wrong file has a final name, and it is told.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <sstream>

#include "app/tayra_process.hpp"
#include "core/checksum.hpp"
#include "grid/ranks.hpp"
#include "io/checkpoint_file.hpp"

#ifdef BAD_DISK
namespace tayra {
namespace {

namespace fs = std::filesystem;

constexpr const char* config = R"(
problem: {name: rt_single}
grid: {cells: [4, 4, 8], upper: [1, 1, 2]}
run: {steps: 4, device: cpu}
output:
  directory: results
  snapshots: {every_steps: 4, fields: [density, velocity], precision: double}
  parts:
    above: {every_steps: 4, lower: [0, 0, 1], upper: [1, 1, 2], fields: [density], compression: deflate}
  diagnostics: {every_steps: 2}
  pictures: {every_seconds: 0}  # which come by the clock
  checkpoints: {every_steps: 2, keep: )";

/// What goes wrong at the call.
struct Fault {
  const char* name;
  const char* setting;
};
constexpr Fault io_error{"EIO", ""}, full{"ENOSPC", "DISK_FULL=1"}, flipped{"flipped bit", "DISK_LIES=1"};

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

class DiskFault : public testing::Test {
 protected:
  virtual ProcessEnd run(const std::string& folder, const std::string& disk) {
    return run_shell(prepared(folder, disk) + tayra(), folder_.path(folder));
  }
  /// The words of a shell that go before a program with such a disk; the folder is then a new one.
  std::string prepared(const std::string& folder, const std::string& disk,
                       const std::string& files = "!(#*)") {
    fs::remove_all(folder_.path(folder));
    fs::create_directory(folder_.path(folder));
    const bool is_reference = folder == "reference";  // it keeps all checkpoints
    write_file(folder_.path(folder + "/a.yaml"), config + std::string(is_reference ? "100}" : "1}"));
    return "export LD_PRELOAD=" BAD_DISK " \"DISK_FILES=*results/" + files +
           "\" DISK_CALLS=" + folder_.path(folder + "/calls") + " " + disk + "; ";
  }
  static std::string tayra() { return "exec " TAYRA_BINARY " run a.yaml --quiet"; }

  void run_on_good_disk(std::size_t least_calls) {
    const ProcessEnd end = run("reference", "");
    ASSERT_EQ(end.code, 0) << end.errors;
    calls_ = lines_of(folder_.path("reference/calls")).size();
    ASSERT_GE(calls_, least_calls);
  }
  /// One fault a run, at the calls first, first + every, …
  void expect_survived(const std::vector<Fault>& kinds, std::size_t first, std::size_t every) {
    for (const Fault& fault : kinds) {
      std::size_t faults = 0, wrong = 0;
      for (std::size_t nth = first; nth <= calls_; nth += every) {
        const ProcessEnd end = run("faulty", fmt::format("{} DISK_NTH={}", fault.setting, nth));
        const auto calls = lines_of(folder_.path("faulty/calls"));
        // Threads may note their calls in another order.
        const auto call = std::ranges::find_if(
            calls, [number = fmt::format("{} ", nth)](const auto& line) { return line.starts_with(number); });
        if (call == calls.end()) continue;  // lists are written again after some time, not some steps
        const std::string problem = problem_of(end, *call, fault);
        ++faults;
        wrong += !problem.empty();
        EXPECT_EQ(problem, "") << fault.name << " at call " << *call << "\nexit code " << end.code << ", "
                               << end.errors;
      }
      std::printf("%s: %zu of %zu faults survived\n", fault.name, faults - wrong, faults);
    }
  }

  std::string problem_of(const ProcessEnd& end, const std::string& call, const Fault& fault) {
    if (end.code != 0 && end.code != 1) return "another exit code";
    const bool is_told = end.code == 1 || end.errors.find("warning: ") != std::string::npos;
    const bool is_lie = fault.name == flipped.name && call.find("write") != std::string::npos;
    if (!is_told && !is_lie) return "nobody was told";
    std::string wrong;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path("faulty/results"))) {
      const fs::path file = fs::relative(entry.path(), folder_.path("faulty/results"));
      const bool is_checkpoint = file.string().starts_with("checkpoints");
      if (!entry.is_regular_file()) continue;
      if (!is_lie)
        wrong += problem_of_file(file.string());
      else if (is_checkpoint && !same_state(file.string()))
        wrong += file.string() + " is wrong; ";
    }
    return wrong;
  }
  /// Empty if it is what the run writes on a good disk.
  std::string problem_of_file(const std::string& file) {
    const std::string text = text_of(folder_.path("faulty/results/" + file)),
                      good = text_of(folder_.path("reference/results/" + file));
    if (file.ends_with(".tmp")) return file + " was left; ";
    if (file == "diagnostics.csv") return good.starts_with(text) ? "" : file + " is another; ";
    if (file.ends_with("timings.csv")) return "";
    if (file == "run.json") return text.ends_with("\n}\n") ? "" : file + " is torn; ";
    if (file == "config.yaml") return text.size() + 2 == good.size() ? "" : file + " is torn; ";  // keep: 1
    const bool is_list = file.ends_with(".series") || file.ends_with(".xmf");
    return (is_list ? names_no_missing_file(text, file) : same_file(file)) ? "" : file + " is wrong; ";
  }
  bool same_file(const std::string& file) {
    return text_of(folder_.path("faulty/results/" + file)) ==
           text_of(folder_.path("reference/results/" + file));
  }
  /// A flipped bit may be harmless, as in a space between words.
  bool same_state(const std::string& checkpoint) {
    try {
      return state_of(folder_.path("faulty/results/" + checkpoint)) ==
             state_of(folder_.path("reference/results/" + checkpoint));
    } catch (const Error& error) {
      return false;
    }
  }
  /// What a run goes on from.
  static std::string state_of(const std::string& checkpoint) {
    const CheckpointFile file(checkpoint);
    const CheckpointHead& head = file.head();
    std::vector<std::byte> planes(head.plane_bytes() * std::size_t(head.cells[2]));
    file.read(0, static_cast<int>(head.cells[2]), planes.data());
    std::string state = fmt::format("{} {} {} {}", head.config, head.position.clock.step,
                                    head.position.clock.time, checksum(planes));
    for (const auto& [folder, count] : head.position.snapshots)
      state += fmt::format(" {} {} {}", folder, count.written, count.last_step);
    return state;
  }
  bool names_no_missing_file(const std::string& text, const std::string& list) {
    if (!text.ends_with("}\n") && !text.ends_with("</Xdmf>\n")) return false;
    const std::regex snapshot("[0-9]{6}\\.vtkhdf");
    const fs::path folder = fs::path(folder_.path("faulty/results/" + list)).parent_path();
    for (std::sregex_iterator name(text.begin(), text.end(), snapshot), end; name != end; ++name)
      if (!fs::exists(folder / name->str())) return false;
    return true;
  }

  TemporaryDirectory folder_;
  std::size_t calls_ = 0;  // on a good disk that change a run's files
};

class SlowDiskFault : public DiskFault {};

TEST_F(DiskFault, AtOneOfSomeCallsLeavesNoWrongFileAndIsTold) {
  run_on_good_disk(100);
  expect_survived({io_error}, 5, 25);
  expect_survived({full}, 15, 25);
}

TEST_F(SlowDiskFault, AtAnyCallLeavesNoWrongFileAndIsTold) {
  run_on_good_disk(100);
  expect_survived({io_error, full}, 1, 1);
}

TEST_F(SlowDiskFault, ThatNobodyHearsOfLeavesNoWrongCheckpoint) {
  run_on_good_disk(100);
  expect_survived({flipped}, 1, 1);
}

class SlowDiskFaultOfRanks : public DiskFault {
 protected:
  void SetUp() override {
    if (!built_with_mpi()) GTEST_SKIP() << "built without MPI";
    if (std::system("mpirun --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no mpirun";
  }
  ProcessEnd run(const std::string& folder, const std::string& disk) override {
    const std::string with_disk =
        prepared(folder, disk, "@(snapshots|checkpoints|parts)/@(*.h5|*.vtkhdf)?(.tmp)");
    write_file(folder_.path(folder + "/rank.sh"),
               "if [ $OMPI_COMM_WORLD_RANK = " + rank_ + " ]; then\n" + with_disk + "\nfi\n" + tayra());
    return run_shell("timeout 100 mpirun --oversubscribe -n 2 sh rank.sh", folder_.path(folder));
  }

  std::string rank_;  // whose disk it is
};

TEST_F(SlowDiskFaultOfRanks, AtOneOfManyCallsLeavesNoWrongFile) {
  for (const char* rank : {"0", "1"}) {
    rank_ = rank;
    run_on_good_disk(20);
    const std::size_t every = calls_ / 8;  // all of them take many minutes
    expect_survived({io_error}, 1, every);
    expect_survived({full}, every / 2 + 1, every);
  }
}

}  // namespace
}  // namespace tayra
#endif
