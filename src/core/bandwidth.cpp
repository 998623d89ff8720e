// A copy kernel a kind of device: the GPU's own copy, or all OpenMP threads as in STREAM.
#include "core/bandwidth.hpp"

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>

#include "core/spread.hpp"

namespace tayra {
namespace {

constexpr int repeats = 7;

/// Bytes of one copy a second, read and written, from the time that `copy` takes to make `copies` of them.
template <class Copy>
double median_bandwidth(std::size_t bytes, int copies, const Copy& copy) {
  copy();  // warms up
  std::vector<double> samples;
  for (int i = 0; i < repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    copy();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    samples.push_back(2. * static_cast<double>(bytes) * copies / elapsed.count());
  }
  return spread_of(samples).median;
}

/// Bytes that look like data: some memories are faster with constant ones.
void scramble(std::uint64_t* words, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) words[i] = (i + 1) * 0x9e3779b97f4a7c15u;
}

double gpu_copy_bandwidth(Device device) {
  constexpr std::size_t block = std::size_t(16) << 20;
  constexpr int copies = 10;  // so many at once that starting them doesn't count
  const std::size_t eighth = free_gpu_memory(device.number) / 8;
  const std::size_t bytes = std::min(std::size_t(2) << 30, eighth) / block * block;
  const Buffer<std::byte> from(device, bytes), to(device, bytes);
  const Queue queue(device);
  std::vector<std::uint64_t> data(block / sizeof(std::uint64_t));
  scramble(data.data(), data.size());
  for (std::size_t at = 0; at < bytes; at += block) queue.copy(from.data() + at, data.data(), block);
  return median_bandwidth(bytes, copies, [&] {
    for (int i = 0; i < copies; ++i) queue.copy(to.data(), from.data(), bytes);
    queue.synchronize();
  });
}

/// Four times the last cache, as STREAM wants it, where there is that much memory.
std::size_t host_array_words() {
  constexpr long least = 64l << 20;
  const long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
  const std::size_t free =
      static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return std::min<std::size_t>(static_cast<std::size_t>(std::max(4 * cache, least)), free / 8) /
         sizeof(std::uint64_t);
}

/// memcpy writes around the cache, so that no more bytes move than are counted.
double host_copy_bandwidth(Device device) {
  const std::size_t words = host_array_words();
  const Buffer<std::uint64_t> from(device, words), to(device, words);
  const auto on_every_thread = [&](const auto& work) {
#pragma omp parallel
    {
      const auto thread = static_cast<std::size_t>(omp_get_thread_num());
      const auto threads = static_cast<std::size_t>(omp_get_num_threads());
      const std::size_t begin = words * thread / threads;
      work(begin, words * (thread + 1) / threads - begin);
    }
  };
  // Each thread touches first what it will copy, so that it lies in the memory next to it.
  on_every_thread([&](std::size_t begin, std::size_t count) {
    scramble(from.data() + begin, count);
    scramble(to.data() + begin, count);
  });
  return median_bandwidth(words * sizeof(std::uint64_t), 1, [&] {
    on_every_thread([&](std::size_t begin, std::size_t count) {
      std::memcpy(to.data() + begin, from.data() + begin, count * sizeof(std::uint64_t));
    });
  });
}

}  // namespace

double copy_bandwidth(Device device) {
  return device.kind == DeviceKind::cuda ? gpu_copy_bandwidth(device) : host_copy_bandwidth(device);
}

}  // namespace tayra
