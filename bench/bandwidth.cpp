// A copy kernel a kind of device: the GPU's own copy, or all OpenMP threads as in STREAM.
#include "bench/bandwidth.hpp"

#include <omp.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>

#include "core/host_memory.hpp"
#include "core/simd.hpp"
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
double data_like(std::size_t number) { return std::bit_cast<double>((number + 1) * 0x9e3779b97f4a7c15u); }

double gpu_copy_bandwidth(Device device) {
  constexpr std::size_t block = std::size_t(16) << 20;
  constexpr int copies = 10;  // so many at once that starting them doesn't count
  const std::size_t eighth = free_gpu_memory(device.number) / 8;
  const std::size_t bytes = std::min(std::size_t(2) << 30, eighth) / block * block;
  const Buffer<std::byte> from(device, bytes), to(device, bytes);
  const Queue queue(device);
  std::vector<double> data(block / sizeof(double));
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = data_like(i);
  for (std::size_t at = 0; at < bytes; at += block) queue.copy(from.data() + at, data.data(), block);
  return median_bandwidth(bytes, copies, [&] {
    for (int i = 0; i < copies; ++i) queue.copy(to.data(), from.data(), bytes);
    queue.synchronize();
  });
}

/// Four times the last cache, as STREAM wants it, where there is that much memory.
std::size_t host_array_words() {
  constexpr std::uint64_t least = 64 << 20;
  return std::min(std::max(4 * last_level_cache_bytes(), least), host_memory_available() / 8) /
         sizeof(double);
}

/// Written past the caches, so that no more bytes move than are counted.
double host_copy_bandwidth(Device device) {
  using Words = Pack<double>;
  const std::size_t packs = host_array_words() / Words::size();
  const Buffer<double> from(device, packs * Words::size()), to(device, packs * Words::size());
  const auto on_every_thread = [&](const auto& work) {
#pragma omp parallel
    {
      const auto thread = static_cast<std::size_t>(omp_get_thread_num());
      const auto threads = static_cast<std::size_t>(omp_get_num_threads());
      work(packs * thread / threads * Words::size(), packs * (thread + 1) / threads * Words::size());
    }
  };
  // Each thread touches first what it will copy, so that it lies in the memory next to it.
  on_every_thread([&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) from.data()[i] = to.data()[i] = data_like(i);
  });
  return median_bandwidth(packs * sizeof(Words), 1, [&] {
    on_every_thread([&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; i += Words::size()) stream(load(from.data() + i), to.data() + i);
      finish_streams();
    });
  });
}

}  // namespace

double copy_bandwidth(Device device) {
  return device.kind == DeviceKind::cuda ? gpu_copy_bandwidth(device) : host_copy_bandwidth(device);
}

}  // namespace tayra
