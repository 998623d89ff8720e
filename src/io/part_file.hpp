// A part of the box with one file for all times: points, slices and means along an axis, at every few steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/device.hpp"
#include "io/config.hpp"
#include "io/growing_file.hpp"
#include "io/snapshot_file.hpp"
#include "solver/simulation.hpp"

namespace tayra {

/// What a checkpoint calls it, and where it lies in the run's directory.
inline std::string part_key(const std::string& name) { return "parts/" + name + ".h5"; }
/// Not a folder of snapshots.
inline bool is_part_in_one_file(const std::string& key) { return key.ends_with(".h5"); }

GrowingGroup part_group(const SnapshotPlan& plan);

/// Reads rows as the file wants them.
class PartReader {
 public:
  PartReader(SnapshotPlan plan, Simulation& simulation);
  /// Of the state that the last finish() left, on all ranks at once; nothing on others than the first.
  std::vector<std::byte> row();

 private:
  std::string own_planes();
  std::string own_branches();
  std::string fields_of(int first, int count, int planes);
  std::string joined(const std::vector<std::string>& of_ranks) const;
  std::vector<double> summed(std::string_view branches) const;

  SnapshotPlan plan_;
  FieldChoice choice_;  // of what is read: sums are in double
  Simulation& simulation_;
  Buffer<std::byte> memory_;
};

/// The file, and where it holds more than a point a list for ParaView of the rows up to the last sync().
class PartFile : public GrowingFile {
 public:
  PartFile(const std::string& path, const Config& config, const SnapshotPlan& plan, const LastRow& last);
  /// One that grows no more, whose cells are those that it has.
  PartFile(const std::string& path, const Config& config, const LastRow& last);

  void append(std::size_t group, std::int64_t step, double time, std::vector<std::byte> numbers);
  void sync();
  void trim();

 private:
  /// A grid whose cell centres are those of the part.
  struct Cells {
    Vec3 lower, spacing;
  };
  PartFile(const std::string& path, const Config& config, std::vector<GrowingGroup> groups,
           const std::optional<Cells>& cells, const LastRow& last);
  static GrowingHead head_of(const Config& config, const std::optional<Cells>& cells);
  static std::optional<Cells> cells_in(const std::string& path);
  void write_list() const;

  std::optional<Cells> cells_;  // unless a file of an older version has lost them
};

}  // namespace tayra
