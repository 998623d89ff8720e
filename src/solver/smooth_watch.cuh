// How a block of the GPU's sweep tells smooth planes of its z-stream from troubled ones, whose faces it asks
// for the positivity limiter (docs/decisions/0010).
#pragma once

#include <cuda_runtime.h>

#include "physics/smooth.hpp"
#include "solver/sweep_tile.cuh"

namespace tayra {

template <class Scheme, class Memory, class Real>
class SmoothWatch {
  using Shape = typename Memory::Shape;
  using Kept = typename Memory::Kept;
  static constexpr int rows = Shape::rows;
  static constexpr int no_plane = -2 * ghost_planes;

 public:
  __device__ __forceinline__ SmoothWatch(Memory& tile, const Gas<Real>& gas, int warp, int lane)
      : tile_(tile), gas_(gas), warp_(warp), lane_(lane) {}

  /// A cell of the four planes that a z-stream begins with.
  __device__ __forceinline__ void gather(const State<Real>& state, Real background_pressure) {
    alarm_ |= SmoothBounds<Real>::gather(state, background_pressure, gas_, gathered_);
  }
  /// Tells the block what the thread has gathered, before a barrier.
  __device__ __forceinline__ void share_first_planes() {
    if (threadIdx.x < 8) tile_.troubled[threadIdx.x] = no_plane;
    share(gathered_);
    const bool has_alarm = __any_sync(~0u, alarm_ < 0);
    if (lane_ == 0) tile_.has_alarm[warp_] = has_alarm;
    alarm_ = 0;
  }
  /// After it: places bounds around what the block has gathered. Where some of it is not within, all four
  /// planes, up to that above the first, count as troubled.
  __device__ __forceinline__ void surround_first_planes(int first, const Real (&background_densities)[2],
                                                        bool has_background) {
    const SmoothSpread cells = surround_what_is_shared(background_densities, has_background);
    const bool has_alarm = __any_sync(~0u, tile_.has_alarm[lane_ % Shape::warps]);
    if (has_alarm || smooth_.alarm(cells) < 0) last_troubled_ = first + 1;
  }

  __device__ __forceinline__ void see(const State<Real>& state, Real background_pressure,
                                      bool counts = true) {
    const int alarm = smooth_.alarm(state, background_pressure, gas_);
    alarm_ |= counts ? alarm : 0;
  }
  /// Pressures of neighbouring planes.
  __device__ __forceinline__ void see_backgrounds(Real below, Real above) {
    alarm_ |= SmoothBounds<Real>::alarm(below, above);
  }

  /// Tells the block whether the warp has seen a cell of plane k that is not smooth.
  __device__ __forceinline__ bool tell_of_plane(int k) {
    const bool is_troubled = __any_sync(~0u, alarm_ < 0);
    if (is_troubled && lane_ == 0) atomicMax(&tile_.troubled[k % 8u], k);
    alarm_ = 0;
    return is_troubled;
  }

  /// Learns whether plane k is troubled from those who told of it before a barrier.
  __device__ __forceinline__ void hear_of_plane(int k) {
    if (tile_.troubled[k % 8u] == k) last_troubled_ = k;
  }

  /// Whether one of the planes k - 1 to k + 2, which plane k's faces read, is troubled: k + 2 by what this
  /// warp has just seen of it, as only its own z faces read that; the others by what the block knows.
  __device__ __forceinline__ bool is_troubled_up_to_the_newest_plane(int k) {
    hear_of_plane(k + 1);
    return tell_of_plane(k + 2) || is_troubled(k);
  }
  /// The same without plane k + 2: only by what the block knows.
  __device__ __forceinline__ bool is_troubled(int k) const { return last_troubled_ >= k - 1; }

  /// Whether a face of plane k, between the cells at two places, wants the limiter. Turned: in the flux x and
  /// y are exchanged already, the cells are taken so. A function of its own: in the loop over planes its code
  /// would cost other code registers and time.
  template <int axis>
  static __device__ __noinline__ bool wants_limiter(const Memory& memory, const Gas<Real>& gas,
                                                    State<Real> flux, int k, int left, int right,
                                                    bool turned) {
    const Real left_pressure = memory.background_of(k).pressure;
    const Real right_pressure = axis == 2 ? memory.background_of(k + 1).pressure : left_pressure;
    return wants_limiter<axis>(gas, flux, memory.take(left, left_pressure, gas, turned),
                               memory.take(right, right_pressure, gas, turned));
  }
  template <int axis>
  static __device__ __forceinline__ bool wants_limiter(const Gas<Real>& gas, const State<Real>& flux,
                                                       const Cell<Real>& left, const Cell<Real>& right) {
    return needs_limiting<axis, Scheme::flux_multiple, Scheme::form>(flux, with_sound_speed(left, gas),
                                                                     with_sound_speed(right, gas), gas);
  }

  /// Every 16 planes, in troubled flow, which the bounds may no longer suit. All threads decide alike, by
  /// what was known before the barrier. `above` is the place of the thread's first cell above plane k.
  __device__ __forceinline__ void move_bounds(int k, const PlaneRange& planes,
                                              const PlaneBackground<Real>* background, int above) {
    if (!is_troubled(k) || k % 16 != 15) return;
    smooth_ = cold_call<Shape>([watch = *this, k, planes, background, above]() mutable {
      watch.surround_cells(k + 1, above,
                           {background[planes.begin].density, background[planes.end - 1].density});
      return watch.smooth_;
    });
    last_troubled_ = k + 2;  // planes up to it were held against other bounds
  }

 private:
  /// Places the bounds around plane k; `place` is that of the thread's first cell in it.
  __device__ __forceinline__ void surround_cells(int k, int place, const Real (&background_densities)[2]) {
    const Real pressure = tile_.background_of(k).pressure;
    SmoothSpread spread;
#pragma unroll
    for (int r = 0; r < rows; ++r)
      spread.include(SmoothBounds<Real>::spread_of(tile_.take(place + r * Memory::pitch, pressure, gas_)));
    share(spread);
    __syncthreads();
    surround_what_is_shared(background_densities, pressure != 0);
  }
  __device__ __forceinline__ void share(const SmoothSpread& of_thread) {
    const SmoothSpread of_warp = over_warp(of_thread);
    if (lane_ == 0) tile_.spreads[warp_] = of_warp;
  }
  __device__ __forceinline__ SmoothSpread surround_what_is_shared(const Real (&background_densities)[2],
                                                                  bool has_background) {
    const SmoothSpread cells = over_warp(tile_.spreads[lane_ % Shape::warps]);
    SmoothSpread of_background;
    for (const Real density : background_densities)
      of_background.include_density(leading_bits(density), leading_bits(density));
    smooth_.surround(cells, of_background, has_background, gas_);
    return cells;
  }
  static __device__ __forceinline__ Cell<Real> with_sound_speed(Cell<Real> cell, const Gas<Real>& gas) {
    if constexpr (!Kept::has_sound_speed)
      cell.sound_speed = sound_speed_of<Real>(reciprocal<Real>(cell.state.density),
                                              cell.pressure + cell.background_pressure, gas);
    return cell;
  }

  Memory& tile_;
  const Gas<Real>& gas_;
  const int warp_, lane_;
  SmoothBounds<Real> smooth_;
  SmoothSpread gathered_;
  int alarm_ = 0;                 // negative if a cell was not smooth since the warp last told of a plane
  int last_troubled_ = no_plane;  // that the block knows of
};

}  // namespace tayra
