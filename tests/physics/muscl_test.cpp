// muscl's flux is the textbook's HLLC of limited values at the face.
#include "physics/schemes/muscl.hpp"

#include <gtest/gtest.h>

#include <algorithm>

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

TEST(Muscl, CarriesValuesToBothFacesByKorensLimiterWhereACellIsNotSmooth) {
  Dice dice(22);
  for (int i = 0; i < 2000; ++i) {
    const double before = dice.between(-1, 1), here = dice.between(-1, 1), after = dice.between(-1, 1);
    double to_lower = 0, to_upper = 0;
    Muscl::carry(before, here, after, false, to_lower, to_upper);
    EXPECT_NEAR(to_upper, by_koren(before, here, after), 1e-14);
    EXPECT_NEAR(to_lower, by_koren(after, here, before), 1e-14);
    Muscl::carry(before, here, after, true, to_lower, to_upper);
    EXPECT_NEAR(to_upper, by_parabola(before, here, after), 1e-14);
    EXPECT_NEAR(to_lower, by_parabola(after, here, before), 1e-14);
  }
}

/// A crest of every variable, or a trough, that the limiter would flatten.
Muscl::AtFaces<double> faces_of_crest(double height, double unit_of_mass, double unit_of_speed,
                                      double speed) {
  const auto cell = [&](double share) {
    const double change = 1 - height * share;
    const double u = unit_of_speed * (speed + change);
    return cell_of(
        Primitive{unit_of_mass * change, {u, u, u}, unit_of_mass * unit_of_speed * unit_of_speed * change}, 0,
        Gas<double>(ratio));
  };
  return Muscl::at_faces(cell(1), cell(0), cell(0));
}

TEST(Muscl, LeavesACrestAsItIsIfDensityHardlyChangesInAnyUnitsAndFrame) {
  for (const double mass : {1e-3, 1., 1e3})
    for (const double speed : {1e-3, 1., 1e3})
      for (const double frame : {0., 5.}) {
        const auto small = faces_of_crest(0.029, mass, speed, frame),
                   large = faces_of_crest(0.031, mass, speed, frame);
        EXPECT_NEAR(small.upper.density / mass, 1 + 0.029 / 6, 1e-12);
        EXPECT_NEAR(small.upper.velocity[1] / speed, frame + 1 + 0.029 / 6, 1e-12);
        EXPECT_NEAR(small.upper.perturbation / (mass * speed * speed), 1 + 0.029 / 6, 1e-9);
        EXPECT_NEAR(large.upper.density / mass, 1, 1e-12);
        EXPECT_NEAR(large.upper.velocity[1] / speed, frame + 1, 1e-12);
        EXPECT_NEAR(large.upper.perturbation / (mass * speed * speed), 1, 1e-9);
      }
}

}  // namespace
}  // namespace tayra::testing
