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

/// a, with its sign changed where `of` has one: a bit instead of a product.
template <class N>
TAYRA_HD N signed_as(const N& a, const N& of) {
#if defined(__AVX512F__)
  constexpr int a_xor_of_and_mask = 0x78;
  if constexpr (std::is_same_v<N, Pack<double>>)
    return N(_mm512_castsi512_pd(_mm512_ternarylogic_epi64(
        _mm512_castpd_si512(static_cast<__m512d>(a)), _mm512_castpd_si512(static_cast<__m512d>(of)),
        _mm512_castpd_si512(_mm512_set1_pd(-0.)), a_xor_of_and_mask)));
  else
    return N(_mm512_castsi512_ps(_mm512_ternarylogic_epi32(
        _mm512_castps_si512(static_cast<__m512>(a)), _mm512_castps_si512(static_cast<__m512>(of)),
        _mm512_castps_si512(_mm512_set1_ps(-0.f)), a_xor_of_and_mask)));
#elif defined(__AVX__)
  if constexpr (std::is_same_v<N, Pack<double>>)
    return N(
        _mm256_xor_pd(static_cast<__m256d>(a), _mm256_and_pd(static_cast<__m256d>(of), _mm256_set1_pd(-0.))));
  else
    return N(
        _mm256_xor_ps(static_cast<__m256>(a), _mm256_and_ps(static_cast<__m256>(of), _mm256_set1_ps(-0.f))));
#else
  return a * copysign(N(1), of);
#endif
}

/// Of two zeros the instruction takes the second: never the negative one.
template <class N>
TAYRA_HD N at_least_zero(const N& a) {
#if defined(__AVX512F__)
  if constexpr (std::is_same_v<N, Pack<double>>)
    return N(_mm512_max_pd(static_cast<__m512d>(a), _mm512_setzero_pd()));
  else
    return N(_mm512_max_ps(static_cast<__m512>(a), _mm512_setzero_ps()));
#elif defined(__AVX__)
  if constexpr (std::is_same_v<N, Pack<double>>)
    return N(_mm256_max_pd(static_cast<__m256d>(a), _mm256_setzero_pd()));
  else
    return N(_mm256_max_ps(static_cast<__m256>(a), _mm256_setzero_ps()));
#else
  N positive = a;
  where(!(a > N(0)), positive) = N(0);
  return positive;
#endif
}

/// The one nearest zero of three of one sign; where a and b differ in sign any will do.
inline Pack<double> nearest_zero(const Pack<double>& a, const Pack<double>& b, const Pack<double>& c) {
#if defined(__AVX512DQ__)
  constexpr int least_magnitude_with_its_sign = 0b0110;
  const __m512d of_two =
      _mm512_range_pd(static_cast<__m512d>(a), static_cast<__m512d>(b), least_magnitude_with_its_sign);
  return Pack<double>(_mm512_range_pd(of_two, static_cast<__m512d>(c), least_magnitude_with_its_sign));
#else
  return signed_as(min(min(abs(a), abs(b)), abs(c)), a);
#endif
}
inline Pack<double> zero_where_signs_differ(const Pack<double>& a, const Pack<double>& b,
                                            const Pack<double>& number) {
#if defined(__AVX512DQ__)
  const __m512d product_sign = _mm512_xor_pd(static_cast<__m512d>(a), static_cast<__m512d>(b));
  const __mmask8 agree = _mm512_cmpgt_epi64_mask(_mm512_castpd_si512(product_sign), _mm512_set1_epi64(-1));
  return Pack<double>(_mm512_maskz_mov_pd(agree, static_cast<__m512d>(number)));
#elif defined(__AVX__)
  const __m256d product_sign = _mm256_xor_pd(static_cast<__m256d>(a), static_cast<__m256d>(b));
  return Pack<double>(_mm256_blendv_pd(static_cast<__m256d>(number), _mm256_setzero_pd(), product_sign));
#else
  Pack<double> kept = number;
  where(signbit(a) != signbit(b), kept) = 0;
  return kept;
#endif
}

/// In each lane what a has in the next one; in the last what b has in the first.
template <class N>
TAYRA_HD N from_next_lane(const N& a, const N& b) {
#if defined(__AVX512F__)
  if constexpr (std::is_same_v<N, Pack<double>>)
    return N(_mm512_castsi512_pd(_mm512_alignr_epi64(_mm512_castpd_si512(static_cast<__m512d>(b)),
                                                     _mm512_castpd_si512(static_cast<__m512d>(a)), 1)));
  else
    return N(_mm512_castsi512_ps(_mm512_alignr_epi32(_mm512_castps_si512(static_cast<__m512>(b)),
                                                     _mm512_castps_si512(static_cast<__m512>(a)), 1)));
#elif defined(__AVX2__)
  constexpr int upper_half_then_lower = 0x21;
  if constexpr (std::is_same_v<N, Pack<double>>) {
    const __m256d middle =
        _mm256_permute2f128_pd(static_cast<__m256d>(a), static_cast<__m256d>(b), upper_half_then_lower);
    return N(_mm256_shuffle_pd(static_cast<__m256d>(a), middle, 0b0101));
  } else {
    const __m256i low = _mm256_castps_si256(static_cast<__m256>(a));
    const __m256i middle =
        _mm256_permute2x128_si256(low, _mm256_castps_si256(static_cast<__m256>(b)), upper_half_then_lower);
    return N(_mm256_castsi256_ps(_mm256_alignr_epi8(middle, low, sizeof(float))));
  }
#else
  return N([&](auto lane) { return lane + 1 < N::size() ? a[(lane + 1) % N::size()] : b[0]; });
#endif
}

