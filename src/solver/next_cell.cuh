// What becomes of a cell that the GPU's sweep has done: where it is written, and what it tells the clock.
#pragma once

#include <cuda_runtime.h>

#include "solver/sweep_tile.cuh"

namespace tayra {

/// The order of positive doubles is that of their bits.
__device__ inline void raise(double* most, double value) {
  atomicMax(reinterpret_cast<unsigned long long*>(most),
            static_cast<unsigned long long>(__double_as_longlong(value)));
}

/// Merges what the threads of a warp found into the clock; in a stage that is not the last that is nothing.
__device__ inline void report_signal_rate(StepClock* clock, double rate) {
  if (!__any_sync(~0u, rate > 0)) return;
  for (int lane = warp_threads / 2; lane > 0; lane /= 2) rate = fmax(rate, __shfl_down_sync(~0u, rate, lane));
  if (threadIdx.x % warp_threads == 0) raise(&clock->found.signal_rate, rate);
}

/// Bad cells end a run: too rare to hold a register for.
__device__ inline void report_bad_cell(StepClock* clock, long long cell) {
  atomicMin(reinterpret_cast<long long*>(&clock->found.bad_cell), cell);
}

/// A cell of plane k that lies so far into each variable of a plane.
template <class Real>
class NextCell {
 public:
  __device__ __forceinline__ NextCell(const Sweep<Real>& sweep, int k, int offset, unsigned cells_of_plane)
      : sweep_(sweep), k_(k), offset_(offset), cells_of_plane_(cells_of_plane) {}

  /// The slab's edge goes to the neighbours' ghosts, too, where nobody else carries it there.
  __device__ __forceinline__ void copy_edge(const State<Real>& next) const {
    const int nz = sweep_.slab.layout.nz;
    const std::size_t plane = sweep_.slab.layout.plane_stride();
    if (sweep_.copies.has_lower_of(k_))
      store_state(next, sweep_.copies.lower + k_ * plane + offset_, cells_of_plane_);
    if (sweep_.copies.has_upper_of(k_, nz))
      store_state(next, sweep_.copies.upper + (k_ - (nz - ghost_planes)) * plane + offset_, cells_of_plane_);
  }

  __device__ __forceinline__ void inspect(const State<Real>& next, Real background_pressure,
                                          Real& signal_rate_so_far) const {
    const Cell<Real> cell = make_cell(next, background_pressure, sweep_.flow.gas);
    if (next.density > 0 && cell.pressure + cell.background_pressure > 0)
      signal_rate_so_far = larger<Real>(signal_rate_so_far, signal_rate(cell, sweep_.slab.spacing.crossed));
    else
      report_bad_cell(sweep_.clock, number_in_box(sweep_.slab, k_, offset_));
  }

 private:
  const Sweep<Real>& sweep_;
  const int k_, offset_;
  const unsigned cells_of_plane_;
};

}  // namespace tayra
