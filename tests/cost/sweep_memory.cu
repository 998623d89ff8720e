// Prints the dynamic shared memory of each sweep kernel, in bytes; needs no GPU.
#include <cstdio>

#include "solver/sweep_cuda.cuh"

namespace tayra {
namespace {

template <class Real, std::size_t... I>
void print_all(const char* precision, std::index_sequence<I...>) {
  const auto print = [&](const char* scheme, const char* limiter, int memory) {
    std::printf("%s, %s, limiter %s: %d\n", scheme, precision, limiter, memory);
  };
  (print(std::tuple_element_t<I, Schemes>::name, "off",
         sweep_memory<std::tuple_element_t<I, Schemes>, Positivity::off, Real>),
   ...);
  (print(std::tuple_element_t<I, Schemes>::name, "on",
         sweep_memory<std::tuple_element_t<I, Schemes>, Positivity::on, Real>),
   ...);
}

}  // namespace
}  // namespace tayra

int main() {
  constexpr auto all = std::make_index_sequence<tayra::scheme_count>();
  tayra::print_all<double>("double", all);
  tayra::print_all<float>("single", all);
}
