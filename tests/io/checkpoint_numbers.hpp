// Checkpoints read and written as numbers, for tests that change some of them.
#pragma once

#include <cstddef>
#include <filesystem>
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
  std::filesystem::remove(path);
  CheckpointData data({path, {0, planes}, {0, planes}, h5::Sharing::alone}, head);
  data.add({0, planes, reinterpret_cast<const std::byte*>(numbers.data())});
  data.finish();
  complete_checkpoint(path, head, {});
}

}  // namespace tayra
