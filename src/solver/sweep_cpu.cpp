// The CPU's sweep of each scheme.
#include "solver/sweep_cpu.hpp"

#include <cstddef>
#include <tuple>
#include <utility>

#include "physics/schemes.hpp"

namespace tayra {
namespace cpu {

// Those of sweep_cpu_weno3.cpp.
extern template void sweep_with<Weno3, Positivity::off>(const Sweep<float>&, Writes);
extern template void sweep_with<Weno3, Positivity::on>(const Sweep<float>&, Writes);
extern template void sweep_with<Weno3, Positivity::off>(const Sweep<double>&, Writes);
extern template void sweep_with<Weno3, Positivity::on>(const Sweep<double>&, Writes);

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
