// Tests of the rows of timings.csv and slab_timings.csv.
#include "io/timings_log.hpp"

#include <gtest/gtest.h>

#include <array>
#include <sstream>
#include <string>
#include <vector>

namespace tayra {
namespace {

std::vector<std::string> pieces_of(const std::string& text, char end) {
  std::vector<std::string> pieces;
  std::istringstream stream(text);
  for (std::string piece; std::getline(stream, piece, end);) pieces.push_back(piece);
  return pieces;
}

TEST(TimingsLog, HasARowAStep) {
  const StepRecord record{.step = 7,
                          .time = 1. / 3,
                          .dt = 0.1,
                          .wall_ms = 1.5,
                          .slabs = {{1, 0.5, 0.125}, {1.25, 0.375, 0.25}},
                          .bytes_sent = 5'000'000'000,
                          .limited_faces = 0,
                          .bad_cell = {}};
  const auto cells = pieces_of(timings_rows(std::array{record}, 12), ',');
  EXPECT_EQ(std::stod(cells.at(1)), 1. / 3);
  EXPECT_EQ(std::stod(cells.at(2)), 0.1);
  EXPECT_EQ(cells, (std::vector<std::string>{"7", cells[1], cells[2], "1.5", "1.25", "0.5", "0.25", "12",
                                             "5000000000\n"}));
  EXPECT_EQ(pieces_of(timings_header, ',').size(), cells.size());
}

TEST(TimingsLog, ChargesOutputToTheFirstStepAfterIt) {
  const auto rows = pieces_of(timings_rows(std::vector<StepRecord>(3), 8), '\n');
  ASSERT_EQ(rows.size(), 3u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(pieces_of(rows[i], ',').at(7), i == 0 ? "8" : "0");
}

TEST(SlabTimingsLog, HasARowAStepAndSlab) {
  const StepRecord record{.step = 7, .slabs = {{1, 0.5, 0.125}, {1.25, 0.375, 0.25}}, .bad_cell = {}};
  EXPECT_EQ(slab_timings_rows(std::array{record}), "7,0,1,0.5,0.125\n7,1,1.25,0.375,0.25\n");
}

TEST(SlabTimingsLog, OfManySlabsHasTheLastStepAlone) {
  const auto rows_of = [](std::size_t slabs) {
    std::vector<StepRecord> two(2);
    for (std::int64_t i = 0; i < 2; ++i) {
      two[i].step = 8 + i;
      two[i].slabs.resize(slabs);
    }
    return pieces_of(slab_timings_rows(two), '\n');
  };
  EXPECT_EQ(rows_of(64).size(), 128u);
  ASSERT_EQ(rows_of(65).size(), 65u);
  EXPECT_EQ(rows_of(65).front(), "9,0,0,0,0");
}

}  // namespace
}  // namespace tayra
