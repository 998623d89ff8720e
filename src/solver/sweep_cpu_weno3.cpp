// The CPU's sweep of weno3, which wants other compiler options than all others (cmake/compiler.cmake).
#include "physics/schemes.hpp"
#include "solver/sweep_cpu.hpp"

namespace tayra::cpu {

template void sweep_with<Weno3, Positivity::off>(const Sweep<float>&, Writes);
template void sweep_with<Weno3, Positivity::on>(const Sweep<float>&, Writes);
template void sweep_with<Weno3, Positivity::off>(const Sweep<double>&, Writes);
template void sweep_with<Weno3, Positivity::on>(const Sweep<double>&, Writes);

}  // namespace tayra::cpu
