// Faces that are not contiguous: what a cut across y would have to exchange.
// bench_strips_no_cuda.cpp stands in for bench_strips_cuda.cu in builds without CUDA.
#pragma once

#include <vector>

#include "app/measure.hpp"
#include "core/device.hpp"

namespace tayra {

struct Strips {
  std::size_t bytes;  // of one
  std::size_t count;
  std::size_t bytes_in_all() const { return bytes * count; }
};

/// Where strips lie: one begins `pitch` bytes after another.
struct StripPlace {
  std::byte* start;
  std::size_t pitch;
};

enum class StripMover { copy_engine, kernel };  // a kernel reaches its own GPU's memory alone

void move_strips(const Queue& queue, StripPlace to, StripPlace from, const Strips& strips, StripMover mover);
/// The same on a GPU.
void move_strips_on_gpu(const Queue& queue, StripPlace to, StripPlace from, const Strips& strips,
                        StripMover mover);

enum class FaceWay {
  contiguous,  // the face is one block, as across z
  strided,     // strip by strip from edge to ghosts
  packed       // gathered into one block, which is copied and scattered
};

/// A face each way between two slabs of n x n/2 x n cells, side by side along y on the devices given; n³ is
/// the box. Checks that the bytes arrive.
Spread microseconds_per_face(const std::vector<Device>& devices, int n, std::size_t word_bytes, FaceWay way,
                             const MeasuringPlan& plan);

/// Bytes that a device needs for it.
std::uint64_t face_memory(int n, std::size_t word_bytes);

}  // namespace tayra
