// Finds the CPU's sweep of a scheme; that is compiled for each scheme by itself (cmake/schemes.cmake).
#include "physics/schemes.hpp"
#include "solver/sweep.hpp"

namespace tayra {
namespace cpu {

template <class Scheme, Positivity positivity, class Real>
void sweep_with(const Sweep<Real>& sweep, Writes writes);

}  // namespace cpu

template <class Real>
void sweep_on_cpu(const Sweep<Real>& sweep, int scheme, Positivity positivity, Writes writes) {
  with_scheme(scheme, [&]<class Scheme>() {
    positivity == Positivity::on ? cpu::sweep_with<Scheme, Positivity::on>(sweep, writes)
                                 : cpu::sweep_with<Scheme, Positivity::off>(sweep, writes);
  });
}

template void sweep_on_cpu(const Sweep<float>&, int, Positivity, Writes);
template void sweep_on_cpu(const Sweep<double>&, int, Positivity, Writes);

}  // namespace tayra
