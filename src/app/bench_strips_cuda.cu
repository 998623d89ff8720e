// Strips by the copy engine's two-dimensional copy, or by a kernel with a block of threads a strip.
#include <cuda_runtime.h>

#include <algorithm>

#include "app/bench_strips.hpp"
#include "core/cuda_check.hpp"
#include "core/cuda_queue.hpp"

namespace tayra {
namespace {

/// A block of threads for one strip after the other; all are whole words of 4 bytes.
__global__ void strips_kernel(StripPlace to, StripPlace from, std::size_t words, std::size_t count) {
  for (std::size_t strip = blockIdx.x; strip < count; strip += gridDim.x) {
    auto* written = reinterpret_cast<std::uint32_t*>(to.start + strip * to.pitch);
    const auto* read = reinterpret_cast<const std::uint32_t*>(from.start + strip * from.pitch);
    for (std::size_t i = threadIdx.x; i < words; i += blockDim.x) written[i] = read[i];
  }
}

}  // namespace

void move_strips_on_gpu(const Queue& queue, StripPlace to, StripPlace from, const Strips& strips,
                        StripMover mover) {
  const UseDevice use(queue.device().number);
  const cudaStream_t stream = stream_of(queue);
  if (mover == StripMover::copy_engine) {
    check_cuda(cudaMemcpy2DAsync(to.start, to.pitch, from.start, from.pitch, strips.bytes, strips.count,
                                 cudaMemcpyDefault, stream),
               "copying strips");
    return;
  }
  constexpr unsigned threads = 256;
  const auto blocks = static_cast<unsigned>(std::min<std::size_t>(strips.count, 4096));
  strips_kernel<<<blocks, threads, 0, stream>>>(to, from, strips.bytes / sizeof(std::uint32_t), strips.count);
  check_cuda(cudaGetLastError(), "packing strips");
}

}  // namespace tayra
