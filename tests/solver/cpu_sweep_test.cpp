// A stage on the CPU cuts wide boxes into tiles and strips and may write past the caches: none of it shows.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "core/device.hpp"
#include "physics/stencils.hpp"
#include "solver/sweep.hpp"

namespace tayra::testing {
namespace {

enum class Axes { as_they_are, xy_swapped };

/// Where a word of a cell lies, [z][variable][y][x].
struct Place {
  Layout layout;
  Axes axes;

  Place(const Layout& of, Axes as) : layout(of), axes(as) {
    if (axes == Axes::xy_swapped) std::swap(layout.nx, layout.ny);
  }
  std::size_t operator()(int variable, int x, int y, int z) const {
    if (axes == Axes::xy_swapped) {
      std::swap(x, y);
      if (variable == 1 || variable == 2) variable = 3 - variable;
    }
    return layout.plane_start(z) + variable * layout.variable_stride() + std::size_t(y) * layout.nx + x;
  }
};

/// Of square cells, of which some are nearly empty or cold.
struct Box {
  Layout layout;
  Boundary x, y;
  Stage stage;
  std::vector<std::array<int, 3>> troubled_cells = {};  // where there are any, all others are smooth
  double background_above = 0.8;                        // the pressure of the upper half of the planes
  double pressure = 0.8;                                // about that of the cells, where it is 0.8
};

template <class Real>
struct Swept {
  std::vector<Real> states;  // of own cells, in the order of the axes as they are
  SlabReport found;
};

template <class Real>
class CpuSweep {
 public:
  static constexpr Real untouched = -7;

  CpuSweep(const Box& box, Axes axes)
      : box_(box),
        place_(box.layout, axes),
        u_(cpu, box.layout.size()),
        u_old_(cpu, box.layout.size()),
        next_(cpu, box.layout.size()) {
    for (int z = -ghost_planes; z < box.layout.nz + ghost_planes; ++z)
      background_.push_back({Real(1), Real(2 * z < box.layout.nz ? 0.8 : box.background_above)});
    fill(u_, 1);
    fill(u_old_, 2);
  }

  Swept<Real> with(int scheme, Positivity positivity, Writes writes) {
    return with(scheme, positivity, writes, all_planes(box_.layout.nz));
  }
  Swept<Real> with(int scheme, Positivity positivity, Writes writes, const Planes& planes) {
    std::ranges::fill(std::span(next_.data(), next_.size()), untouched);
    const bool swapped = place_.axes == Axes::xy_swapped;
    StepClock clock;
    clock.dt = 0.004;
    sweep_on_cpu<Real>({{place_.layout,
                         0,
                         Beyond::neighbour,
                         Beyond::mirror,
                         swapped ? box_.y : box_.x,
                         RowsInBox::all(place_.layout.ny, swapped ? box_.x : box_.y),
                         {{{Real(10), Real(10), Real(12)}}, Real(1), {{Real(10), Real(10), Real(12)}}},
                         background_.data() + ghost_planes},
                        {Gas<Real>(1.4), ColumnGravity<Real>(-0.5, 1. / 12)},
                        box_.stage,
                        u_old_.data(),
                        u_.data(),
                        next_.data(),
                        &clock,
                        planes,
                        {}},
                       scheme, positivity, writes);
    return {states(), clock.found};
  }

 private:
  static constexpr Device cpu{};
  void fill(const Buffer<Real>& field, int seed) const {
    Dice dice(seed);
    const Layout& layout = box_.layout;
    for (int z = -ghost_planes; z < layout.nz + ghost_planes; ++z)
      for (int y = 0; y < layout.ny; ++y)
        for (int x = 0; x < layout.nx; ++x) {
          const bool is_listed = std::ranges::count(box_.troubled_cells, std::array{x, y, z}) > 0;
          const bool all_are_troubled = box_.troubled_cells.empty();
          const auto seldom = [&](double rare, double usual) {
            const bool is_rare = all_are_troubled ? dice.between(0, 1) > 0.95 : is_listed;
            return (is_rare ? rare : usual) *
                   (all_are_troubled ? dice.between(0.7, 1.3) : dice.between(0.97, 1.03));
          };
          const double background = background_[z + ghost_planes].pressure;
          const double density = seldom(0.02, 1);
          const double pressure = seldom(0.02, box_.pressure) * background / 0.8;
          const double fastest = (all_are_troubled ? 1
                                  : is_listed      ? 20
                                                   : 0.1) *
                                 std::sqrt(background / 0.8);  // a share of sound's
          const auto word = [&](int variable) -> Real& { return field.data()[place_(variable, x, y, z)]; };
          double kinetic = 0;
          for (int variable = 1; variable < 4; ++variable) {
            const double momentum = density * dice.between(-fastest, fastest);
            word(variable) = Real(momentum);
            kinetic += 0.5 * momentum * momentum / density;
          }
          word(0) = Real(density);
          word(4) = Real((pressure - background) / 0.4 + kinetic);
        }
  }

