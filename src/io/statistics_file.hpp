// statistics.h5: what is measured of planes over time. A run that is killed leaves it readable, and one that
// goes on continues it (decision 0211).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "io/file.hpp"
#include "io/log_file.hpp"

namespace tayra {

/// What files say of a number.
struct Quantity {
  std::string name, units, meaning;
};

/// What is noted at the same times: of each quantity a number for each place along an axis.
struct StatisticsGroup {
  std::string name;
  Quantity axis;
  std::vector<double> places;
  std::vector<Quantity> quantities;
};

/// What the file says of the flow.
struct StatisticsHead {
  std::map<std::string, double> numbers = {};
  std::string config = {};  // the part that decides the flow
};

/// Where a group lies in the file: of each column the numbers of a row one behind the other, then those of
/// the next row.
struct StatisticsTable {
  struct Column {
    std::string name;
    std::uint64_t begin, row_bytes;
  };
  StatisticsGroup group;
  std::int64_t room = 0, rows = 0;  // rows that there is room for, and that count
  std::uint64_t rows_place = 0;     // of that number in the file
  std::vector<Column> columns;      // step and time, then the quantities
};

/// Its structure stays as HDF5 has made it. Rows go into room that is there already, past HDF5, and count
/// only once the number of rows says so. When the room is used up, a file with twice as much takes its name.
class StatisticsFile {
 public:
  static constexpr std::int64_t least_room = 64;  // rows

  /// Goes on after the rows up to step `last` of what an earlier part of the run left, or starts anew. What
  /// that had and `groups` lack stays. Throws Error that names path and reason, as the others do.
  StatisticsFile(std::string path, StatisticsHead head, std::vector<StatisticsGroup> groups,
                 const LastRow& last = {});

  /// numbers: [quantity][place] of the group as it was given. What could not be written waits for the next
  /// try.
  void append(std::size_t group, std::int64_t step, double time, std::vector<double> numbers);
  void write_waiting();
  bool has_waiting() const { return !waiting_.empty(); }
  /// What was written survives a power failure from now on.
  void sync();
  /// Gives back the room that no row uses.
  void trim();

  const std::string& path() const { return path_; }
  /// The gap at the end of what an earlier part of the run left, if there is one.
  const std::vector<MissingRows>& missing() const { return missing_; }

 private:
  struct Row {
    std::size_t group;
    std::int64_t step;
    double time;
    std::vector<double> numbers;
  };

  void take_over(std::int64_t last);
  void replace(std::vector<StatisticsTable> tables);
  void write(const Row& row);
  void write_at(std::uint64_t place, const void* numbers, std::size_t bytes);
  [[noreturn]] void fail(const std::string& reason) const;

  std::string path_;
  StatisticsHead head_;
  std::vector<StatisticsGroup> wanted_;
  std::vector<StatisticsTable> tables_;
  Descriptor file_;
  std::vector<Row> waiting_;
  std::vector<MissingRows> missing_;
};

}  // namespace tayra
