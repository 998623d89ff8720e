// Finds the CPU's sweep of a scheme; that is compiled for each scheme by itself (cmake/schemes.cmake).
#include <cstddef>
#include <tuple>
#include <utility>

#include "physics/schemes.hpp"
#include "solver/sweep.hpp"

namespace tayra {
namespace cpu {

template <class Scheme, Positivity positivity, class Real>
void sweep_with(const Sweep<Real>& sweep, Writes writes);

namespace {

template <class Real, std::size_t... I>
void sweep_by_number(const Sweep<Real>& sweep, int scheme, Positivity positivity, Writes writes,
                     std::index_sequence<I...>) {
  ((int(I) == scheme && (positivity == Positivity::on
                             ? sweep_with<std::tuple_element_t<I, Schemes>, Positivity::on>(sweep, writes)
                             : sweep_with<std::tuple_element_t<I, Schemes>, Positivity::off>(sweep, writes),
                         true)),
   ...);
}

}  // namespace
}  // namespace cpu

template <class Real>
void sweep_on_cpu(const Sweep<Real>& sweep, int scheme, Positivity positivity, Writes writes) {
  cpu::sweep_by_number(sweep, scheme, positivity, writes, std::make_index_sequence<scheme_count>());
}

template void sweep_on_cpu(const Sweep<float>&, int, Positivity, Writes);
template void sweep_on_cpu(const Sweep<double>&, int, Positivity, Writes);

}  // namespace tayra
