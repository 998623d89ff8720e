// A lane of a SIMD pack computes what a single number does, bit for bit: no cell knows where in a row it
// lies.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <vector>

#include "core/simd.hpp"
#include "physics/stencils.hpp"

namespace tayra::testing {
namespace {

template <class Real>
using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;

template <class Real>
void set_lane(Cell<Pack<Real>>& pack, int lane, const Cell<Real>& cell) {
  pack.state.density[lane] = cell.state.density;
  for (int i = 0; i < 3; ++i) pack.state.momentum[i][lane] = cell.state.momentum[i];
  pack.state.energy[lane] = cell.state.energy;
  pack.background_pressure[lane] = cell.background_pressure;
}

template <class Real>
Stencil<Pack<Real>> packed(const std::vector<Stencil<Real>>& stencils, const Gas<Real>& gas) {
  Stencil<Pack<Real>> pack{};
  for (int lane = 0; lane < int(Pack<Real>::size()); ++lane) {
    set_lane(pack.far_left, lane, stencils[lane].far_left);
    set_lane(pack.left, lane, stencils[lane].left);
    set_lane(pack.right, lane, stencils[lane].right);
    set_lane(pack.far_right, lane, stencils[lane].far_right);
  }
  for (Cell<Pack<Real>>* cell : {&pack.far_left, &pack.left, &pack.right, &pack.far_right})
    *cell = make_cell<Pack<Real>>(cell->state, cell->background_pressure, gas);
  return pack;
}

template <class Real>
void expect_same_bits(const State<Pack<Real>>& pack, int lane, const State<Real>& single) {
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(std::bit_cast<Bits<Real>>(Real(words(pack)[i][lane])),
              std::bit_cast<Bits<Real>>(words(single)[i]))
        << "lane " << lane << ", part " << i;
}

template <class Scheme>
class Lanes : public ::testing::Test {};
TYPED_TEST_SUITE(Lanes, AllSchemes, SchemeName);

TYPED_TEST(Lanes, AgreeWithSingleNumbersBitForBitLimitedOrNot) {
  on_every_axis_and_precision([]<int axis, class Real>(Axis<axis>, Real) {
    const Gas<Real> gas(1.4);
    Dice dice(7);
    for (int i = 0; i < 200; ++i) {
      std::vector<Stencil<Real>> stencils;
      for (int lane = 0; lane < int(Pack<Real>::size()); ++lane)
        stencils.push_back(lane % 3 ? smooth_stencil(dice, 0.2, gas) : violent_stencil(dice, 3, gas));
      const auto pack = face_flux<TypeParam, Positivity::on, axis>(packed(stencils, gas), gas);
      for (int lane = 0; lane < int(Pack<Real>::size()); ++lane) {
        const auto single = face_flux<TypeParam, Positivity::on, axis>(stencils[lane], gas);
        EXPECT_EQ(bool(pack.flagged[lane]), single.flagged);
        expect_same_bits(pack.flux, lane, single.flux);
      }
    }
  });
}

TEST(Lanes, MultiplyAndAddWithOneRounding) {
  const double a = 1 + 0x1p-30, b = 1 - 0x1p-30;  // a b = 1 - 2^-60, which two roundings turn into 1
  const Pack<double> pack = multiply_add<Pack<double>>(a, b, -1.);
  for (int lane = 0; lane < int(Pack<double>::size()); ++lane) EXPECT_EQ(double(pack[lane]), -0x1p-60);
  EXPECT_EQ(multiply_add<double>(a, b, -1.), -0x1p-60);
}

}  // namespace
}  // namespace tayra::testing
