// The table of problems. A new one is a file beside this with a function of its name, and a line here
// (docs/extending.md).
#include <algorithm>

#include "solver/problem.hpp"

#define TAYRA_PROBLEMS(problem)                                                                          \
  problem(rt_single) problem(rt_multi) problem(rt_surface) problem(hydrostatic) problem(entropy_wave)    \
      problem(acoustic_wave) problem(simple_wave) problem(vortex) problem(shock_tube) problem(shu_osher) \
          problem(blast) problem(kelvin_helmholtz) problem(formula) problem(file) problem(rm_multi)

namespace tayra {

namespace problems {
#define TAYRA_DECLARE(name) ProblemEntry name();
TAYRA_PROBLEMS(TAYRA_DECLARE)
}  // namespace problems

const std::vector<ProblemEntry>& problem_registry() {
#define TAYRA_ENTRY(name) problems::name(),
  static const std::vector<ProblemEntry> registry{TAYRA_PROBLEMS(TAYRA_ENTRY)};
  return registry;
}

const ProblemEntry* find_problem(const std::string& name) {
  const auto& registry = problem_registry();
  const auto found = std::find_if(registry.begin(), registry.end(),
                                  [&](const ProblemEntry& entry) { return entry.name == name; });
  return found == registry.end() ? nullptr : &*found;
}

}  // namespace tayra
