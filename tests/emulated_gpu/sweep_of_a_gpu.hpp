// The GPU's sweep without a GPU: its kernel, run by fibers of the CPU, and what the CPU's own sweep makes of
// the same flow.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "physics/schemes.hpp"
#include "solver/carry_cuda.cuh"
#include "solver/sweep_cuda.cuh"

namespace tayra {

namespace {

/// Some planes of a box in which nothing is smooth.
struct Flow {
  int nx, ny, nz;
  Boundary x, y;
  Stage stage;
  double least_density;   // of a few cells; far below the others' it needs the limiter
  bool in_place = false;  // what is swept is written over the old states
  double fastest = 0.3;   // of all cells, or of the troubled ones
  double dt = 0.01;
  /// Where there are any, all others are smooth.
  std::vector<std::array<int, 3>> troubled_cells = {};
  double (*density_at_rest)(int plane) = nullptr;  // of gas at rest at the background's pressure, if it is
  Beyond above = Beyond::mirror;
  int scalars = 0;

  bool is_troubled(const std::array<int, 3>& cell) const {
    return std::find(troubled_cells.begin(), troubled_cells.end(), cell) != troubled_cells.end();
  }
};

template <class Scheme_, class Real_, GpuClass gpu_ = GpuClass::kib228>
struct Case {
  using Scheme = Scheme_;
  using Real = Real_;
  static constexpr GpuClass gpu = gpu_;
};

#ifdef TAYRA_RACES
constexpr bool looks_for_races = true;
#else
constexpr bool looks_for_races = false;
#endif

/// A scheme for each shape of tile is tried in full. What the others add is their own code.
#ifdef TAYRA_IN_FULL
constexpr bool in_brief = looks_for_races;
#else
constexpr bool in_brief = true;
#endif

template <class TypeParam>
class SweepOfAGpu : public ::testing::Test {
 protected:
  using Scheme = typename TypeParam::Scheme;
  using Real = typename TypeParam::Real;
  static constexpr GpuClass gpu = TypeParam::gpu;

  static std::vector<Real> field(const Layout& layout, const Flow& flow, double least_density,
                                 unsigned seed) {
    std::mt19937 random(seed);
    const auto between = [&](double low, double high) {
      return low + (high - low) * (random() / static_cast<double>(std::mt19937::max()));
    };
    std::vector<Real> field(layout.size());
    const std::size_t word = layout.variable_stride();
    for (int k = -ghost_planes; k < layout.nz + ghost_planes; ++k) {
      if (flow.density_at_rest != nullptr) {
        std::fill_n(field.data() + layout.plane_start(k), word, Real(flow.density_at_rest(k)));
        continue;
      }
      for (std::size_t i = 0; i < word; ++i) {
        Real* cell = field.data() + layout.plane_start(k) + i;
        const bool is_light =
            flow.troubled_cells.empty()
                ? between(0, 1) > 0.95
                : flow.is_troubled({static_cast<int>(i) % layout.nx, static_cast<int>(i) / layout.nx, k});
        const double fastest = flow.troubled_cells.empty() || is_light ? flow.fastest : 0.2;
        const double density = is_light ? least_density : between(0.7, 1.3);
        cell[0] = Real(density);
        double energy = 0;
        for (int v = 1; v < 4; ++v) {
          const double speed = between(-fastest, fastest);
          cell[v * word] = Real(density * speed);
          energy += 0.5 * density * speed * speed;
        }
        cell[4 * word] = Real(energy + between(0.3, 0.7));
        for (int s = 0; s < layout.scalars; ++s)
          cell[(field_variables + s) * word] = Real(is_light ? 1 : between(0, 1));
      }
    }
    return field;
  }

  struct Result {
    std::vector<Real> next;
    SlabReport found;
    std::vector<Real> lower, upper;  // edges, as neighbours get them
    static bool same(const std::vector<Real>& one, const std::vector<Real>& other) {
      return one.size() == other.size() &&
             std::memcmp(one.data(), other.data(), one.size() * sizeof(Real)) == 0;
    }
    bool operator==(const Result& other) const {
      return same(next, other.next) && same(lower, other.lower) && same(upper, other.upper) &&
             found.signal_rate == other.found.signal_rate && found.bad_cell == other.found.bad_cell &&
             found.limited_faces == other.found.limited_faces;
    }
  };

