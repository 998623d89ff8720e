// Small pictures of the newest state, for who looks at a run under way: no results of it.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

#include "io/config.hpp"
#include "io/part_file.hpp"
#include "io/snapshot_file.hpp"
#include "io/writers.hpp"

namespace tayra {

/// The cells that one shows, and its name.
struct PictureView {
  std::string name;
  SnapshotSettings cells;
};
/// Of any grid at most so many along an axis, of a mean after it was taken.
inline constexpr int most_picture_cells = 512;
std::vector<PictureView> picture_views(const Config& config);

class Pictures {
 public:
  /// Writes nothing yet.
  Pictures(const Config& config, const std::string& folder, Simulation& simulation, Writers& writers);
  /// Of the state that the last finish() left, on all ranks at once. The first one's thread writes them over
  /// those before, unless these still wait for it.
  void make(const Simulation& simulation);
  /// What could not be written since the last call: the run does without.
  std::vector<std::string> take_failures();

 private:
  struct Picture {
    std::string path;
    SnapshotPlan plan;  // of the file
    PartReader reader;
  };
  struct Numbers {
    std::vector<std::vector<std::byte>> of_pictures;
    Instant instant;
  };
  void write(const Numbers& numbers);

  std::vector<Picture> pictures_;
  Writers& writers_;
  std::atomic<bool> are_waiting_ = false;
  std::mutex failures_mutex_;
  std::vector<std::string> failures_;
};

}  // namespace tayra
