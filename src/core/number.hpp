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
/// `a` held between -most and most.
template <class N>
TAYRA_HD N clipped(N a, N most) {
#if defined(__CUDA_ARCH__)
  // In single one instruction finds the lesser of two magnitudes, in double three choose between two numbers.
  if constexpr (sizeof(N) == sizeof(double)) return absolute<N>(a) < most ? a : times_sign<N>(most, a);
#endif
  return times_sign<N>(smaller<N>(absolute<N>(a), most), a);
}
template <class N>
TAYRA_HD N maximum(N a, N b) {
  return select<N>(a < b, b, a);
}
template <class N>
TAYRA_HD N minimum(N a, N b) {
  return select<N>(b < a, b, a);
}

}  // namespace tayra
