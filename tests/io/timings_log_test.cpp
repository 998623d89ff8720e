// Tests of timings.csv.
#include "io/timings_log.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "io/temporary_directory.hpp"

namespace tayra {
namespace {

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::istringstream text(text_of(path));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream text(line);
  for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
  return cells;
}

TEST(TimingsLog, NamesItsColumns) {
  const TemporaryDirectory directory;
  const TimingsLog log(directory.path("timings.csv"));
  EXPECT_EQ(text_of(directory.path("timings.csv")),
            "step,time,dt,wall_ms,compute_ms,comm_ms,exposed_ms,io_ms,bytes_sent\n");
}

TEST(TimingsLog, HasWrittenARowAStepBeforeAppendReturns) {
  const TemporaryDirectory directory;
  TimingsLog log(directory.path("timings.csv"));
  const StepRecord record{.step = 7,
                          .time = 1. / 3,
                          .dt = 0.1,
                          .wall_ms = 1.5,
                          .slabs = {{1, 0.5, 0.125}, {1.25, 0.375, 0.25}},
                          .bytes_sent = 5'000'000'000,
                          .limited_faces = 0,
                          .bad_cell = {}};
  log.append(std::array{record}, 12);
  const auto cells = cells_of(lines_of(directory.path("timings.csv")).at(1));
  EXPECT_EQ(std::stod(cells.at(1)), 1. / 3);
  EXPECT_EQ(std::stod(cells.at(2)), 0.1);
  EXPECT_EQ(cells, (std::vector<std::string>{"7", cells[1], cells[2], "1.5", "1.25", "0.5", "0.25", "12",
                                             "5000000000"}));
}

TEST(SlabTimingsLog, HasARowAStepAndSlab) {
  const TemporaryDirectory directory;
  SlabTimingsLog log(directory.path("slabs.csv"));
  const StepRecord record{.step = 7, .slabs = {{1, 0.5, 0.125}, {1.25, 0.375, 0.25}}, .bad_cell = {}};
  log.append(std::array{record});
  EXPECT_EQ(lines_of(directory.path("slabs.csv")),
            (std::vector<std::string>{"step,slab,compute_ms,comm_ms,exposed_ms", "7,0,1,0.5,0.125",
                                      "7,1,1.25,0.375,0.25"}));
}

TEST(TimingsLog, ChargesOutputToTheFirstStepAfterIt) {
  const TemporaryDirectory directory;
  TimingsLog log(directory.path("timings.csv"));
  log.append(std::vector<StepRecord>(3), 8);
  const auto lines = lines_of(directory.path("timings.csv"));
  EXPECT_EQ(cells_of(lines.at(1)).at(7), "8");
  EXPECT_EQ(cells_of(lines.at(2)).at(7), "0");
  EXPECT_EQ(cells_of(lines.at(3)).at(7), "0");
}

TEST(TimingsLog, TakesAMillionSteps) {
  const TemporaryDirectory directory;
  TimingsLog log(directory.path("timings.csv"));
  const std::vector<StepRecord> batch(1000,
                                      StepRecord{.time = 1. / 3, .dt = 1. / 7, .slabs = {}, .bad_cell = {}});
  for (int i = 0; i < 1000; ++i) log.append(batch, 0);
  EXPECT_EQ(lines_of(directory.path("timings.csv")).size(), 1'000'001u);
}

TEST(TimingsLog, FailsWithAMessageWhereTheFolderIsGone) {
  const TemporaryDirectory directory;
  EXPECT_THROW(TimingsLog(directory.path("gone/timings.csv")), Error);
}

}  // namespace
}  // namespace tayra