  /// `sweep_with` gets a sweep that is complete but for its clock and where it writes to.
  template <class SweepWith>
  static Result result_of(const Flow& flow, SweepWith sweep_with) {
    const Layout layout{flow.nx, flow.ny, flow.nz, flow.scalars};
    const auto u = field(layout, flow, flow.least_density, 1), u_old = field(layout, flow, 1, 2);
    std::vector<PlaneBackground<Real>> background(flow.nz + 2 * ghost_planes);
    for (std::size_t k = 0; k < background.size(); ++k)
      background[k] = {Real(1 + 0.02 * k), Real(1.5 - 0.01 * k)};
    const std::vector<Real> no_edge(ghost_planes * layout.plane_stride(), Real(-7));
    std::vector<Real> mass(flow.scalars > 0 ? MassFluxes<Real>::size(layout) : 0);
    Result result{flow.in_place ? u_old : std::vector<Real>(layout.size(), Real(-7)), {}, no_edge, no_edge};
    StepClock clock{};
    clock.dt = flow.dt;
    std::vector<unsigned> deferred_bits(mask_count(layout), 0);
    Interval busy;
    sweep_with(
        Sweep<Real>{{layout,
                     0,
                     Beyond::neighbour,
                     flow.above,
                     flow.x,
                     RowsInBox::all(flow.ny, flow.y),
                     {{{Real(10), Real(11), Real(12)}}, Real(10. / 11), {{Real(10), Real(11), Real(12)}}},
                     background.data() + ghost_planes},
                    {Gas<Real>(1.4), ColumnGravity<Real>(-0.5, 1. / 12)},
                    flow.stage,
                    flow.in_place ? result.next.data() : u_old.data(),
                    u.data(),
                    result.next.data(),
                    &clock,
                    all_planes(flow.nz),
                    {result.lower.data(), result.upper.data()},
                    {},
                    &busy,
                    nullptr,
                    deferred_bits.data(),
                    flow.scalars > 0 ? MassFluxes<Real>(mass.data(), layout) : MassFluxes<Real>()});
    EXPECT_EQ(std::count(deferred_bits.begin(), deferred_bits.end(), 0u), std::ssize(deferred_bits));
    result.found = clock.found;
    return result;
  }

  template <std::size_t... I>
  static constexpr int number_of_scheme(std::index_sequence<I...>) {
    return ((std::is_same_v<std::tuple_element_t<I, Schemes>, Scheme> ? static_cast<int>(I) : 0) + ...);
  }

  template <Positivity positivity>
  static Result result_of_a_cpu(const Flow& flow) {
    constexpr int scheme = number_of_scheme(std::make_index_sequence<std::tuple_size_v<Schemes>>());
    return result_of(flow, [](const Sweep<Real>& sweep) {
      sweep_on_cpu(sweep, scheme, positivity);
      if (sweep.mass.are_wanted()) carry_on_cpu<Real>({sweep, Scheme::flux_multiple});
      const auto copy_edge = [&](int plane, Real* to) {
        const Layout& layout = sweep.slab.layout;
        std::copy_n(sweep.next + layout.plane_start(plane), ghost_planes * layout.plane_stride(), to);
      };
      copy_edge(0, sweep.copies.lower);
      copy_edge(sweep.slab.layout.nz - ghost_planes, sweep.copies.upper);
    });
  }

  /// Rows between these as slabs whose neighbours' rows lie beside their own in memory, one after the other.
  static void each_range_of_rows(const Sweep<Real>& sweep, const std::vector<int>& bounds,
                                 const std::function<void(Sweep<Real>&)>& act) {
    const Layout& layout = sweep.slab.layout;
    for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
      const int begin = bounds[i], end = bounds[i + 1];
      const std::ptrdiff_t first = std::ptrdiff_t(begin) * layout.nx;
      Sweep<Real> part = sweep;
      part.slab.layout.ny = end - begin;
      part.slab.layout.other_rows = layout.ny - part.slab.layout.ny;
      part.slab.y.first = begin;
      if (begin > 0) part.slab.y.below = Beyond::neighbour;
      if (end < layout.ny) part.slab.y.above = Beyond::neighbour;
      for (const Real** field : {&part.u_old, &part.u}) *field += first;
      for (Real** field : {&part.next, &part.copies.lower, &part.copies.upper}) *field += first;
      act(part);
    }
  }

