// What comes back of a cell that a sweep has kept.
#include "solver/sweep_cell.hpp"

#include <gtest/gtest.h>

#include <array>

#include "physics/stencils.hpp"

namespace tayra::testing {
namespace {

template <class Scheme>
class KeptCellOf : public ::testing::Test {};
TYPED_TEST_SUITE(KeptCellOf, AllSchemes, SchemeName);

TYPED_TEST(KeptCellOf, ComesBackToTheLastBitButForWhatIsMadeUpAgain) {
  using Kept = KeptCell<TypeParam, Positivity::on>;
  const Gas<double> gas(1.4);
  Dice dice(15);
  for (int i = 0; i < 100; ++i) {
    const Cell<double> cell = violent_stencil(dice, 3, gas).left;
    const Cell<double> back = Kept::as_kept(cell, gas);
    EXPECT_EQ(back.state.density, cell.state.density);
    EXPECT_EQ(back.pressure, cell.pressure);
    EXPECT_NEAR(back.enthalpy, cell.enthalpy,
                Kept::has_state || Kept::has_enthalpy ? 0 : 1e-15 * cell.enthalpy);
    EXPECT_EQ(back.sound_speed, cell.sound_speed);
    EXPECT_EQ(back.background_pressure, cell.background_pressure);
    if constexpr (TypeParam::uses_inverse_sound_speed) {
      EXPECT_EQ(back.inverse_sound_speed, cell.inverse_sound_speed);
    }
    if constexpr (TypeParam::uses_inverse_root_density) {
      EXPECT_EQ(back.inverse_root_density, cell.inverse_root_density);
    }
    for (int axis = 0; axis < 3; ++axis) {
      const double momentum = cell.state.momentum[axis];
      EXPECT_EQ(back.velocity[axis], cell.velocity[axis]);
      EXPECT_NEAR(back.state.momentum[axis], momentum, Kept::has_state ? 0 : 4e-16 * std::abs(momentum));
    }
    if constexpr (Kept::has_state) {
      EXPECT_EQ(back.state.energy, cell.state.energy);
    }
  }
}

/// A scheme that reads what it does not say it reads would compute with zeros, or a rounded enthalpy.
template <class Scheme, Positivity limiter>
void expect_all_that_is_read_to_be_kept() {
  using Kept = KeptCell<Scheme, limiter>;
  const Gas<double> gas(1.4);
  Dice dice(16);
  const auto complete = [&](const Cell<double>& cell) {
    Cell<double> back = Kept::as_kept(cell, gas);
    if constexpr (!Kept::has_state) {
      back.enthalpy = cell.enthalpy;
      back.state.energy = cell.state.energy;
      back.inverse_density = cell.inverse_density;
    }
    back.sound_speed = cell.sound_speed;
    back.inverse_sound_speed = cell.inverse_sound_speed;
    back.inverse_root_density = cell.inverse_root_density;
    return back;
  };
  const auto words = [](const State<double>& flux) {
    return std::array{flux.density, flux.momentum[0], flux.momentum[1], flux.momentum[2], flux.energy};
  };
  for (int i = 0; i < 100; ++i) {
    const Stencil<double> s = violent_stencil(dice, 3, gas);
    const auto flux_of = [&](const auto& form) {
      return words(Scheme::template flux<2>(
          Stencil<double>{form(s.far_left), form(s.left), form(s.right), form(s.far_right)}, gas));
    };
    EXPECT_EQ(flux_of([&](const Cell<double>& cell) { return Kept::as_kept(cell, gas); }), flux_of(complete));
  }
}

TYPED_TEST(KeptCellOf, HasAllThatFluxesRead) {
  expect_all_that_is_read_to_be_kept<TypeParam, Positivity::off>();
  expect_all_that_is_read_to_be_kept<TypeParam, Positivity::on>();
}

}  // namespace
}  // namespace tayra::testing
