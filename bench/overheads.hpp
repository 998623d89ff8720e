// What single calls cost on this machine, and what follows from that.
// no_cuda.cpp stands in for overheads_cuda.cu in builds without CUDA.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/measure.hpp"

namespace tayra {

struct Overhead {
  std::string what, variant;
  std::uint64_t bytes;  // zero where nothing is moved
  Spread microseconds;
};

struct OverheadPlan {
  MeasuringPlan measuring;
  std::uint64_t most_bytes = 64 << 20;
};

using AddOverhead = std::function<void(const Overhead&)>;

void measure_cpu_overheads(const OverheadPlan& plan, const AddOverhead& add);
/// Only where there is a GPU.
void measure_gpu_overheads(const OverheadPlan& plan, const AddOverhead& add);

/// 1 KiB, 4 KiB ... up to the most.
std::vector<std::uint64_t> overhead_sizes(const OverheadPlan& plan);

/// One sentence a line, from the numbers given alone.
std::vector<std::string> advice_from(const std::vector<Overhead>& measured);

}  // namespace tayra
