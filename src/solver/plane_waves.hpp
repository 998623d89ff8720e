// Spectra of planes: how much of a plane's variance is in waves of what length. A Fourier transform with
// factors of any size, of which each number is a sum in an order that depends on the grid alone: the bits are
// those of any device and of any number of slabs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/number.hpp"
#include "grid/grid.hpp"
#include "solver/plane_fields.hpp"

namespace tayra {

struct alignas(16) Complex {
  double re, im;
};
TAYRA_HD Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
TAYRA_HD Complex operator*(Complex a, Complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/// One of the passes of a transform of n numbers: those of every m-th have been transformed, `done` numbers
/// each, and `radix` of such pieces become one (Stockham's order, which ends sorted).
struct WavePass {
  bool along_y;
  int n, radix, done;
  std::size_t turns;  // where exp(-2 pi i k / n) begin

  /// The number at a place of the result; `from` are all, `apart` from each other.
  TAYRA_HD Complex value(const Complex* all_turns, const Complex* from, std::size_t apart, int place) const {
    const int joined = done * radix, pieces = n / joined;
    const int piece = place / joined, wave = place % joined, k = wave % done;
    Complex sum = from[(static_cast<std::size_t>(piece) * done + k) * apart];
    for (int i = 1, turn = 0; i < radix; ++i) {
      turn += wave * pieces;
      if (turn >= n) turn -= n;
      const int source = (piece + i * pieces) * done + k;
      sum = sum + all_turns[turns + turn] * from[source * apart];
    }
    return sum;
  }
};

/// Waves of a plane, sorted into shells by their wavenumber: shell s holds those from s - 1/2 to s + 1/2
/// times `spacing`.
struct WavePlan {
  explicit WavePlan(const Grid& grid);

  int nx, ny;
  double spacing;  // of wavenumbers: 2 pi / the longest wave
  int shells = 0;
  std::vector<WavePass> passes;
  std::vector<Complex> turns;
  // A real plane has each wave twice, at k and -k. Those along x up to nx / 2 are here, as x + nx y, sorted.
  std::vector<int> waves;
  std::vector<int> first_wave;  // of shell 1, of shell 2, and so on, and the end

  int cells() const { return nx * ny; }
  /// Columns that a pass needs: a pass along y only those of waves that are here.
  int columns(const WavePass& pass) const { return pass.along_y ? nx / 2 + 1 : nx; }
};

inline constexpr int wave_lanes = 32;  // partial sums of a shell

/// Of a transformed plane's waves every 32nd, from the lane's on.
TAYRA_HD double lane_sum(const Complex* plane, const int* waves, int begin, int end, int lane, int nx) {
  double sum = 0;
  for (int i = begin + lane; i < end; i += wave_lanes) {
    const Complex wave = plane[waves[i]];
    const int x = waves[i] % nx;
    sum += (x > 0 && 2 * x != nx ? 2 : 1) * (wave.re * wave.re + wave.im * wave.im);
  }
  return sum;
}

/// A plane and a field of which a spectrum is wanted; the plane counts from the slab's first.
struct WaveItem {
  int plane;
  PlaneField field;
};
/// Each field of each plane.
std::vector<WaveItem> wave_items(const std::vector<PlaneField>& fields, const std::vector<int>& planes);

/// A number less the plane's first: what is added to all changes no wave, but would cost digits.
template <class Real>
TAYRA_HD Complex fluctuation(const PlanesView<Real>& view, const WaveItem& item, int x, int y) {
  return {view.value(item.field, x, y, item.plane) - view.value(item.field, 0, 0, item.plane), 0};
}

/// How many planes a GPU transforms at once, to have enough to do.
inline std::size_t planes_at_once(std::size_t cells) {
  constexpr std::size_t bytes = 32u << 20, most = 4096;
  return std::min(most, 1 + bytes / (cells * sizeof(Complex)));
}

}  // namespace tayra
