// muscl's flux is the textbook's HLLC of limited values at the face.
#include "physics/schemes/muscl.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "physics/stencils.hpp"

namespace tayra::testing {
namespace {

constexpr double ratio = 1.4;
constexpr int axis = 0;

/// Toro's chapter 10: the flux of a side, or with the state between its wave and the contact added.
State<double> textbook_side(const Muscl::AtFace<double>& side, double wave, double contact, double background,
                            bool is_supersonic) {
  const double density = side.density, u = side.velocity[axis], p = side.perturbation + background;
  const double energy = p / (ratio - 1) + 0.5 * density * dot(side.velocity, side.velocity);
  const State<double> state{density, density * side.velocity, energy};
  State<double> flux{density * u, density * u * side.velocity, u * (energy + p)};
  flux.momentum[axis] += p;
  if (!is_supersonic) {
    const double between_density = density * (wave - u) / (wave - contact);
    State<double> between{
        between_density, between_density * side.velocity,
        between_density * (energy / density + (contact - u) * (contact + p / (density * (wave - u))))};
    between.momentum[axis] = between_density * contact;
    flux = flux + wave * (between - state);
  }
  flux.momentum[axis] -= background;
  return flux;
}

State<double> textbook_hllc(const Muscl::AtFace<double>& l, const Muscl::AtFace<double>& r, double sound,
                            double background) {
  const double ul = l.velocity[axis], ur = r.velocity[axis];
  const double slowest = std::min(ul, ur) - sound, fastest = std::max(ul, ur) + sound;
  const double met_left = l.density * (slowest - ul), met_right = r.density * (fastest - ur);
  const double contact =
      (r.perturbation - l.perturbation + met_left * ul - met_right * ur) / (met_left - met_right);
  return contact > 0 ? textbook_side(l, slowest, contact, background, slowest > 0)
                     : textbook_side(r, fastest, contact, background, fastest < 0);
}

TEST(Muscl, HasTheTextbooksFluxBetweenSidesAtAnyMachNumber) {
  const Gas<double> gas(ratio);
  Dice dice(21);
  for (const double fastest : {0.01, 1., 10.})
    for (int i = 0; i < 2000; ++i) {
      const double background = dice.between(0, 1);
      const auto cell = [&] {
        Primitive p{dice.between_powers(0.1, 10), {}, dice.between_powers(0.1, 10)};
        for (double& u : p.velocity) u = dice.between(-fastest, fastest);
        return cell_of(p, background, gas);
      };
      const Stencil<double> s{cell(), cell(), cell(), cell()};
      const auto left = Muscl::at_faces(s.far_left, s.left, s.right).upper;
      const auto right = Muscl::at_faces(s.left, s.right, s.far_right).lower;
      expect_near(Muscl::flux<axis>(s, gas),
                  textbook_hllc(left, right, std::max(s.left.sound_speed, s.right.sound_speed), background),
                  1e-13 * flux_scale(s));
    }
}

/// The value that Koren's limiter phi(r) = max(0, min(2 r, (2 + r) / 3, 2)) gives the upper face.
double by_koren(double behind, double here, double ahead) {
  if (ahead == here) return here;
  const double r = (here - behind) / (ahead - here);
  return here + 0.5 * std::max(0., std::min({2 * r, (2 + r) / 3, 2.})) * (ahead - here);
}
double by_parabola(double behind, double here, double ahead) {
  return here + (2 * (ahead - here) + (here - behind)) / 6;
}

TEST(Muscl, CarriesRoughValuesToBothFacesByKorensLimiter) {
  Dice dice(22);
  for (int i = 0; i < 2000; ++i) {
    const double before = dice.between(-1, 1), here = dice.between(-1, 1), after = dice.between(-1, 1);
    double to_lower = 0, to_upper = 0;
    Muscl::carry(before, here, after, 1e-300, to_lower, to_upper);
    EXPECT_NEAR(to_upper, by_koren(before, here, after), 1e-14);
    EXPECT_NEAR(to_lower, by_koren(after, here, before), 1e-14);
  }
}

TEST(Muscl, CarriesAlongTheParabolaWhereStepsAreSmall) {
  Dice dice(23);
  constexpr double smooth_six = 0.06, largest_jump = smooth_six / 3;
  for (int i = 0; i < 2000; ++i) {
    const double here = dice.between(-1, 1);
    const double before = here + dice.between(-largest_jump, largest_jump);
    const double after = here + dice.between(-largest_jump, largest_jump);
    double to_lower = 0, to_upper = 0;
    Muscl::carry(before, here, after, smooth_six, to_lower, to_upper);
    EXPECT_NEAR(to_upper, by_parabola(before, here, after), 1e-14);
    EXPECT_NEAR(to_lower, by_parabola(after, here, before), 1e-14);
  }
}

TEST(Muscl, OvershootsJumpsByNoMoreThanASmoothStep) {
  Dice dice(24);
  constexpr double smooth_six = 0.06;
  for (int i = 0; i < 2000; ++i) {
    const double before = dice.between(-1, 1), here = dice.between(-1, 1), after = dice.between(-1, 1);
    double to_lower = 0, to_upper = 0;
    Muscl::carry(before, here, after, smooth_six, to_lower, to_upper);
    const auto [least, most] = std::minmax({before, here, after});
    for (const double carried : {to_lower, to_upper}) {
      EXPECT_GE(carried, least - smooth_six / 6 - 1e-15);
      EXPECT_LE(carried, most + smooth_six / 6 + 1e-15);
    }
  }
}

/// Whether steps of a part of what a cell has are smooth must not depend on units or on the frame.
TEST(Muscl, TakesTheSameStepsInOtherUnitsAndFramesOfVelocity) {
  const Gas<double> gas(ratio);
  Dice dice(25);
  for (int i = 0; i < 500; ++i) {
    constexpr double shift = 4, mass = 8, speed = 2;  // powers of two: exact
    const auto near = [&](double of) { return of * (1 + dice.between(-0.02, 0.02)); };
    Primitive here{1, {0.5, -0.25, 0.125}, 1};
    std::array<Cell<double>, 3> plain{}, changed{};
    for (int c = 0; c < 3; ++c) {
      Primitive p{near(here.density), {}, near(here.pressure)};
      for (int d = 0; d < 3; ++d) p.velocity[d] = near(here.velocity[d]);
      plain[c] = cell_of(p, 0, gas);
      Primitive q{mass * p.density, {}, mass * speed * speed * p.pressure};
      for (int d = 0; d < 3; ++d) q.velocity[d] = speed * p.velocity[d] + shift;
      changed[c] = cell_of(q, 0, gas);
    }
    const auto a = Muscl::at_faces(plain[0], plain[1], plain[2]).upper;
    const auto b = Muscl::at_faces(changed[0], changed[1], changed[2]).upper;
    EXPECT_NEAR(b.density, mass * a.density, 1e-13 * mass);
    EXPECT_NEAR(b.perturbation, mass * speed * speed * a.perturbation, 1e-12 * mass * speed * speed);
    for (int d = 0; d < 3; ++d) EXPECT_NEAR(b.velocity[d], speed * a.velocity[d] + shift, 1e-13);
  }
}

}  // namespace
}  // namespace tayra::testing
