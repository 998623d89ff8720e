// SIMD packs of the widest kind that the compiler targets, for the CPU sweeps. Never included by CUDA files.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <experimental/simd>
#include <type_traits>

#include "core/number.hpp"

namespace tayra {

template <class Real>
using Pack = std::experimental::native_simd<Real>;

/// std::experimental::fma goes lane by lane in libstdc++ 12; the vector extension below is one instruction.
template <class N>
TAYRA_HD N fused(const N& a, const N& b, const N& c) {
#if defined(__AVX512F__)
  if constexpr (std::is_same_v<N, Pack<double>>)
    return N(_mm512_fmadd_pd(static_cast<__m512d>(a), static_cast<__m512d>(b), static_cast<__m512d>(c)));
  else
    return N(_mm512_fmadd_ps(static_cast<__m512>(a), static_cast<__m512>(b), static_cast<__m512>(c)));
#elif defined(__FMA__)
  if constexpr (std::is_same_v<N, Pack<double>>)
    return N(_mm256_fmadd_pd(static_cast<__m256d>(a), static_cast<__m256d>(b), static_cast<__m256d>(c)));
  else
    return N(_mm256_fmadd_ps(static_cast<__m256>(a), static_cast<__m256>(b), static_cast<__m256>(c)));
#else
  return fma(a, b, c);
#endif
}

// Division and root instructions of 8 doubles take 16 to 24 cycles; from the 14-bit estimates it is a handful
// of fused operations. The last step of each is Markstein's, which rounds as the instruction does for
// ordinary positive numbers.
template <class N>
TAYRA_HD N quick_reciprocal(const N& a) {
#if defined(__AVX512F__)
  if constexpr (std::is_same_v<N, Pack<double>>) {
    N y(_mm512_rcp14_pd(static_cast<__m512d>(a)));
    const N error = fused(-a, y, N(1));
    y = fused(y, fused(error, error, error), y);
    y = fused(y, fused(-a, y, N(1)) + N(reciprocal_bias), y);
    return fused(y, fused(-a, y, N(1)), y);
  }
#endif
  return RealOf<N>(1) / a;
}

template <class N>
TAYRA_HD N quick_square_root(const N& a) {
#if defined(__AVX512F__)
  if constexpr (std::is_same_v<N, Pack<double>>) {
    N y(_mm512_rsqrt14_pd(static_cast<__m512d>(a)));
    const N error = fused(-a * y, y, N(1));
    y = fused(fused(N(0.375), error, N(0.5)), error * y, y);
    y = fused(N(0.5) * y, fused(-a * y, y, N(1)), y);
    const N root = a * y;
    return fused(fused(-root, root, a), N(0.5) * y, root);
  }
#endif
  return sqrt(a);
}

template <class R, class Abi>
struct NumberTraits<std::experimental::simd<R, Abi>> {
  using Real = R;
  using N = std::experimental::simd<R, Abi>;
  using Mask = typename N::mask_type;
  static TAYRA_HD N select(const Mask& which, N yes, const N& no) {
    where(!which, yes) = no;
    return yes;
  }
  static TAYRA_HD N absolute(const N& a) { return abs(a); }
  static TAYRA_HD N larger(const N& a, const N& b) { return max(a, b); }
  static TAYRA_HD N smaller(const N& a, const N& b) { return min(a, b); }
  static TAYRA_HD N reciprocal(const N& a) { return quick_reciprocal(a); }
  static TAYRA_HD N square_root(const N& a) { return quick_square_root(a); }
  static TAYRA_HD N multiply_add(const N& a, const N& b, const N& c) { return fused(a, b, c); }
  static TAYRA_HD bool any(const Mask& which) { return any_of(which); }
  static TAYRA_HD Mask any_negative(const N& a, const N& b, const N& c, const N& d) {
    return min(min(a, b), min(c, d)) < Real(0);
  }
  static TAYRA_HD N times_sign(const N& a, const N& of) { return a * copysign(N(Real(1)), of); }
  static TAYRA_HD N positive_part(const N& a) { return select(a > Real(0), a, N(Real(0))); }
};

template <class Real>
TAYRA_HD Pack<Real> load(const Real* from) {
  return Pack<Real>(from, std::experimental::element_aligned);
}
template <class Real>
TAYRA_HD void store(const Pack<Real>& pack, Real* to) {
  pack.copy_to(to, std::experimental::element_aligned);
}

/// Past the caches, to a multiple of the pack's size.
template <class Real>
TAYRA_HD void stream(const Pack<Real>& pack, Real* to) {
#if defined(__AVX512F__)
  if constexpr (std::is_same_v<Real, double>)
    _mm512_stream_pd(to, static_cast<__m512d>(pack));
  else
    _mm512_stream_ps(to, static_cast<__m512>(pack));
#elif defined(__AVX__)
  if constexpr (std::is_same_v<Real, double>)
    _mm256_stream_pd(to, static_cast<__m256d>(pack));
  else
    _mm256_stream_ps(to, static_cast<__m256>(pack));
#else
  store(pack, to);
#endif
}

/// Before other threads read what this one has streamed.
inline void finish_streams() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

}  // namespace tayra
