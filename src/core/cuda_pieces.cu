// Copies of pieces by a kernel, within a GPU's memory or into a peer's: copy engines take twice as long where
// pieces are a few kilobytes, and start later.
#include <algorithm>

#include "core/cuda_check.hpp"
#include "core/cuda_pieces.hpp"

namespace tayra {
namespace {

constexpr int threads = 256;
/// Words that a thread has on their way at a time: memory answers late.
constexpr int ahead = 4;
/// Enough for most of the memory's bandwidth, and few beside a sweep's.
constexpr unsigned most_blocks = 256;

/// Words are numbered piece by piece.
template <class Word>
__global__ void copy_pieces_kernel(const PiecesOnGpu pieces, unsigned words_of_piece, unsigned words) {
  const auto address = [&](auto* memory, std::size_t apart, unsigned word) {
    return memory + word / words_of_piece * apart + word % words_of_piece * sizeof(Word);
  };
  for (unsigned first = blockIdx.x * threads * ahead + threadIdx.x; first < words;
       first += gridDim.x * threads * ahead) {
    Word coming[ahead];
    for (int n = 0; n < ahead; ++n)
      if (const unsigned word = first + n * threads; word < words)
        coming[n] = *reinterpret_cast<const Word*>(address(pieces.from, pieces.from_apart, word));
    for (int n = 0; n < ahead; ++n)
      if (const unsigned word = first + n * threads; word < words)
        *reinterpret_cast<Word*>(address(pieces.to, pieces.to_apart, word)) = coming[n];
  }
}

template <class Word>
bool are_whole(const PiecesOnGpu& pieces) {
  const std::size_t bits = reinterpret_cast<std::size_t>(pieces.to) |
                           reinterpret_cast<std::size_t>(pieces.from) | pieces.to_apart | pieces.from_apart |
                           pieces.bytes;
  return bits % sizeof(Word) == 0;
}

template <class Word>
void copy(const PiecesOnGpu& pieces, cudaStream_t stream) {
  const auto words_of_piece = static_cast<unsigned>(pieces.bytes / sizeof(Word));
  const auto words = static_cast<unsigned>(pieces.count * words_of_piece);
  const unsigned words_of_block = threads * ahead;
  const unsigned blocks = std::min((words + words_of_block - 1) / words_of_block, most_blocks);
  copy_pieces_kernel<Word><<<blocks, threads, 0, stream>>>(pieces, words_of_piece, words);
  check_cuda(cudaGetLastError(), "copying pieces of memory");
}

}  // namespace

void copy_pieces_by_kernel(const PiecesOnGpu& pieces, cudaStream_t stream) {
  // A number is never smaller than a float.
  are_whole<uint4>(pieces) ? copy<uint4>(pieces, stream) : copy<float>(pieces, stream);
}

}  // namespace tayra
