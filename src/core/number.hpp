// Arithmetic that reads the same for one number and for a SIMD pack of them (core/simd.hpp adds the packs).
#pragma once

#if defined(__CUDACC__)
#define TAYRA_HD __host__ __device__ __forceinline__
#define TAYRA_HD_RARE \
  __host__ __device__ __noinline__  // off the hot path: keep it out of the hot code as well
#else
#define TAYRA_HD inline __attribute__((always_inline))
#define TAYRA_HD_RARE __attribute__((noinline))
#endif

#include <cmath>
#include <limits>

namespace tayra {

/// What the functions below need to know of a number type; one specialisation a type.
template <class N>
struct NumberTraits;

template <>
struct NumberTraits<float> {
  using Real = float;
  using Mask = bool;
  static TAYRA_HD float select(bool which, float yes, float no) { return which ? yes : no; }
  static TAYRA_HD float absolute(float a) { return ::fabsf(a); }
  static TAYRA_HD float multiply_add(float a, float b, float c) { return ::fmaf(a, b, c); }
  static TAYRA_HD float larger(float a, float b) { return ::fmaxf(a, b); }
  static TAYRA_HD float smaller(float a, float b) { return ::fminf(a, b); }
  static TAYRA_HD float reciprocal(float a);
  static TAYRA_HD float square_root(float a);
  static TAYRA_HD bool any(bool which) { return which; }
  static TAYRA_HD bool any_negative(float a, float b, float c, float d);
  static TAYRA_HD float times_sign(float a, float of);
  static TAYRA_HD float positive_part(float a);
};

template <>
struct NumberTraits<double> {
  using Real = double;
  using Mask = bool;
  static TAYRA_HD double select(bool which, double yes, double no) { return which ? yes : no; }
  static TAYRA_HD double absolute(double a) { return ::fabs(a); }
  static TAYRA_HD double multiply_add(double a, double b, double c) { return ::fma(a, b, c); }
  static TAYRA_HD double larger(double a, double b) { return b < a ? a : b; }
  static TAYRA_HD double smaller(double a, double b) { return b < a ? b : a; }
  static TAYRA_HD double reciprocal(double a);
  static TAYRA_HD double square_root(double a);
  static TAYRA_HD bool any(bool which) { return which; }
  static TAYRA_HD bool any_negative(double a, double b, double c, double d);
  static TAYRA_HD double times_sign(double a, double of);
  static TAYRA_HD double positive_part(double a);
};

/// Markstein's last step rounds a reciprocal correctly if the estimate is less than one unit in the last
/// place off. If all bits of a's mantissa are ones, as in 1 - 2^-53, the estimate must not be too small,
/// either; this much, added in the step before, makes sure of that.
inline constexpr double reciprocal_bias = 0x1p-54;

#if defined(__CUDA_ARCH__)
// The compiler's own division and root test for zeros, infinities and denormals and branch, which keeps
// instructions of neighbouring faces from overlapping. These don't, and round the same for every ordinary
// positive number (Markstein's corrections); tests/gpu compares them with the exact ones.
TAYRA_HD float NumberTraits<float>::reciprocal(float a) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(a));
  return ::fmaf(y, ::fmaf(-a, y, 1.f), y);
}
TAYRA_HD float NumberTraits<float>::square_root(float a) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(a));
  const float root = a * y;
  return ::fmaf(::fmaf(-root, root, a), 0.5f * y, root);
}
TAYRA_HD double NumberTraits<double>::reciprocal(double a) {
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(a));
  const double error = ::fma(-a, y, 1.);
  y = ::fma(y, ::fma(error, error, error) + reciprocal_bias, y);
  return ::fma(y, ::fma(-a, y, 1.), y);
}
TAYRA_HD double NumberTraits<double>::square_root(double a) {
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(a));
  const double error = ::fma(-a * y, y, 1.);
  y = ::fma(::fma(0.375, error, 0.5), error * y, y);
  const double root = a * y;
  return ::fma(::fma(-root, root, a), 0.5 * y, root);
}
// Signs by integer instructions: the floating-point units are the busy ones.
TAYRA_HD bool NumberTraits<float>::any_negative(float a, float b, float c, float d) {
  return (__float_as_int(a) | __float_as_int(b) | __float_as_int(c) | __float_as_int(d)) < 0;
}
TAYRA_HD bool NumberTraits<double>::any_negative(double a, double b, double c, double d) {
  return (__double2hiint(a) | __double2hiint(b) | __double2hiint(c) | __double2hiint(d)) < 0;
}
TAYRA_HD float NumberTraits<float>::times_sign(float a, float of) {
  return __int_as_float(__float_as_int(a) ^ (__float_as_int(of) & 0x80000000));
}
TAYRA_HD double NumberTraits<double>::times_sign(double a, double of) {
  return __hiloint2double(__double2hiint(a) ^ (__double2hiint(of) & 0x80000000), __double2loint(a));
}
TAYRA_HD float NumberTraits<float>::positive_part(float a) { return __float_as_int(a) < 0 ? 0 : a; }
TAYRA_HD double NumberTraits<double>::positive_part(double a) { return __double2hiint(a) < 0 ? 0 : a; }
/// By a predicate that one instruction finds; written out, since compilers take two.
TAYRA_HD double zero_where_signs_differ(double a, double b, double value) {
  double kept;
  asm("{\n"
      ".reg .b32 bits;\n"
      ".reg .pred never, differ;\n"
      "setp.ne.u32 never, 0, 0;\n"
      "lop3.or.b32 bits|differ, %1, %2, 0x80000000, 0x28, never;\n"  // (a ^ b) & c
      "selp.f64 %0, 0d0000000000000000, %3, differ;\n"
      "}"
      : "=d"(kept)
      : "r"(__double2hiint(a)), "r"(__double2hiint(b)), "d"(value));
  return kept;
}
#else
TAYRA_HD float NumberTraits<float>::reciprocal(float a) { return 1.f / a; }
TAYRA_HD float NumberTraits<float>::square_root(float a) { return ::sqrtf(a); }
TAYRA_HD double NumberTraits<double>::reciprocal(double a) { return 1. / a; }
TAYRA_HD double NumberTraits<double>::square_root(double a) { return ::sqrt(a); }
TAYRA_HD bool NumberTraits<float>::any_negative(float a, float b, float c, float d) {
  return (a < 0) | (b < 0) | (c < 0) | (d < 0);
}
TAYRA_HD bool NumberTraits<double>::any_negative(double a, double b, double c, double d) {
  return (a < 0) | (b < 0) | (c < 0) | (d < 0);
}
TAYRA_HD float NumberTraits<float>::times_sign(float a, float of) { return a * ::copysignf(1, of); }
TAYRA_HD double NumberTraits<double>::times_sign(double a, double of) { return a * ::copysign(1, of); }
TAYRA_HD float NumberTraits<float>::positive_part(float a) { return a > 0 ? a : 0; }
TAYRA_HD double NumberTraits<double>::positive_part(double a) { return a > 0 ? a : 0; }
TAYRA_HD double zero_where_signs_differ(double a, double b, double value) {
  return std::signbit(a) != std::signbit(b) ? 0 : value;
}
#endif

