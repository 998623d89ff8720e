// One number a thread, compared bit by bit.
#include <cuda_runtime.h>

#include <cstdint>
#include <limits>

#include "core/cuda_check.hpp"
#include "core/device.hpp"
#include "core/number.hpp"
#include "gpu/number_kernel.hpp"

namespace tayra::testing {
namespace {

__device__ bool same(float a, float b) { return __float_as_uint(a) == __float_as_uint(b); }
__device__ bool same(double a, double b) { return __double_as_longlong(a) == __double_as_longlong(b); }
__device__ float exact_reciprocal(float a) { return __frcp_rn(a); }
__device__ double exact_reciprocal(double a) { return __drcp_rn(a); }
__device__ float exact_root(float a) { return __fsqrt_rn(a); }
__device__ double exact_root(double a) { return __dsqrt_rn(a); }

template <class Real>
__device__ void compare(Real a, unsigned long long bits, Mismatches* found) {
  const bool reciprocals =
      same(reciprocal(a), exact_reciprocal(a)) && same(reciprocal(-a), exact_reciprocal(-a));
  const bool roots = same(square_root(a), exact_root(a));
  if (!reciprocals) atomicAdd(&found->reciprocals, 1ull);
  const bool signs = same(times_sign(a, -a), -a) && same(times_sign(-a, -a), a) &&
                     same(times_sign(a, a), a) && same(times_sign(-a, a), -a) &&
                     same(times_sign(a, -Real(0)), -a) && same(positive_part(a), a) &&
                     same(positive_part(-a), Real(0)) && same(positive_part(-Real(0)), Real(0));
  const Real most = a + a, some = a + Real(0.5) * a;
  const Real nothing = std::numeric_limits<Real>::min();
  const auto minmod = [](Real b, Real c, Real d) { return Minmod<Real>::of(b, c, 1, false).or_nearer(d); };
  const bool nearest = same(minmod(a, most, some), a) && same(minmod(most, a, some), a) &&
                       same(minmod(most, some, a), a) && same(minmod(-most, -a, -some), -a) &&
                       absolute(minmod(a, -most, some)) <= nothing &&
                       absolute(minmod(-a, most, some)) <= nothing &&
                       same(Minmod<Real>::of(a, -most, 1, true).or_nearer(some), some);
  if (!roots) atomicAdd(&found->square_roots, 1ull);
  if (!signs || !nearest) atomicAdd(&found->signs, 1ull);
  if (!reciprocals || !roots || !signs || !nearest) found->example = bits;
}

__device__ std::uint64_t scrambled(std::uint64_t i) {
  i = (i ^ (i >> 30)) * 0xbf58476d1ce4e5b9u;
  i = (i ^ (i >> 27)) * 0x94d049bb133111ebu;
  return i ^ (i >> 31);
}

__global__ void compare_floats(unsigned first, unsigned last, Mismatches* found) {
  for (unsigned bits = first + blockIdx.x * blockDim.x + threadIdx.x; bits < last;
       bits += gridDim.x * blockDim.x)
    compare(__uint_as_float(bits), bits, found);
}

constexpr std::uint64_t mantissa = (std::uint64_t(1) << 52) - 1;

__device__ double with_exponent(std::uint64_t mantissa_bits, std::uint64_t random) {
  const std::uint64_t exponent = 1023 - 60 + random % 120;
  return __longlong_as_double(static_cast<long long>(exponent << 52 | (mantissa_bits & mantissa)));
}

__global__ void compare_random_doubles(std::uint64_t count, Mismatches* found) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t(blockDim.x) + threadIdx.x; i < count;
       i += std::uint64_t(gridDim.x) * blockDim.x) {
    const std::uint64_t random = scrambled(2 * i + 1), other = scrambled(2 * i + 2);
    const double any = with_exponent(random, other);
    compare(any, __double_as_longlong(any), found);
    // Few bits at one end of an otherwise constant mantissa: results that lie next to a power of two.
    const std::uint64_t few = random >> (12 + other % 50);
    const double hard = with_exponent(other & 1 << 20 ? ~few : few, other >> 32);
    compare(hard, __double_as_longlong(hard), found);
  }
}

template <class Launch>
Mismatches count_on_gpu(const Launch& launch) {
  const Device device{DeviceKind::cuda, 0};
  const UseDevice use(device.number);
  const Queue queue(device);
  const Buffer<Mismatches> found(device, 1);
  Mismatches result{};
  queue.copy(found.data(), &result, sizeof result);
  launch(static_cast<cudaStream_t>(queue.stream()), found.data());
  check_cuda(cudaGetLastError(), "comparing numbers");
  queue.copy(&result, found.data(), sizeof result);
  queue.synchronize();
  return result;
}

}  // namespace

Mismatches compare_all_floats() {
  constexpr unsigned first = (127u - 60) << 23, last = (127u + 60) << 23;
  return count_on_gpu([&](cudaStream_t stream, Mismatches* found) {
    compare_floats<<<4096, 256, 0, stream>>>(first, last, found);
  });
}

Mismatches compare_doubles(std::uint64_t count) {
  return count_on_gpu([&](cudaStream_t stream, Mismatches* found) {
    compare_random_doubles<<<4096, 256, 0, stream>>>(count, found);
  });
}

}  // namespace tayra::testing
