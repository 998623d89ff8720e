// Whether a host waits inside a step: no GPU can compute anything while all hosts enqueue steps. Started by
// tests/gpu/queues_test.cpp, alone or under mpirun: enqueued_steps HALO SLABS_OF_A_RANK
#include <chrono>
#include <cstdio>
#include <future>
#include <string>
#include <vector>

#include "grid/ranks.hpp"
#include "grid/together.hpp"
#include "ranks/held_gpu.hpp"
#include "solver/trial.hpp"

namespace tayra {
namespace {

constexpr int steps = 8;  // between two looks at the flow lie more (StepRunner)
constexpr std::chrono::seconds patience(5);

/// Whether all ranks had enqueued them when no GPU had begun to; one that waits goes on in the end.
bool are_enqueued_while_gpus_are_held(Simulation& simulation) {
  HeldGpu gpu(simulation.device());
  ranks().gather_values(0);  // all GPUs are held
  std::promise<void> enqueued;
  auto in_time = std::async(std::launch::async, [&, done = enqueued.get_future()] {
    const bool came = done.wait_for(patience) == std::future_status::ready;
    gpu.release();
    return came;
  });
  simulation.advance(steps, 1e300);
  ranks().gather_values(0);  // all steps are enqueued
  enqueued.set_value();
  return holds_on_all_ranks(in_time.get());
}

struct Outcome {
  std::string step_end;
  bool host_waited = false;
  std::vector<double> state;
};

enum class Gpus { free, held };

Outcome outcome(const SolverSettings& settings, Gpus gpus) {
  const auto simulation =
      make_simulation(settings, testing::Waves3d(testing::Tumult::violent, settings.gravity != 0));
  for (int before = 0; before < 2; ++before) {  // kernels are loaded, graphs launched for the first time
    simulation->advance(steps, 1e300);
    simulation->finish();
  }
  Outcome outcome;
  outcome.step_end = simulation->facts().step_end;
  if (gpus == Gpus::held)
    outcome.host_waited = !are_enqueued_while_gpus_are_held(*simulation);
  else
    simulation->advance(steps, 1e300);
  simulation->finish();
  const auto [nx, ny, nz] = settings.grid.cells;
  outcome.state.resize(std::size_t(5) * nx * ny * nz);
  simulation->read_planes(0, nz, outcome.state);
  return outcome;
}

void tell(const std::string& halo, int slabs) {
  SolverSettings settings =
      testing::trial_settings({"muscl", Precision::double_}, {36, 40, 45}, testing::all_boundaries().front());
  settings.device = DeviceKind::cuda;
  settings.halo = halo;
  settings.slabs = slabs;
  const Outcome free = outcome(settings, Gpus::free), held = outcome(settings, Gpus::held);
  if (ranks().is_first())
    std::printf("%s: %s, %s\n", held.step_end.c_str(), held.host_waited ? "a host waited" : "no host waited",
                held.state == free.state ? "same bits" : "other bits");
}

}  // namespace
}  // namespace tayra

int main(int, char** words) {
  try {
    tayra::tell(words[1], std::stoi(words[2]));
  } catch (const tayra::Error& error) {
    std::fprintf(stderr, "rank %d: %s\n", tayra::ranks().rank(), error.what());
    return static_cast<int>(error.code());
  }
}
