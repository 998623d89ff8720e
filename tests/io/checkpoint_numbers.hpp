// Checkpoints read and written as numbers, for tests that change some of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "io/checkpoint_file.hpp"

namespace tayra {

/// All numbers of a checkpoint in double, [z][variable][y][x].
inline std::vector<double> numbers_of(const CheckpointFile& file) {
  const int planes = static_cast<int>(file.head().cells[2]);
  std::vector<double> numbers(file.head().plane_bytes() / sizeof(double) * planes);
  file.read(0, planes, reinterpret_cast<std::byte*>(numbers.data()));
  return numbers;
}

inline void write_checkpoint(const std::string& path, const CheckpointHead& head,
                             const std::vector<double>& numbers) {
  const int planes = static_cast<int>(head.cells[2]);
  PlaneWriter writer(path, {0, planes}, checkpoint_layout(head), make_checkpoint(path, head));
  writer.add({0, planes, reinterpret_cast<const std::byte*>(numbers.data())});
  complete_checkpoint(path, head, writer.finish());
}

}  // namespace tayra
