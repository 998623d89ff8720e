// Copies of pieces within a GPU's memory, by a kernel: copy engines take twice as long where pieces are a few
// kilobytes.
#include <algorithm>

#include "core/cuda_check.hpp"
#include "core/cuda_pieces.hpp"

namespace tayra {
namespace {

constexpr int threads = 256;
/// Enough for most of the memory's bandwidth, and few beside a sweep's.
constexpr std::size_t most_blocks = 256;

/// A block copies a piece at a time.
template <class Word>
__global__ void copy_pieces_kernel(const PiecesOnGpu pieces) {
  const std::size_t words = pieces.bytes / sizeof(Word);
  for (std::size_t piece = blockIdx.x; piece < pieces.count; piece += gridDim.x) {
    const auto* from = reinterpret_cast<const Word*>(pieces.from + piece * pieces.from_apart);
    auto* to = reinterpret_cast<Word*>(pieces.to + piece * pieces.to_apart);
    for (std::size_t i = threadIdx.x; i < words; i += threads) to[i] = from[i];
  }
}

template <class Word>
bool are_whole(const PiecesOnGpu& pieces) {
  const std::size_t bits = reinterpret_cast<std::size_t>(pieces.to) |
                           reinterpret_cast<std::size_t>(pieces.from) | pieces.to_apart | pieces.from_apart |
                           pieces.bytes;
  return bits % sizeof(Word) == 0;
}

}  // namespace

void copy_pieces_by_kernel(const PiecesOnGpu& pieces, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>(std::min(pieces.count, most_blocks));
  if (are_whole<uint4>(pieces))
    copy_pieces_kernel<uint4><<<blocks, threads, 0, stream>>>(pieces);
  else
    copy_pieces_kernel<float><<<blocks, threads, 0, stream>>>(pieces);  // a number is never smaller
  check_cuda(cudaGetLastError(), "copying pieces of memory");
}

}  // namespace tayra