#if defined(__AVX512F__)
// From 14-bit estimates by fused operations. The last step of each is Markstein's, which rounds as the
// instruction does for ordinary positive numbers.
inline Pack<double> estimated_reciprocal(const Pack<double>& a) {
  using N = Pack<double>;
  N y(_mm512_rcp14_pd(static_cast<__m512d>(a)));
  const N error = fused(-a, y, N(1));
  y = fused(y, fused(error, error, error), y);
  y = fused(y, fused(-a, y, N(1)) + N(reciprocal_bias), y);
  return fused(y, fused(-a, y, N(1)), y);
}
inline Pack<double> estimated_square_root(const Pack<double>& a) {
  using N = Pack<double>;
  N y(_mm512_rsqrt14_pd(static_cast<__m512d>(a)));
  const N error = fused(-a * y, y, N(1));
  y = fused(fused(N(0.375), error, N(0.5)), error * y, y);
  y = fused(N(0.5) * y, fused(-a * y, y, N(1)), y);
  const N root = a * y;
  return fused(fused(-root, root, a), N(0.5) * y, root);
}
#endif

/// Intel's processors divide 8 doubles in 16 cycles and take their roots in 24, where the estimates want some
/// 5; Zen 5 divides in 4 (compilers older than AMD's processors with such packs call them Zen 3).
inline constexpr bool estimates_pay =
#if defined(__AVX512F__) && !defined(__znver3__) && !defined(__znver4__) && !defined(__znver5__)
    true;
#else
    false;
#endif

template <class R, class Abi>
struct NumberTraits<std::experimental::simd<R, Abi>> {
  using Real = R;
  using N = std::experimental::simd<R, Abi>;
  using Mask = typename N::mask_type;
  static TAYRA_HD N select(const Mask& which, const N& yes, N no) {
#if defined(__clang__) && defined(__AVX512F__)
    // Here where() assigns nothing (Clang 14 with libstdc++ 12).
    return N([&](auto lane) { return which[lane] ? yes[lane] : no[lane]; });
#else
    where(which, no) = yes;
    return no;
#endif
  }
  static TAYRA_HD N absolute(const N& a) { return abs(a); }
  static TAYRA_HD N larger(const N& a, const N& b) { return max(a, b); }
  static TAYRA_HD N smaller(const N& a, const N& b) { return min(a, b); }
  static TAYRA_HD N reciprocal(const N& a) {
    if constexpr (estimates_pay && std::is_same_v<N, Pack<double>>)
      return estimated_reciprocal(a);
    else
      return R(1) / a;
  }
  static TAYRA_HD N square_root(const N& a) {
    if constexpr (estimates_pay && std::is_same_v<N, Pack<double>>)
      return estimated_square_root(a);
    else
      return sqrt(a);
  }
  static TAYRA_HD N multiply_add(const N& a, const N& b, const N& c) { return fused(a, b, c); }
  static TAYRA_HD bool any(const Mask& which) { return any_of(which); }
  static TAYRA_HD Mask any_negative(const N& a, const N& b, const N& c, const N& d) {
    return min(min(a, b), min(c, d)) < Real(0);
  }
  static TAYRA_HD N times_sign(const N& a, const N& of) { return signed_as(a, of); }
  static TAYRA_HD N positive_part(const N& a) { return at_least_zero(a); }
};

/// On a CPU faces are computed one by one: or_nearer(), called once, does all the work.
template <>
struct Minmod<Pack<double>> {
  Pack<double> a, b;
  double times;
  Pack<double>::mask_type free;
  static TAYRA_HD Minmod of(const Pack<double>& a, const Pack<double>& b, double times,
                            const Pack<double>::mask_type& free) {
    return {a, b, times, free};
  }
  TAYRA_HD Pack<double> or_nearer(const Pack<double>& other) const {
    return select<Pack<double>>(free, other,
                                zero_where_signs_differ(a, b, nearest_zero(times * a, times * b, other)));
  }
};

template <class Real>
TAYRA_HD Pack<Real> load(const Real* from) {
  return Pack<Real>(from, std::experimental::element_aligned);
}
template <class Real>
TAYRA_HD void store(const Pack<Real>& pack, Real* to) {
  pack.copy_to(to, std::experimental::element_aligned);
}

/// Past the caches, to an address that is a multiple of the pack's size; a plain store where processors
/// differ.
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
#elif defined(__SSE2__)
  if constexpr (std::is_same_v<Real, double>)
    _mm_stream_pd(to, static_cast<__m128d>(pack));
  else
    _mm_stream_ps(to, static_cast<__m128>(pack));
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
