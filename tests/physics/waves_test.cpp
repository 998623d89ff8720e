// The waves of the Euler equations about Roe's average.
#include "physics/waves.hpp"

#include <gtest/gtest.h>

#include "physics/stencils.hpp"

namespace tayra::testing {
namespace {

constexpr double ratio = 1.4;

/// Cells about the same background, as those of one face of a horizontal axis are.
struct Face {
  Stencil<double> stencil;
  MeanState<double> mean;
  State<double> jump;
};

Face any_face(Dice& dice, const Gas<double>& gas) {
  const Stencil<double> stencil = smooth_stencil(dice, 0.4, gas);
  return {stencil, roe_average(stencil.left, stencil.right, gas), stencil.right.state - stencil.left.state};
}

template <int axis>
Waves<double> times_speeds(Waves<double> w, const MeanState<double>& mean, double (*of)(double)) {
  const double u = mean.velocity[axis];
  w.acoustic_minus *= of(u - mean.sound_speed);
  w.acoustic_plus *= of(u + mean.sound_speed);
  w.density *= of(u);
  for (int i = 0; i < 3; ++i) w.shear[i] *= of(u);
  return w;
}

/// What a small change of the state is in density, velocity and pressure.
Roe3::Differences<double> primitive_jump(const State<double>& q, const MeanState<double>& mean,
                                         const Gas<double>& gas) {
  return {q.density, (1 / mean.density) * (q.momentum - q.density * mean.velocity),
          pressure_part(q, mean, gas)};
}

template <class Check>
void on_many_faces(const Check& check) {
  const Gas<double> gas(ratio);
  Dice dice(8);
  for (int i = 0; i < 500; ++i) {
    const Face face = any_face(dice, gas);
    check(Axis<0>(), face, gas);
    check(Axis<1>(), face, gas);
    check(Axis<2>(), face, gas);
  }
}

TEST(Waves, AddUpToTheStateThatTheyWereTakenFrom) {
  on_many_faces([]<int axis>(Axis<axis>, const Face& face, const Gas<double>& gas) {
    for (const State<double>& q : {face.jump, face.stencil.left.state})
      expect_near(from_waves<axis>(to_waves<axis>(q, face.mean, gas), face.mean), q, 1e-13);
  });
}

TEST(Waves, OfRoesAverageCarryTheJumpOfTheFlux) {
  on_many_faces([]<int axis>(Axis<axis>, const Face& face, const Gas<double>& gas) {
    const Waves<double> moved = times_speeds<axis>(to_waves<axis>(face.jump, face.mean, gas), face.mean,
                                                   [](double speed) { return speed; });
    expect_near(from_waves<axis>(moved, face.mean),
                euler_flux<axis>(face.stencil.right) - euler_flux<axis>(face.stencil.left), 1e-12);
  });
}

TEST(Waves, EachDampedByItsOwnSpeedAreTheDissipationOfRoe3) {
  on_many_faces([]<int axis>(Axis<axis>, const Face& face, const Gas<double>& gas) {
    const Waves<double> damped = times_speeds<axis>(to_waves<axis>(face.jump, face.mean, gas), face.mean,
                                                    [](double speed) { return std::abs(speed); });
    const Roe3::FaceGas<double> same{.density = face.mean.density,
                                     .sound_speed = face.mean.sound_speed,
                                     .inverse_sound_speed = face.mean.inverse_sound_speed,
                                     .mass_of_sound = face.mean.inverse_sound_speed,
                                     .velocity_sum = 2. * face.mean.velocity};
    const Roe3::Damping<double> damping =
        Roe3::damping<axis>(primitive_jump(face.jump, face.mean, gas), same);
    expect_near(Roe3::together(State<double>{}, damping.mass, damping, same, gas),
                from_waves<axis>(damped, face.mean), 1e-12);
  });
}

TEST(RoeAverage, OfTwoEqualCellsIsTheCell) {
  const Gas<double> gas(ratio);
  Dice dice(9);
  for (int i = 0; i < 100; ++i) {
    const Cell<double> cell = smooth_stencil(dice, 0.4, gas).left;
    const MeanState<double> mean = roe_average(cell, cell, gas);
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(mean.velocity[axis], cell.state.momentum[axis] * cell.inverse_density, 1e-14);
    EXPECT_NEAR(mean.enthalpy, cell.enthalpy * cell.inverse_density, 1e-13);
    EXPECT_NEAR(mean.sound_speed, cell.sound_speed, 1e-13);
  }
}

TEST(FaceGasOfRoe3, IsTheLighterSidesAtAContact) {
  const Gas<double> gas(ratio);
  Dice dice(14);
  for (int i = 0; i < 100; ++i) {
    Primitive p{dice.between_powers(1e-2, 1e2), {}, dice.between(0.5, 2)};
    for (double& u : p.velocity) u = dice.between(-1, 1);
    const double background = dice.between(0, 1);
    const Cell<double> light = cell_of(p, background, gas);
    p.density *= dice.between(1, 1e2);
    const Cell<double> heavy = cell_of(p, background, gas);
    for (const Roe3::FaceGas<double>& face :
         {Roe3::face_gas(light, heavy), Roe3::face_gas(heavy, light), Roe3::face_gas(light, light)}) {
      EXPECT_EQ(face.density, light.state.density);
      EXPECT_EQ(face.sound_speed, light.sound_speed);
      EXPECT_NEAR(face.inverse_sound_speed * face.sound_speed, 1, 4e-16);
      for (int axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(face.velocity_sum[axis], 2 * light.velocity[axis], 1e-15);
    }
  }
}

/// Sound carries this many times the face's own gas: what lies on both sides.
TEST(FaceGasOfRoe3, LetsSoundMoveTheMeanDensityOfAContact) {
  const Gas<double> gas(ratio);
  for (const double jump : {1., 3., 19., 99.}) {
    const Cell<double> light = cell_of({1, {}, 2}, 0.5, gas), heavy = cell_of({jump, {}, 2}, 0.5, gas);
    for (const Roe3::FaceGas<double>& face : {Roe3::face_gas(light, heavy), Roe3::face_gas(heavy, light)})
      EXPECT_NEAR(face.mass_of_sound * face.sound_speed, (1 + jump) / 2, 1e-13 * jump);
  }
}

TEST(Roe3, MovesNoMassWhereGasOfBothSidesOfAContactMeets) {
  const Gas<double> gas(ratio);
  const auto moving = [&](double density, double u) { return cell_of({density, {u, u, u}, 1}, 0.5, gas); };
  const Stencil<double> contact{moving(3, 0), moving(3, 0.1), moving(1, -0.1), moving(1, 0)};
  EXPECT_NEAR(Roe3::flux<0>(contact, gas).density, 0, 1e-15);
  EXPECT_NEAR(Roe3::flux<2>(contact, gas).density, 0, 1e-15);
}

}  // namespace
}  // namespace tayra::testing
