// Pieces of a GPU's memory, equally far apart.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace tayra {

struct PiecesOnGpu {
  std::byte* to;
  std::size_t to_apart;
  const std::byte* from;
  std::size_t from_apart;
  std::size_t bytes;  // of one, whole words of four
  std::size_t count;
};

/// On the current GPU, which reaches both ends; of less than 16 GiB together.
void copy_pieces_by_kernel(const PiecesOnGpu& pieces, cudaStream_t stream);

}  // namespace tayra
