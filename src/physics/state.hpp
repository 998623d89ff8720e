// The five conserved variables as one value, with the arithmetic that lets a flux formula be written as in
// the paper.
#pragma once

#include "core/number.hpp"

namespace tayra {

template <class N>
struct Vector {
  N component[3];
  TAYRA_HD N& operator[](int axis) { return component[axis]; }
  TAYRA_HD const N& operator[](int axis) const { return component[axis]; }
};

template <class N>
TAYRA_HD Vector<N> operator+(const Vector<N>& a, const Vector<N>& b) {
  return {{a[0] + b[0], a[1] + b[1], a[2] + b[2]}};
}
template <class N>
TAYRA_HD Vector<N> operator-(const Vector<N>& a, const Vector<N>& b) {
  return {{a[0] - b[0], a[1] - b[1], a[2] - b[2]}};
}
template <class S, class N>
TAYRA_HD Vector<N> operator*(S s, const Vector<N>& a) {
  return {{s * a[0], s * a[1], s * a[2]}};
}
template <class N>
TAYRA_HD Vector<N> multiply_add(N s, const Vector<N>& a, const Vector<N>& b) {
  return {{multiply_add<N>(s, a[0], b[0]), multiply_add<N>(s, a[1], b[1]), multiply_add<N>(s, a[2], b[2])}};
}
/// Unchanged, to the last bit, when x and y trade places.
template <class N>
TAYRA_HD N dot(const Vector<N>& a, const Vector<N>& b) {
  return multiply_add<N>(a[2], b[2], a[0] * b[0] + a[1] * b[1]);
}

/// U, or a flux of it. As a field's state the energy is the perturbation rho e - p_b / (gamma - 1) (see
/// Cell).
template <class N>
struct State {
  N density;
  Vector<N> momentum;
  N energy;
};

template <class N>
TAYRA_HD State<N> operator+(const State<N>& a, const State<N>& b) {
  return {a.density + b.density, a.momentum + b.momentum, a.energy + b.energy};
}
template <class N>
TAYRA_HD State<N> operator-(const State<N>& a, const State<N>& b) {
  return {a.density - b.density, a.momentum - b.momentum, a.energy - b.energy};
}
template <class S, class N>
TAYRA_HD State<N> operator*(S s, const State<N>& a) {
  return {s * a.density, s * a.momentum, s * a.energy};
}

/// s a + b
template <class N>
TAYRA_HD State<N> multiply_add(N s, const State<N>& a, const State<N>& b) {
  return {multiply_add<N>(s, a.density, b.density), multiply_add(s, a.momentum, b.momentum),
          multiply_add<N>(s, a.energy, b.energy)};
}
template <class N>
TAYRA_HD State<N> operator-(const State<N>& a) {
  return {-a.density, {{-a.momentum[0], -a.momentum[1], -a.momentum[2]}}, -a.energy};
}

template <class N>
TAYRA_HD State<N> select(MaskOf<N> which, const State<N>& yes, const State<N>& no) {
  State<N> chosen;
  chosen.density = select<N>(which, yes.density, no.density);
  for (int i = 0; i < 3; ++i) chosen.momentum[i] = select<N>(which, yes.momentum[i], no.momentum[i]);
  chosen.energy = select<N>(which, yes.energy, no.energy);
  return chosen;
}

}  // namespace tayra