template <class N>
using RealOf = typename NumberTraits<N>::Real;
template <class N>
using MaskOf = typename NumberTraits<N>::Mask;

template <class N>
TAYRA_HD N select(MaskOf<N> which, N yes, N no) {
  return NumberTraits<N>::select(which, yes, no);
}
template <class N>
TAYRA_HD N absolute(N a) {
  return NumberTraits<N>::absolute(a);
}
/// 1 / a; of zero it is no number on a GPU.
template <class N>
TAYRA_HD N reciprocal(N a) {
  return NumberTraits<N>::reciprocal(a);
}
template <class N>
struct Reciprocals {
  N first, second;
};
/// 1 / a and 1 / b; in double by one division. In single the product might leave the range.
template <class N>
TAYRA_HD Reciprocals<N> reciprocals(N a, N b) {
  if constexpr (sizeof(RealOf<N>) == sizeof(float)) return {reciprocal<N>(a), reciprocal<N>(b)};
  const N of_product = reciprocal<N>(a * b);
  return {b * of_product, a * of_product};
}
template <class N>
TAYRA_HD N square_root(N a) {
  return NumberTraits<N>::square_root(a);
}
/// a * b + c, rounded once, on every device: written out where it pays, since compilers may not fuse by
/// themselves.
template <class N>
TAYRA_HD N multiply_add(N a, N b, N c) {
  return NumberTraits<N>::multiply_add(a, b, c);
}
/// The larger and the smaller of two that are not both zero: what sign a zero has would depend on the device.
template <class N>
TAYRA_HD N larger(N a, N b) {
  return NumberTraits<N>::larger(a, b);
}
template <class N>
TAYRA_HD N smaller(N a, N b) {
  return NumberTraits<N>::smaller(a, b);
}
template <class N>
TAYRA_HD MaskOf<N> any_negative(N a, N b, N c, N d) {
  return NumberTraits<N>::any_negative(a, b, c, d);
}
/// `a`, negated where the other has a minus, be it a zero.
template <class N>
TAYRA_HD N times_sign(N a, N of) {
  return NumberTraits<N>::times_sign(a, of);
}
/// `a`, or zero where it is less.
template <class N>
TAYRA_HD N positive_part(N a) {
  return NumberTraits<N>::positive_part(a);
}
/// A multiple of minmod(a, b), of which or_nearer takes another number: the one nearest zero, or (nearly)
/// zero if signs differ. Where `free`, there is no bound.
template <class N>
struct Minmod {
  N most;
  static TAYRA_HD Minmod of(N a, N b, RealOf<N> times, MaskOf<N> free) {
    using Limits = std::numeric_limits<RealOf<N>>;
    const N least = select<N>(free, N(Limits::max()), N(Limits::min()));  // not zero: see larger()
    return {larger<N>(least, times * smaller<N>(times_sign<N>(a, b), absolute<N>(b)))};
  }
  /// Or another number, if that is nearer to zero; it must be of their sign, if they have one.
  TAYRA_HD N or_nearer(N other) const { return times_sign<N>(smaller<N>(most, absolute<N>(other)), other); }
};
/// In single one instruction finds the lesser of two magnitudes, in double three choose between two numbers
/// of any sign.
template <>
struct Minmod<double> {
  double most;
  bool free;
  static TAYRA_HD Minmod of(double a, double b, double times, bool free) {
    return {times * zero_where_signs_differ(a, b, ::fabs(b) < ::fabs(a) ? b : a), free};
  }
  TAYRA_HD double or_nearer(double other) const {
    return (::fabs(other) < ::fabs(most)) | free ? other : most;
  }
};
template <class N>
TAYRA_HD N maximum(N a, N b) {
  return select<N>(a < b, b, a);
}
template <class N>
TAYRA_HD N minimum(N a, N b) {
  return select<N>(b < a, b, a);
}

}  // namespace tayra
