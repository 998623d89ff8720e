// A file of rows over time: statistics.h5, and parts of the box in one file. A run that is killed leaves it
// readable, and one that goes on continues it (decision 0211).
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

struct GrowingAxis {
  Quantity facts;
  std::vector<double> places;
};

/// Numbers of one kind for all places: of 4 or 8 bytes, and where components are more than one, so many for
/// each place.
struct GrowingColumn {
  Quantity facts;
  int components = 1, number_bytes = 8;
};

/// What is noted at the same times.
struct GrowingGroup {
  std::string name;  // "/": the file itself, which then holds no other
  std::vector<GrowingAxis> axes;
  std::vector<GrowingColumn> columns;

  /// Of a row of a column: the places along each axis, and the components where there are several.
  std::vector<std::uint64_t> sizes(const GrowingColumn& column) const;
  std::size_t bytes(const GrowingColumn& column) const;
  std::size_t row_bytes() const;  // of all columns
};

/// What the file says of the flow.
struct GrowingHead {
  std::map<std::string, double> numbers = {};
  std::string config = {};  // the part that decides the flow
};

/// Where a group lies in the file: of each column the numbers of a row one behind the other, then those of
/// the next row.
struct GrowingTable {
  struct Place {
    std::string name;
    std::uint64_t begin, row_bytes;
  };
  GrowingGroup group;
  std::int64_t room = 0, rows = 0;  // rows that there is room for, and that count
  std::uint64_t rows_place = 0;     // of that number in the file
  std::vector<Place> places;        // of step and time, then of the columns
};

/// Its structure stays as HDF5 has made it. Rows go into room that is there already, past HDF5, and count
/// only once the number of rows says so. When the room is used up, a file with twice as much takes its name.
class GrowingFile {
 public:
  static constexpr std::int64_t least_room = 64;  // rows
  /// Of rows that wait for room on the disk; the oldest are lost beyond it.
  static constexpr std::size_t most_waiting_bytes = 64u << 20;

  /// Goes on after the rows up to step `last` of what an earlier part of the run left, or starts anew. What
  /// that had and `groups` lack stays. Throws Error that names path and reason, as the others do.
  GrowingFile(std::string path, GrowingHead head, std::vector<GrowingGroup> groups, const LastRow& last = {});

  /// numbers: one column of the group behind the other, as it was given. What could not be written waits for
  /// the next try.
  void append(std::size_t group, std::int64_t step, double time, std::vector<std::byte> numbers);
  void write_waiting();
  bool has_waiting() const { return !waiting_.empty() || has_lost_; }
  /// What was written survives a power failure from now on.
  void sync();
  /// Gives back the room that no row uses.
  void trim();

  const std::string& path() const { return path_; }
  /// The gap at the end of what an earlier part of the run left, if there is one.
  const std::vector<MissingRows>& missing() const { return missing_; }
  /// Of the groups as they were given, those first.
  const std::vector<GrowingTable>& tables() const { return tables_; }
  /// Times of the rows of a group.
  std::vector<double> times(std::size_t group) const;

 private:
  struct Row {
    std::size_t group;
    std::int64_t step;
    double time;
    std::vector<std::byte> numbers;
  };

  void take_over(std::int64_t last);
  void replace(std::vector<GrowingTable> tables);
  void write(const Row& row);
  void write_at(std::uint64_t place, const void* numbers, std::size_t bytes);
  [[noreturn]] void fail(const std::string& reason) const;

  std::string path_;
  GrowingHead head_;
  std::vector<GrowingGroup> wanted_;
  std::vector<GrowingTable> tables_;
  Descriptor file_;
  std::vector<Row> waiting_;
  std::size_t waiting_bytes_ = 0;
  bool has_lost_ = false;
  std::vector<MissingRows> missing_;
};

}  // namespace tayra