  std::vector<Real> states() const {
    std::vector<Real> all;
    const Layout& layout = box_.layout;
    for (int z = 0; z < layout.nz; ++z)
      for (int variable = 0; variable < field_variables; ++variable)
        for (int y = 0; y < layout.ny; ++y)
          for (int x = 0; x < layout.nx; ++x) all.push_back(next_.data()[place_(variable, x, y, z)]);
    return all;
  }

  Box box_;
  Place place_;
  Buffer<Real> u_, u_old_, next_;
  std::vector<PlaneBackground<Real>> background_;
};

/// Calls work(Real, scheme, positivity) for all there are.
template <class Work>
void on_every_kind_of_sweep(const Work& work) {
  for (int scheme = 0; scheme < scheme_count; ++scheme)
    for (const Positivity positivity : {Positivity::off, Positivity::on}) {
      SCOPED_TRACE(::testing::Message()
                   << "scheme " << scheme << ", limiter " << (positivity == Positivity::on ? "on" : "off"));
      work(double(), scheme, positivity);
      work(float(), scheme, positivity);
    }
}

template <class Real>
void expect_same(const Swept<Real>& one, const Swept<Real>& other) {
  EXPECT_TRUE(one.states == other.states) << sizeof(Real) << " bytes a number";
  EXPECT_EQ(one.found.signal_rate, other.found.signal_rate);
  EXPECT_EQ(one.found.limited_faces, other.found.limited_faces);
}

// Wider than two tiles of either precision.
constexpr Layout whole_packs{544, 6, 4}, packs_and_a_rest{541, 6, 4}, all_but_a_lane{543, 6, 4};

TEST(CpuSweep, SweepsAWideBoxAsTheNarrowOneOfWhichXAndYTradePlaces) {
  using enum Boundary;
  for (const Box& box : {Box{whole_packs, periodic, mirror, {0.75, false}},
                         Box{packs_and_a_rest, mirror, outflow, {1. / 3, true}},
                         Box{all_but_a_lane, outflow, periodic, {0, false}},
                         // at edges of strips and tiles, of either axis and precision
                         Box{whole_packs,
                             periodic,
                             periodic,
                             {0.75, true},
                             {{0, 0, 0}, {63, 2, 1}, {128, 3, 1}, {256, 5, 3}, {400, 1, 2}, {543, 4, 0}}}}) {
    unsigned long long limited_faces = 0;
    on_every_kind_of_sweep([&](auto real, int scheme, Positivity positivity) {
      using Real = decltype(real);
      const auto swept = [&](Axes axes) {
        return CpuSweep<Real>(box, axes).with(scheme, positivity, Writes::through_caches);
      };
      const Swept<Real> wide = swept(Axes::as_they_are);
      expect_same(wide, swept(Axes::xy_swapped));
      limited_faces += wide.found.limited_faces;
    });
    EXPECT_GT(limited_faces, 0u) << "the limiter had nothing to do";
  }
}

TEST(CpuSweep, WritesTheSamePastTheCaches) {
  for (const Layout& layout : {whole_packs, packs_and_a_rest, Layout{16, 5, 4}})
    for (const bool last : {false, true})
      on_every_kind_of_sweep([&](auto real, int scheme, Positivity positivity) {
        CpuSweep<decltype(real)> sweep({layout, Boundary::periodic, Boundary::mirror, {1. / 3, last}},
                                       Axes::as_they_are);
        const auto through = sweep.with(scheme, positivity, Writes::through_caches);
        const auto past = sweep.with(scheme, positivity, Writes::past_caches);
        expect_same(through, past);
        EXPECT_EQ(through.found.bad_cell, past.found.bad_cell);
      });
}

// Cells a quarter above their background are smooth, but where that falls to a hundredth their excess is not.
TEST(CpuSweep, LooksForFacesToLimitWhereTheBackgroundChangesQuickly) {
  const auto limited_faces = [](double background_above) {
    unsigned long long faces = 0;
    on_every_kind_of_sweep([&](auto real, int scheme, Positivity positivity) {
      const Box box{
          {16, 8, 8}, Boundary::periodic, Boundary::periodic, {0, true}, {{-1, 0, 0}}, background_above, 1};
      faces += CpuSweep<decltype(real)>(box, Axes::as_they_are)
                   .with(scheme, positivity, Writes::through_caches)
                   .found.limited_faces;
    });
    return faces;
  };
  EXPECT_EQ(limited_faces(0.8), 0u);
  EXPECT_GT(limited_faces(0.008), 0u);
}

TEST(CpuSweep, LeavesAllAsItWasWhereThereAreNoPlanes) {
  const Layout flat{16, 5, 4};
  CpuSweep<double> sweep({flat, Boundary::periodic, Boundary::periodic, {0, true}}, Axes::as_they_are);
  const Swept<double> swept = sweep.with(0, Positivity::on, Writes::through_caches, interior_planes(flat.nz));
  for (const double word : swept.states) ASSERT_EQ(word, CpuSweep<double>::untouched);
  EXPECT_EQ(swept.found.signal_rate, 0);
}

}  // namespace
}  // namespace tayra::testing
