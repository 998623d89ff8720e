// The stage of one scalar on a GPU: a thread goes up z with a column of cells. With several at once, which
// read the mass through faces once, fewer warps fit on a multiprocessor, and it took longer.
#pragma once

#include <cuda_runtime.h>

#include "core/cuda_signal.cuh"
#include "solver/carry.hpp"

namespace tayra {

/// A block's tile, and how many planes it goes up.
struct CarryShape {
  static constexpr int width = 32, height = 8, planes = 32;
  static constexpr int threads = width * height;
  static int layers(const PlaneRange& range) { return (range.count() + planes - 1) / planes; }
  static dim3 blocks(const Layout& layout, const Planes& planes) {
    return dim3((layout.nx + width - 1) / width, (layout.ny + height - 1) / height,
                layers(planes.low) + layers(planes.high));
  }
};

/// A column of cells of one thread.
template <class Real>
class CarriedColumn {
 public:
  __device__ __forceinline__ CarriedColumn(const Carry<Real>& carry, int scalar, int x, int y)
      : sweep_(carry.sweep),
        layout_(sweep_.slab.layout),
        x_(x),
        y_(y),
        cell_(y * layout_.nx + x),
        length_(carry.length()),
        variable_(carry.scalar_start(scalar)) {
#pragma unroll
    for (int n = 0; n < 5; ++n) {
      along_x_[n] = y * layout_.nx + ghost_source(x + n - 2, layout_.nx, sweep_.slab.x).index;
      along_y_[n] = row_source(y + n - 2, sweep_.slab).index * layout_.nx + x;
    }
  }

  __device__ __forceinline__ void run(const PlaneRange& planes) {
    const int first = planes.begin;
#pragma unroll
    for (int n = 1; n < 5; ++n) column_[n] = fraction(plane_source(first + n - 3, sweep_.slab).index);
    lower_.mass =
        sweep_.begins_with(first) ? sweep_.mass.below(first)[cell_] : sweep_.mass.upper(2, first - 1)[cell_];
    const Real(&c)[5] = column_;
    lower_.fraction = fraction_at_face<Real>(lower_.mass, c[1], c[2], c[3], c[4]);
#pragma unroll 2  // loads of the second plane are under way while the first is computed
    for (int k = first; k < planes.end; ++k) carry_plane(k);
  }

 private:
  /// In the column's cell of a plane.
  __device__ __forceinline__ Real fraction(int plane) const {
    return __ldg(sweep_.u + layout_.plane_start(plane) + variable_ + cell_);
  }

  __device__ __forceinline__ void carry_plane(int k) {
    const std::size_t plane = layout_.plane_start(k) + cell_;
    const int above = plane_source(k + 2, sweep_.slab).index;
    const Real *x_mass = sweep_.mass.upper(0, k), *y_mass = sweep_.mass.upper(1, k),
               *z_mass = sweep_.mass.upper(2, k);
    const Real upper_z = __ldg(z_mass + cell_);
    // Along an axis of one cell what is gained through one face is lost through the other.
    const Real upper_x = layout_.nx > 1 ? __ldg(x_mass + cell_) : upper_z;
    const Real lower_x = layout_.nx == 1 ? upper_z
                         : x_ > 0        ? __ldg(x_mass + cell_ - 1)
                                         : sweep_.mass.first(0, k)[y_];
    const Real upper_y = layout_.ny > 1 ? __ldg(y_mass + cell_) : upper_z;
    const Real lower_y = layout_.ny == 1 ? upper_z
                         : y_ > 0        ? __ldg(y_mass + cell_ - layout_.nx)
                                         : sweep_.mass.first(1, k)[x_];
    const Real keep = sweep_.stage.keep, density = __ldg(sweep_.u + plane);
    const CarryingCell<Real> cell{density, keep != 0 ? sweep_.next[plane] : density, keep};
    Real(&c)[5] = column_;
#pragma unroll
    for (int n = 0; n < 4; ++n) c[n] = c[n + 1];
    c[4] = fraction(above);
    const Real* now = sweep_.u + layout_.plane_start(k) + variable_;
    const auto through = [&](Real lower, Real upper, const int(&place)[5]) {
      return carried_through<Real>(lower, upper, __ldg(now + place[0]), __ldg(now + place[1]), c[2],
                                   __ldg(now + place[3]), __ldg(now + place[4]));
    };
    const CarriedMass<Real> up{upper_z, fraction_at_face<Real>(upper_z, c[1], c[2], c[3], c[4])};
    const CarriedThrough<Real> faces[3] = {
        through(lower_x, upper_x, along_x_), through(lower_y, upper_y, along_y_), {lower_, up}};
    const Real old = keep != 0 ? sweep_.u_old[plane + variable_] : c[2];
    const Real next = fraction_after<Real>(c[2], old, cell, faces, length_);
    sweep_.next[plane + variable_] = next;
    copy_edge(k, next);
    lower_ = up;
  }

  /// The slab's edge goes to the neighbours' ghosts, too, where nobody else carries it there.
  __device__ __forceinline__ void copy_edge(int k, Real next) const {
    const int nz = layout_.nz;
    const std::size_t place = variable_ + cell_;
    if (sweep_.copies.has_lower_of(k)) sweep_.copies.lower[k * layout_.plane_stride() + place] = next;
    if (sweep_.copies.has_upper_of(k, nz))
      sweep_.copies.upper[(k - (nz - ghost_planes)) * layout_.plane_stride() + place] = next;
  }

  const Sweep<Real>& sweep_;
  const Layout& layout_;
  const int x_, y_, cell_;
  const CarryingLength<Real> length_;
  const std::size_t variable_;  // where the scalar begins in a plane
  int along_x_[5], along_y_[5];
  Real column_[5];  // around the plane
  CarriedMass<Real> lower_;
};

template <class Real>
__global__ void __launch_bounds__(CarryShape::threads)
    carry_kernel(const __grid_constant__ Carry<Real> carry, int scalar) {
  const Sweep<Real>& sweep = carry.sweep;
  if (sweep.clock->dt == 0) return;
  const int in_low = (sweep.planes.low.count() + CarryShape::planes - 1) / CarryShape::planes;
  const int layer = static_cast<int>(blockIdx.z);
  const bool low = layer < in_low;
  const PlaneRange& range = low ? sweep.planes.low : sweep.planes.high;
  const int first = range.begin + (low ? layer : layer - in_low) * CarryShape::planes;
  const int x = blockIdx.x * CarryShape::width + threadIdx.x % CarryShape::width;
  const int y = blockIdx.y * CarryShape::height + threadIdx.x / CarryShape::width;
  if (x < sweep.slab.layout.nx && y < sweep.slab.layout.ny)
    CarriedColumn<Real>(carry, scalar, x, y).run({first, min(first + CarryShape::planes, range.end)});
  if (threadIdx.x == 0) atomicMax(&sweep.busy->end, nanoseconds());
}

}  // namespace tayra
