// Machine files, and the results of `tayra bench` from which the model's numbers come.
#pragma once

#include <string>
#include <vector>

#include "app/model.hpp"
#include "io/json.hpp"

namespace tayra {

/// Steps on several GPUs as `tayra bench scaling` measured them.
struct MeasuredCase {
  ModelCase what;
  double step_ms;
  bool is_used;  // the machine's numbers come from it, too: it can't test them
};

struct MachineData {
  Machine machine;
  std::vector<MeasuredCase> cases;
};

/// Of one machine file, or of results of `step`, `scaling` and `halo`, whose numbers are fitted as
/// docs/scaling.md says; beside a machine file results are cases alone. Throws Error(bad_input) "file: what".
MachineData read_machine(const std::vector<std::string>& files);

Json machine_json(const Machine& machine);

}  // namespace tayra
