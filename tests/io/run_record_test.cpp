// Tests of run.json.
#include "io/run_record.hpp"

#include <gmock/gmock.h>
#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <vector>

#include "io/temporary_directory.hpp"

namespace tayra {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

Config config_of_a_cube() {
  Config config;
  config.file = "configs/case.yaml";
  config.problem = "rt_single";
  config.solver.grid.cells = {10, 10, 10};
  return config;
}

StepRecord step_of(std::int64_t step, double wall_ms) {
  StepRecord record;
  record.step = step;
  record.time = 0.5 * static_cast<double>(step);
  record.wall_ms = wall_ms;
  return record;
}

TEST(RunRecord, SaysFromTheStartWhoRunsWhatWhere) {
  const TemporaryDirectory directory;
  SimulationFacts facts;
  facts.scheme = "roe3";
  facts.halo = "host";
  facts.slab_planes = {5, 5};
  facts.devices = {"a \"quoted\" processor", "another"};
  facts.links = {"GPU 0 - GPU 1: a wire"};
  const RunRecord record(directory.path("run.json"), config_of_a_cube(), facts,
                         {.command_line = {"tayra", "run", "case.yaml"}});
  const std::string text = text_of(directory.path("run.json"));
  EXPECT_THAT(text, HasSubstr("\"command\": [\"tayra\", \"run\", \"case.yaml\"]"));
  EXPECT_THAT(text, HasSubstr("\"status\": \"running\""));
  EXPECT_THAT(text, HasSubstr("\"ended\": null"));
  EXPECT_THAT(text, ContainsRegex("\"started\": \"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z\""));
  EXPECT_THAT(text, HasSubstr("\"cells\": [10, 10, 10]"));
  EXPECT_THAT(text, HasSubstr("\"boundary\": [\"periodic\", \"periodic\", \"periodic\"]"));
  EXPECT_THAT(text, HasSubstr("\"devices\": [\"a \\\"quoted\\\" processor\", \"another\"]"));
  EXPECT_THAT(text, HasSubstr("\"links\": [\"GPU 0 - GPU 1: a wire\"]"));
  EXPECT_THAT(text, HasSubstr("\"slab_planes\": [5, 5]"));
}

TEST(RunRecord, HasEveryNumberOfTheMachineAndTheGridUnderItsName) {
  const TemporaryDirectory directory;
  Config config = config_of_a_cube();
  config.solver.grid.lower = {-1, -2, -3};
  config.solver.grid.upper = {4, 5, 6};
  config.solver.cfl = 0.25;
  config.solver.fixed_dt = 0.125;
  SimulationFacts facts;
  facts.threads = 2;
  facts.ranks = 3;
  facts.nodes = 4;
  facts.bytes_per_exchange = 5;
  facts.memory_bytes = 6;
  facts.halo_trials = {{"host", 7, 8}};
  const RunRecord record(directory.path("run.json"), config, facts, {.command_line = {"tayra"}});
  const YAML::Node json = YAML::LoadFile(directory.path("run.json"));  // JSON is YAML
  const YAML::Node machine = json["machine"], trial = machine["halo_trials"][0];
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_EQ(json["grid"]["lower"][axis].as<double>(), -1 - axis);
    EXPECT_EQ(json["grid"]["upper"][axis].as<double>(), 4 + axis);
  }
  EXPECT_EQ(json["numerics"]["cfl"].as<double>(), 0.25);
  EXPECT_EQ(json["numerics"]["dt"].as<double>(), 0.125);
  EXPECT_EQ(machine["threads"].as<int>(), 2);
  EXPECT_EQ(machine["ranks"].as<int>(), 3);
  EXPECT_EQ(machine["nodes"].as<int>(), 4);
  EXPECT_EQ(machine["bytes_per_exchange"].as<int>(), 5);
  EXPECT_EQ(machine["memory_bytes"].as<int>(), 6);
  EXPECT_EQ(trial["step_ms"].as<double>(), 7);
  EXPECT_EQ(trial["exposed_ms"].as<double>(), 8);
}

TEST(RunRecord, EndsWithStatusMessageAndTotals) {
  const TemporaryDirectory directory;
  RunRecord record(directory.path("run.json"), config_of_a_cube(), {}, {.command_line = {"tayra"}});
  record.add(std::vector{step_of(1, 9), step_of(2, 1)});
  record.add(std::vector{step_of(3, 2)});
  record.end(RunStatus::failed, "a cell is no gas any more");
  const std::string text = text_of(directory.path("run.json"));
  EXPECT_THAT(text, HasSubstr("\"status\": \"failed\""));
  EXPECT_THAT(text, HasSubstr("\"message\": \"a cell is no gas any more\""));
  EXPECT_THAT(text, HasSubstr("\"steps\": 3"));
  EXPECT_THAT(text, HasSubstr("\"time\": 1.5"));
  EXPECT_THAT(text, HasSubstr("\"median_step_ms\": 2,"));
}

TEST(RunRecord, HasTheMeanOfTheTwoMiddleStepsAsMedianWhereTheirNumberIsEven) {
  const TemporaryDirectory directory;
  RunRecord record(directory.path("run.json"), config_of_a_cube(), {}, {.command_line = {"tayra"}});
  record.add(std::vector{step_of(1, 4), step_of(2, 1)});
  record.end(RunStatus::finished, "");
  EXPECT_THAT(text_of(directory.path("run.json")), HasSubstr("\"median_step_ms\": 2.5,"));
}

TEST(RunRecord, OfAHundredThousandSlabsIsReadBack) {
  const TemporaryDirectory directory;
  SimulationFacts facts;
  facts.ranks = 100'000;
  facts.slab_planes.assign(facts.ranks, 16);
  facts.devices.assign(facts.ranks, "AMD EPYC 9654 96-Core Processor");
  const RunRecord record(directory.path("run.json"), config_of_a_cube(), facts, {.command_line = {"tayra"}});
  EXPECT_EQ(read_past_run(directory.path("run.json")).ranks, facts.ranks);
}

/// What a run that went on from step 100 leaves after these steps.
YAML::Node record_of_resumed(const std::vector<StepRecord>& steps) {
  const TemporaryDirectory directory;
  Resumption resumed{.checkpoint = "000100.h5", .position = {}};
  resumed.position.clock.step = 100;
  resumed.position.clock.time = 50;
  RunRecord record(directory.path("run.json"), config_of_a_cube(), {},
                   {.command_line = {"tayra"}, .resumed = resumed});
  record.add(steps);
  record.end(RunStatus::stopped, "");
  return YAML::LoadFile(directory.path("run.json"));
}

TEST(RunRecord, OfAResumedRunCountsAllStepsButTheSpeedOfItsOwn) {
  const YAML::Node json = record_of_resumed({step_of(101, 1), step_of(102, 1)}), totals = json["totals"];
  EXPECT_EQ(json["resumed_from"]["step"].as<int>(), 100);
  EXPECT_EQ(totals["steps"].as<int>(), 102);
  const double cell_steps =
      totals["cell_steps_per_second"].as<double>() * totals["wall_seconds"].as<double>();
  EXPECT_NEAR(cell_steps, 2 * 10 * 10 * 10, 1e-6);
}

TEST(RunRecord, OfAResumedRunThatTookNoStepIsWhereItWentOnFrom) {
  const YAML::Node totals = record_of_resumed({})["totals"];
  EXPECT_EQ(totals["steps"].as<int>(), 100);
  EXPECT_EQ(totals["time"].as<double>(), 50);
}

}  // namespace
}  // namespace tayra
