// Tests of run.json.
#include "io/run_record.hpp"

#include <gmock/gmock.h>

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

}  // namespace
}  // namespace tayra
