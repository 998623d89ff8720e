// One file that all ranks write behind the flow: the first one makes it, each writes its planes, then the
// first one adds the rest and gives it its name. Planes go past HDF5, by calls of the system at places of
// their own: so no rank waits for another, and one whose disk fails does so alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "grid/decomposition.hpp"
#include "grid/ranks.hpp"
#include "io/file.hpp"
#include "io/writers.hpp"
#include "solver/simulation.hpp"

namespace tayra {

/// What the planes of a file consist of.
struct PlaneLayout {
  std::vector<std::size_t> field_bytes = {};                   // of a plane of each field
  std::uint64_t (*sum)(std::span<const std::byte>) = nullptr;  // the checksum of a field's plane
  bool is_read_back = false;
  std::size_t packed_number = 0;  // bytes of a number where planes are compressed; 0: they are not

  /// Of all fields.
  std::size_t plane_bytes() const;
};

inline constexpr unsigned deflate_level = 1;  // higher ones gain a few percent for several times the work

/// Where each field begins in a file, its planes one behind the other.
using Offsets = std::vector<std::uint64_t>;

/// Some planes in host memory, of one field after the other.
struct PlaneBlock {
  int first = 0, count = 0;
  const std::byte* bytes = nullptr;
};

/// Every call throws Error(failed) with the reason.
class PlaneWriter {
 public:
  /// Of a file that is there with all its room. `mine`: the planes that are written here.
  PlaneWriter(std::string path, SlabRange mine, PlaneLayout layout, Offsets offsets);
  /// Takes blocks in any order.
  void add(const PlaneBlock& block);
  /// Once all has reached the disk and, where that is asked for, is read back from there as it was written:
  /// of each plane written here the facts of its fields.
  std::vector<PlaneFacts> finish();

 private:
  std::uint64_t place(std::size_t field, int plane) const;
  PlaneFacts& facts(std::size_t field, int plane);
  void write(std::uint64_t at, std::span<const std::byte> bytes) const;
  void write_packed(std::size_t field, SlabRange planes, const std::byte* numbers);
  void require_as_written();

  std::string path_;
  SlabRange mine_;
  PlaneLayout layout_;
  Offsets offsets_;
  Descriptor file_;
  std::vector<PlaneFacts> facts_;
};

/// Throws likewise.
void read_at(const Descriptor& file, std::uint64_t place, std::span<std::byte> bytes);

/// Calls work(first, count) for blocks of about `block_bytes`, of at least one plane.
template <class Work>
void each_block(SlabRange range, std::size_t plane_bytes, std::size_t block_bytes, Work work) {
  const int most = static_cast<int>(std::max<std::size_t>(block_bytes / plane_bytes, 1));
  for (int done = 0; done < range.planes; done += most)
    work(range.first + done, std::min(most, range.planes - done));
}

/// Likewise of this rank's planes, as often as the rank does that has most, at last without planes: ranks
/// that share planes read them together.
template <class Work>
void each_block_together(const std::vector<SlabRange>& of_ranks, std::size_t plane_bytes,
                         std::size_t block_bytes, Work work) {
  const SlabRange mine = of_ranks[ranks().rank()];
  const auto longest = std::ranges::max(of_ranks, {}, &SlabRange::planes);
  each_block({0, longest.planes}, plane_bytes, block_bytes, [&](int done, int count) {
    const int left = std::max(mine.planes - done, 0);
    work(mine.first + std::min(done, mine.planes), std::min(count, left));
  });
}

/// What it takes to write such a file. `beside` is where it lies until it has its name.
struct CommonFile {
  std::string kind;  // what messages call it
  std::string path;
  std::vector<SlabRange> of_ranks;  // planes that each has to write
  PlaneLayout layout;
  std::size_t block_bytes;  // that are read at once
  /// On the first rank.
  std::function<Offsets(const std::string& beside)> make = {};
  std::function<Arrival(int first, int count, std::byte* out)> read = {};
  /// On the first rank's thread, with the facts of all planes.
  std::function<void(const std::string& beside, const std::vector<PlaneFacts>& facts)> complete = {};
  /// Likewise, when it has its name; tells itself which other file it failed at.
  std::function<void()> then = {};
};

/// All ranks at once, the same files in the same order. When anything fails on any rank the file is not
/// published, and the first rank's thread tells of it. Throws when a rank or a device was lost.
void write_common_file(Writers& writers, const CommonFile& file);

}  // namespace tayra
