// statistics.h5: what is measured of planes over time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/growing_file.hpp"

namespace tayra {

/// What is noted at the same times: of each quantity a number for each place along an axis.
struct StatisticsGroup {
  std::string name;
  Quantity axis;
  std::vector<double> places;
  std::vector<Quantity> quantities;
};

using StatisticsHead = GrowingHead;

class StatisticsFile : public GrowingFile {
 public:
  StatisticsFile(std::string path, StatisticsHead head, const std::vector<StatisticsGroup>& groups,
                 const LastRow& last = {})
      : GrowingFile(std::move(path), std::move(head), growing(groups), last) {}

  /// numbers: [quantity][place] of the group as it was given.
  void append(std::size_t group, std::int64_t step, double time, std::span<const double> numbers) {
    const auto bytes = std::as_bytes(numbers);
    GrowingFile::append(group, step, time, {bytes.begin(), bytes.end()});
  }

 private:
  static std::vector<GrowingGroup> growing(const std::vector<StatisticsGroup>& groups) {
    std::vector<GrowingGroup> all;
    for (const auto& [name, axis, places, quantities] : groups) {
      GrowingGroup& group = all.emplace_back(GrowingGroup{name, {{axis, places}}, {}});
      for (const Quantity& one : quantities) group.columns.push_back({one});
    }
    return all;
  }
};

}  // namespace tayra
