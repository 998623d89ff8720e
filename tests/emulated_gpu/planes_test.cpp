// The GPU's spectra and counts of planes, by fibers of the CPU, are those of the CPU.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "cuda_runtime.h"
#include "solver/plane_counts_cpu.hpp"
#include "solver/plane_waves_cpu.hpp"
// One block after the other: what its threads share may lie where all find it.
#undef __shared__
#define __shared__ static
#include "solver/plane_counts_cuda.cuh"
#include "solver/plane_waves_cuda.cuh"

namespace tayra {
namespace {

template <class Real>
struct Planes {
  Layout layout{22, 15, 5};
  std::vector<Real> field = std::vector<Real>(layout.size());
  std::vector<PlaneBackground<Real>> background =
      std::vector<PlaneBackground<Real>>(layout.nz + 2 * ghost_planes, {Real(0.5), Real(1)});

  Planes() {
    for (int k = 0; k < layout.nz; ++k)
      for (int number = 0; number < field_variables; ++number)
        for (int cell = 0; cell < layout.nx * layout.ny; ++cell) {
          const double wave = std::sin(0.3 * cell - 0.7 * k + number);
          field[layout.plane_start(k) + number * layout.variable_stride() + cell] =
              Real(number == 0 ? 1 + 0.15 * wave : 0.2 * wave);
        }
  }
  PlanesView<Real> view() const {
    constexpr Layers two_fluids{
        .light_density = 0.9, .heavy_density = 1.1, .interface_height = 0, .interface_pressure = 1};
    const Slab<Real> slab{layout,
                          0,
                          Beyond::mirror,
                          Beyond::mirror,
                          Boundary::periodic,
                          RowsInBox::all(layout.ny, Boundary::periodic),
                          {},
                          background.data() + ghost_planes};
    return {{slab, field.data(), 1.4, {{0.1, 0.2, 0.3}}}, two_fluids};
  }
};

WavePlan plan_of(const Layout& layout) {
  Grid grid;
  grid.cells = {layout.nx, layout.ny, layout.nz};
  grid.lower = {0, 0, 0};
  grid.upper = {1, 1.3, 1};
  return WavePlan(grid);
}

template <class Kernel>
void run_blocks(unsigned along_x, std::size_t along_y, int threads, const Kernel& kernel) {
  for (blockIdx.y = 0; blockIdx.y < along_y; ++blockIdx.y)
    for (blockIdx.x = 0; blockIdx.x < along_x; ++blockIdx.x) emulated::run_block(threads, kernel);
  blockIdx = {};
}

template <class Real>
std::vector<double> waves_of_a_gpu(const PlanesView<Real>& view, const WavePlan& plan,
                                   const std::vector<WaveItem>& items) {
  std::vector<Complex> planes(items.size() * plan.cells()), scratch(planes.size());
  const unsigned blocks = (plan.cells() + wave_threads - 1) / wave_threads;
  run_blocks(blocks, items.size(), wave_threads,
             [&] { fill_waves_kernel(view, items.data(), planes.data()); });
  for (const WavePass& pass : plan.passes) {
    run_blocks(blocks, items.size(), wave_threads, [&] {
      wave_pass_kernel(pass, plan.turns.data(), plan.nx, plan.cells(), plan.columns(pass), planes.data(),
                       scratch.data());
    });
    std::swap(planes, scratch);
  }
  std::vector<double> sums(items.size() * plan.shells);
  run_blocks(plan.shells, items.size(), wave_lanes, [&] {
    shell_sums_kernel(planes.data(), plan.waves.data(), plan.first_wave.data(), plan.nx, plan.cells(),
                      plan.shells, sums.data());
  });
  return sums;
}

template <class Real>
void expect_the_same_bits() {
  const Planes<Real> planes;
  const PlanesView<Real> view = planes.view();
  const WavePlan plan = plan_of(planes.layout);
  const std::vector<int> some{0, 3, 4};
  const auto items = wave_items({heavy_fraction_field, plane_field_named("velocity_y", {}).field}, some);
  const CountedField counted{heavy_fraction_field, {0, 1, 7}};
  const auto waves = wave_sums(view, plan, items);
  const auto counts = counts_of_planes(view, counted, some);
  for (const auto order : {emulated::Order::forward, emulated::Order::backward, emulated::Order::shuffled}) {
    emulated::order = order;
    EXPECT_EQ(waves_of_a_gpu(view, plan, items), waves);
    std::vector<unsigned long long> counts_of_gpu(counted.bins.count);
    run_blocks(count_parts * some.size(), 1, count_threads,
               [&] { plane_counts_kernel(view, counted, some.data(), counts_of_gpu.data()); });
    EXPECT_EQ(std::vector<std::int64_t>(counts_of_gpu.begin(), counts_of_gpu.end()), counts);
  }
}

TEST(PlanesOfAGpu, HaveTheSpectraAndCountsOfACpuToTheLastBit) {
  expect_the_same_bits<double>();
  expect_the_same_bits<float>();
}

}  // namespace
}  // namespace tayra
