// Blocks that wait take all places for threads.
#include <algorithm>
#include <thread>

#include "core/cuda_check.hpp"
#include "core/cuda_queue.hpp"
#include "ranks/held_gpu.hpp"

namespace tayra {
namespace {

constexpr int threads = 512;  // of which whole blocks fill a multiprocessor of any kind

__global__ void hold_kernel(const volatile int* released, volatile int* holds) {
  if (threadIdx.x == 0) {
    holds[blockIdx.x] = 1;
    while (*released == 0) __nanosleep(1000);
  }
  __syncthreads();
}

int blocks_that_fill(Device device) {
  const UseDevice use(device.number);
  int a_multiprocessor_holds = 0, multiprocessors = 0;
  check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&a_multiprocessor_holds, hold_kernel, threads, 0),
             "querying a kernel");
  check_cuda(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device.number),
             "querying a GPU");
  return a_multiprocessor_holds * multiprocessors;
}

}  // namespace

HeldGpu::HeldGpu(Device device)
    : queue_(device),
      released_(device, 1, Memory::pinned),
      holds_(device, static_cast<std::size_t>(blocks_that_fill(device)), Memory::pinned) {
  volatile int* const holds = holds_.data();
  const int blocks = static_cast<int>(holds_.size());
  std::fill(holds, holds + blocks, 0);
  *released_.data() = 0;
  const UseDevice use(device.number);
  hold_kernel<<<blocks, threads, 0, stream_of(queue_)>>>(released_.data(), holds);
  check_cuda(cudaGetLastError(), "holding a GPU");
  while (!std::all_of(holds, holds + blocks, [](int one) { return one == 1; })) std::this_thread::yield();
}

void HeldGpu::release() { *static_cast<volatile int*>(released_.data()) = 1; }

}  // namespace tayra