  /// What is swept, of these rows, where nobody has written the ghosts' corners: other rows of ghost planes.
  static std::vector<Real> without_corners(const Sweep<Real>& sweep, int begin, int end) {
    const Layout& layout = sweep.slab.layout;
    std::vector<Real> u(sweep.u, sweep.u + layout.size());
    for (int k = -ghost_planes; k < layout.nz + ghost_planes; ++k)
      for (std::size_t i = 0; i < layout.plane_stride(); ++i) {
        const int y = static_cast<int>(i % layout.variable_stride()) / layout.nx;
        if ((k < 0 || k >= layout.nz) && (y < begin || y >= end))
          u[layout.plane_start(k) + i] = std::numeric_limits<Real>::quiet_NaN();
      }
    return u;
  }

  /// In tiles of this shape, whichever the planner would take, and z-streams of so many planes.
  template <TileKind kind>
  static void sweep_in_tiles(const Sweep<Real>& sweep, int depth) {
    constexpr Tile tile{kind, gpu};
    const int rows = tiles_of<TileShape<Scheme, Real, tile>>(sweep.slab.layout).y;
    launch_kernel<Scheme, Positivity::on, tile>(sweep, ZStreamCut(ColumnCut(sweep.planes, depth), rows),
                                                nullptr);
  }
  template <TileKind kind>
  static Result result_in_tiles(const Flow& flow, int depth = 4) {
    emulated::order = emulated::Order::shuffled;
    return result_of(flow, [depth](const Sweep<Real>& sweep) { sweep_in_tiles<kind>(sweep, depth); });
  }

  struct Attempt {
    int multiprocessors;
    emulated::Order order;
  };
  /// A single multiprocessor gets long z-streams, nearly all of tall or square tiles, plenty of them short
  /// ones of flat tiles.
  static std::vector<Attempt> attempts() {
    using enum emulated::Order;
    if (in_brief) return {{1, forward}, {20, backward}};
    return {{1, forward}, {1, backward}, {20, shuffled}};
  }
  template <Positivity positivity>
  static SlabReport expect_the_bits_of_the_cpu(const Flow& flow,
                                               const std::vector<Attempt>& attempts_ = attempts()) {
    const Result expected = result_of_a_cpu<positivity>(flow);
    for (const auto& [multiprocessors, order] : attempts_) {
      emulated::order = order;
      EXPECT_TRUE(result_of(flow,
                            [count = multiprocessors](const Sweep<Real>& sweep) {
                              launch_best_tiles<Scheme, positivity, gpu>(sweep, count, nullptr);
                            }) == expected)
          << Scheme::name << ", " << flow.nx << " x " << flow.ny << " x " << flow.nz << ", by "
          << multiprocessors << ", order " << static_cast<int>(order);
    }
    const bool has_work = flow.fastest > 1 || (std::is_same_v<Scheme, Roe3> && flow.least_density < 0.1);
    if (positivity == Positivity::on && Scheme::traits.wants_limiter && has_work) {
      EXPECT_GT(expected.found.limited_faces, 0u)
          << "a flow without work for the limiter shows nothing of it";
    }
    return expected.found;
  }

  /// Tiles that lie in the box by a part and as a whole, of rows that are fetched in whole pieces and of
  /// others; first, middle and last stages.
  static std::vector<Flow> flows(double least_density) {
    using enum Boundary;
    std::vector<Flow> flows{{37, 19, 6, outflow, outflow, {1. / 3, true}, least_density},
                            {36, 17, 4, periodic, outflow, {3. / 4, true}, least_density, true},
                            {32, 8, 33, mirror, periodic, {0, false}, least_density},
                            {45, 21, 4, periodic, mirror, {3. / 4, false}, least_density},
                            {68, 18, 3, outflow, periodic, {1. / 3, false}, least_density}};
    if (in_brief) flows.resize(3);
    return flows;
  }
};

}  // namespace
}  // namespace tayra
