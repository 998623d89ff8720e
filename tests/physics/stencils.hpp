// Cells and stencils for the tests of the physics: drawn at random from a fixed seed, mirrored, turned.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <tuple>
#include <type_traits>
#include <utility>

#include "physics/face_flux.hpp"
#include "physics/schemes.hpp"
#include "solver/problem.hpp"

namespace tayra::testing {

/// Numbers that are the same in every run.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : bits_(seed) {}
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(bits_() >> 11) * 0x1p-53;
  }
  /// As often between 0.001 and 0.01 as between 0.1 and 1.
  double between_powers(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }

 private:
  std::mt19937_64 bits_;
};

template <class Real>
Cell<Real> cell_of(const Primitive& p, double background_pressure, const Gas<Real>& gas) {
  const Vec3& u = p.velocity;
  const double kinetic = 0.5 * p.density * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  const double energy = (p.pressure - background_pressure) * double(gas.inverse_gamma_minus_1) + kinetic;
  const State<Real> state{Real(p.density),
                          {{Real(p.density * u[0]), Real(p.density * u[1]), Real(p.density * u[2])}},
                          Real(energy)};
  return make_cell(state, Real(background_pressure), gas);
}

/// Density about 1, pressure about 1, speeds up to 1; neighbours differ by `unevenness`.
template <class Real>
Stencil<Real> smooth_stencil(Dice& dice, double unevenness, const Gas<Real>& gas) {
  Primitive mean{dice.between(0.5, 2), {}, dice.between(0.5, 2)};
  for (double& u : mean.velocity) u = dice.between(-1, 1);
  const double background = dice.between(0, 1);
  const auto cell = [&] {
    Primitive p = mean;
    p.density += dice.between(-unevenness, unevenness);
    for (double& u : p.velocity) u += dice.between(-unevenness, unevenness);
    p.pressure += dice.between(-unevenness, unevenness);
    return cell_of(p, background, gas);
  };
  return {cell(), cell(), cell(), cell()};
}

/// Density and pressure over four powers of ten, Mach numbers up to `fastest`.
template <class Real>
Stencil<Real> violent_stencil(Dice& dice, double fastest, const Gas<Real>& gas) {
  const auto cell = [&] {
    Primitive p{dice.between_powers(1e-3, 10), {}, dice.between_powers(1e-3, 10)};
    const double sound = std::sqrt(double(gas.gamma) * p.pressure / p.density);
    for (double& u : p.velocity) u = dice.between(-fastest, fastest) * sound;
    return cell_of(p, dice.between(0, 1) * p.pressure, gas);
  };
  return {cell(), cell(), cell(), cell()};
}

template <class N>
Cell<N> mirrored(Cell<N> cell, int axis) {
  cell.state.momentum[axis] = -cell.state.momentum[axis];
  cell.velocity[axis] = -cell.velocity[axis];
  return cell;
}

/// As seen in a mirror that stands at the face.
template <class N>
Stencil<N> mirrored(const Stencil<N>& s, int axis) {
  return {mirrored(s.far_right, axis), mirrored(s.right, axis), mirrored(s.left, axis),
          mirrored(s.far_left, axis)};
}

/// Two axes trade places.
template <class N>
State<N> swapped(State<N> state, int first, int second) {
  std::swap(state.momentum[first], state.momentum[second]);
  return state;
}

template <class N>
Stencil<N> swapped(Stencil<N> s, int first, int second) {
  for (Cell<N>* cell : {&s.far_left, &s.left, &s.right, &s.far_right}) {
    cell->state = swapped(cell->state, first, second);
    std::swap(cell->velocity[first], cell->velocity[second]);
  }
  return s;
}

template <class N>
std::array<N, 5> words(const State<N>& q) {
  return {q.density, q.momentum[0], q.momentum[1], q.momentum[2], q.energy};
}

/// Larger than any part of a flux through this face, or of its error.
template <class Real>
double flux_scale(const Stencil<Real>& s) {
  double scale = 0;
  for (const Cell<Real>* cell : {&s.far_left, &s.left, &s.right, &s.far_right}) {
    const double speed =
        std::sqrt(double(dot(cell->state.momentum, cell->state.momentum))) * double(cell->inverse_density) +
        double(cell->sound_speed);
    scale =
        std::max(scale, (1 + speed) * (double(cell->state.density) * (1 + speed) + double(cell->enthalpy)));
  }
  return scale;
}

template <class Real>
void expect_near(const State<Real>& found, const State<Real>& expected, double tolerance) {
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(words(found)[i], words(expected)[i], tolerance) << "part " << i;
}

template <int number>
using Axis = std::integral_constant<int, number>;

/// Calls work(Axis, Real) for all axes in both precisions.
template <class Work>
void on_every_axis_and_precision(const Work& work) {
  const auto on_every_axis = [&](auto real) {
    work(Axis<0>(), real);
    work(Axis<1>(), real);
    work(Axis<2>(), real);
  };
  on_every_axis(double());
  on_every_axis(float());
}

template <class Tuple>
struct AsTestTypes;
template <class... Scheme>
struct AsTestTypes<std::tuple<Scheme...>> {
  using Type = ::testing::Types<Scheme...>;
};
using AllSchemes = AsTestTypes<Schemes>::Type;

/// Those that claim to keep contacts at rest.
template <class Tuple>
struct Keeping;
template <class... Scheme>
struct Keeping<std::tuple<Scheme...>> {
  using Tuple = decltype(std::tuple_cat(
      std::conditional_t<Scheme::traits.keeps_contacts, std::tuple<Scheme>, std::tuple<>>()...));
};
using SchemesThatKeepContacts = AsTestTypes<Keeping<Schemes>::Tuple>::Type;

/// A scheme's flux, from the multiple that it returns.
template <class Scheme, class Real>
State<Real> once(const State<Real>& multiple) {
  return Real(1. / Scheme::flux_multiple) * multiple;
}

struct SchemeName {
  template <class Scheme>
  static std::string GetName(int) {
    return Scheme::name;
  }
};

}  // namespace tayra::testing
