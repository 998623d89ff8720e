// A device that breaks while a run writes leaves no checkpoint behind, and the older ones stay.
#include <gtest/gtest.h>

#include <filesystem>

#include "app/run_loop.hpp"
#include "app/tayra_process.hpp"
#include "io/fake_simulation.hpp"

namespace tayra {
namespace {

constexpr const char* config_text = R"(
problem: {name: hydrostatic}
grid: {cells: [4, 4, 8], upper: [1, 1, 2]}
run: {steps: 100}
output: {on_write_error: warn, checkpoints: {every_steps: 10, keep: 1}}
)";

/// Goes on until a plane is read at a step, as from a GPU whose memory has failed.
class BreakingSimulation final : public FakeSimulation {
 public:
  BreakingSimulation(const Grid& grid, std::int64_t last_good_step)
      : FakeSimulation(grid, 0,
                       [](int, int, int) {
                         return std::array<double, 5>{1, 0, 0, 0, 2};
                       }),
        last_good_step_(last_good_step) {
    restart({});
  }
  void advance(std::int64_t count, double) override { count_ = count; }
  std::vector<StepRecord> finish() override {
    std::vector<StepRecord> steps(static_cast<std::size_t>(count_));
    StepClock now = clock();
    for (StepRecord& record : steps) {
      record.step = ++now.step;
      record.time = now.time += 1e-3;
    }
    restart(now);
    return steps;
  }
  std::vector<PlaneSums> plane_sums(Sums) override { return std::vector<PlaneSums>(8); }
  std::vector<double> profiles() override { return {}; }
  Arrival start_copy(int first, int count, std::byte* out) override {
    if (step() > last_good_step_) throw Error(ExitCode::lost, "CUDA failed while copying memory: ECC");
    return FakeSimulation::start_copy(first, count, out);
  }
  Arrival start_fields(const FieldChoice& choice, int first, int count, std::byte* out) override {
    if (step() > last_good_step_) throw Error(ExitCode::lost, "CUDA failed while computing fields: ECC");
    return FakeSimulation::start_fields(choice, first, count, out);
  }

 private:
  std::int64_t last_good_step_, count_ = 0;
};

TEST(ABrokenDevice, EndsTheRunAsLostAndLeavesTheLastGoodCheckpointEvenWhereFailedWritesAreOnlyWarnings) {
  const TemporaryDirectory folder;
  write_file(folder.path("config.yaml"), config_text);
  const Config config =
      load_config(folder.path("config.yaml"), {{"output.directory", folder.path("out"), "the test"}});
  const RunDirectory directory(config.output_directory);
  directory.create(ExistingResults::refuse);
  const auto problem = make_problem(config);
  BreakingSimulation simulation(config.solver.grid, 20);
  RunRecord record(directory.record(), config, {}, {.command_line = {}});
  Progress progress(config, ProgressStyle::quiet);
  const auto run = [&] {
    OutputFiles files(config, directory, simulation);
    return RunLoop({config, *problem, directory, simulation, files}, {}, &record, progress).run();
  };
  try {
    run();
    ADD_FAILURE() << "the run should have ended";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::lost) << error.what();
  }
  std::vector<std::string> left;
  for (const auto& file : std::filesystem::directory_iterator(directory.checkpoints()))
    left.push_back(file.path().filename().string());
  EXPECT_EQ(left, std::vector<std::string>{"000020.h5"});
}

}  // namespace
}  // namespace tayra
