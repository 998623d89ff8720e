// Steps a small box with every scheme, precision and limiter, which has faces to ask in troubled flow only;
// callgrind leaves a count for each, in the order printed.
#include <valgrind/callgrind.h>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include "physics/schemes.hpp"
#include "solver/sweep.hpp"

namespace tayra {
namespace {

// Rows of whole packs and a rest.
constexpr Layout box{36, 12, 12};

/// Energies of the gas beyond its background's.
constexpr double smooth = 0.1, troubled = 1;

template <class Real>
State<Real> smooth_state(int x, int y, int z, double energy) {
  const auto wave = [](int i, int n) { return std::sin(2 * std::numbers::pi * i / n); };
  const double density = 1 + 0.2 * wave(x, box.nx) * wave(y, box.ny);
  return {Real(density), {{Real(0.3 * wave(z, box.nz)), Real(0.1), Real(0)}}, Real(energy)};
}

template <class Real>
std::vector<Real> smooth_field(double energy) {
  std::vector<Real> field(box.size());
  const std::size_t word = box.variable_stride();
  for (int z = 0; z < box.nz; ++z)
    for (int y = 0; y < box.ny; ++y)
      for (int x = 0; x < box.nx; ++x) {
        const State<Real> state = smooth_state<Real>(x, y, z, energy);
        Real* to = field.data() + box.plane_start(z) + std::size_t(y) * box.nx + x;
        to[0] = state.density;
        for (int i = 0; i < 3; ++i) to[(1 + i) * word] = state.momentum[i];
        to[4 * word] = state.energy;
      }
  return field;
}

template <class Real>
class Flow {
 public:
  explicit Flow(double energy) : u_(smooth_field<Real>(energy)) {}

  void sweep(int scheme, Positivity positivity, Stage stage, const std::vector<Real>& now,
             std::vector<Real>& next) {
    const Slab<Real> slab{box,
                          0,
                          Beyond::mirror,
                          Beyond::mirror,
                          Boundary::periodic,
                          RowsInBox::all(box.ny, Boundary::periodic),
                          {{{Real(1), Real(1), Real(1)}}, Real(1), {{Real(1), Real(1), Real(1)}}},
                          background_.data() + ghost_planes};
    const FlowConstants<Real> flow{Gas<Real>(1.4), ColumnGravity<Real>(-1, 1)};
    sweep_on_cpu<Real>(
        {slab, flow, stage, u_.data(), now.data(), next.data(), &clock_, all_planes(box.nz), {}}, scheme,
        positivity);
  }

  void step(int scheme, Positivity positivity) {
    sweep(scheme, positivity, {0, false}, u_, a_);
    sweep(scheme, positivity, {0.75, false}, a_, b_);
    sweep(scheme, positivity, {1. / 3, true}, b_, u_);
  }

  void take_memory(int scheme, Positivity positivity) {
    clock_.dt = 1e-4;
    sweep(scheme, positivity, {0, false}, u_, a_);
  }

 private:
  std::vector<PlaneBackground<Real>> background_{box.nz + 2 * ghost_planes, {Real(1), Real(1)}};
  std::vector<Real> u_, a_ = u_, b_ = u_;
  StepClock clock_;
};

template <class Real>
void count(int scheme, const char* name, Positivity positivity, double energy) {
  Flow<Real> flow(energy);
  flow.take_memory(scheme, positivity);
  CALLGRIND_ZERO_STATS;
  flow.step(scheme, positivity);
  CALLGRIND_DUMP_STATS;
  std::printf("%s, %s, limiter %s\n", name, sizeof(Real) == 8 ? "double" : "single",
              positivity == Positivity::off ? "off"
              : energy == smooth            ? "on"
                                            : "on, troubled");
}

template <std::size_t... I>
void count_all(std::index_sequence<I...>) {
  std::printf("%d cells\n", box.nx * box.ny * box.nz);
  const auto count_each = [](Positivity positivity, double energy) {
    (count<double>(I, std::tuple_element_t<I, Schemes>::name, positivity, energy), ...);
    (count<float>(I, std::tuple_element_t<I, Schemes>::name, positivity, energy), ...);
  };
  count_each(Positivity::off, smooth);
  count_each(Positivity::on, smooth);
  count_each(Positivity::on, troubled);
}

}  // namespace
}  // namespace tayra

int main() { tayra::count_all(std::make_index_sequence<tayra::scheme_count>()); }
