// What two configs disagree on, as far as the flow is concerned.
#pragma once

#include <string>
#include <vector>

namespace tayra {

/// "numerics.cfl is 0.6 there, 0.5 here" for every key that differs between two resolved configs. How long a
/// run goes, on what, what it writes and how it uses MPI (the sections run, output and mpi) may differ.
std::vector<std::string> differing_keys(const std::string& there, const std::string& here);

}  // namespace tayra
