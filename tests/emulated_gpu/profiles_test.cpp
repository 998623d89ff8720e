// The GPU's sums for profiles, by fibers of the CPU, are those of the CPU.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "cuda_runtime.h"
#include "solver/profiles_cpu.hpp"
// One block after the other: what its threads share may lie where all find it.
#undef __shared__
#define __shared__ static
#include "solver/profiles_cuda.cuh"

namespace tayra {
namespace {

constexpr Layers two_fluids{
    .light_density = 0.9, .heavy_density = 1.1, .interface_height = 0, .interface_pressure = 1};

/// Waves that fit no boundary, with ghost planes.
template <class Real>
struct Waves {
  Layout layout{135, 37, 5};
  std::vector<Real> field = std::vector<Real>(layout.size());
  std::vector<PlaneBackground<Real>> background;

  Waves() {
    for (int k = -ghost_planes; k < layout.nz + ghost_planes; ++k) {
      background.push_back({Real(0.5), Real(1 - 0.05 * k)});
      for (int number = 0; number < field_variables; ++number)
        for (int y = 0; y < layout.ny; ++y)
          for (int x = 0; x < layout.nx; ++x) {
            const double wave = std::sin(0.05 * x + 0.2 * y - 0.7 * k + number);
            field[layout.plane_start(k) + number * layout.variable_stride() + std::size_t(y) * layout.nx +
                  x] = Real(number == 0 ? 1 + 0.15 * wave : 0.2 * wave);
          }
    }
  }

  FlowView<Real> view(Boundary x, Boundary y, Beyond z) const {
    return {{layout, 0, z, z, x, RowsInBox::all(layout.ny, y), {}, background.data() + ghost_planes},
            field.data(),
            1.4,
            {{0.1, 0.2, 0.3}}};
  }
};

template <class Real>
std::vector<double> sums_of_a_gpu(const FlowView<Real>& flow) {
  const int planes = flow.slab.layout.nz, tiles = ProfileTiles(flow.slab.layout).count(), at_once = 2;
  const std::size_t cells = flow.slab.layout.variable_stride();
  std::vector<double> of_tiles(std::size_t(planes) * tiles * profile_count),
      sums(std::size_t(planes) * profile_count), numbers(slope_numbers_size(cells, at_once));
  for (int first = 0; first < planes; first += at_once) {
    const SlopePlanes some{numbers.data(), cells, first, std::min(first + at_once, planes), 0};
    for (int plane = 0; plane < some.end - first + 2; ++plane)
      for (unsigned block = 0; block * slope_threads < cells; ++block) {
        blockIdx = {block, unsigned(plane)};
        emulated::run_block(slope_threads, [&] { slope_numbers_kernel(flow, two_fluids, some); });
      }
    for (int block = 0; block < (some.end - first) * tiles; ++block) {
      blockIdx = {unsigned(block)};
      emulated::run_block(profile_columns,
                          [&] { profile_tiles_kernel(flow, two_fluids, some, of_tiles.data()); });
    }
  }
  for (int block = 0; block < planes; ++block) {
    blockIdx.x = block;
    emulated::run_block(profile_count, [&] { profile_planes_kernel(of_tiles.data(), tiles, sums.data()); });
  }
  return sums;
}

template <class Real>
std::vector<double> sums_of_a_cpu(const FlowView<Real>& flow) {
  const int planes = flow.slab.layout.nz;
  std::vector<double> sums(std::size_t(planes) * profile_count);
  for (int k = 0; k < planes; ++k) add_profiles(flow, two_fluids, k, sums.data() + k * profile_count, 0);
  return sums;
}

template <class Real>
void expect_the_same_bits() {
  const Waves<Real> waves;
  for (const auto order : {emulated::Order::forward, emulated::Order::backward, emulated::Order::shuffled})
    for (const auto& [x, y, z] : {std::tuple{Boundary::periodic, Boundary::periodic, Beyond::neighbour},
                                  std::tuple{Boundary::mirror, Boundary::mirror, Beyond::mirror},
                                  std::tuple{Boundary::outflow, Boundary::outflow, Beyond::outflow}}) {
      emulated::order = order;
      const auto flow = waves.view(x, y, z);
      EXPECT_EQ(sums_of_a_gpu(flow), sums_of_a_cpu(flow));
    }
}

TEST(ProfilesOfAGpu, AreThoseOfACpuToTheLastBit) {
  expect_the_same_bits<double>();
  expect_the_same_bits<float>();
}

}  // namespace
}  // namespace tayra
