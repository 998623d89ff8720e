// Compares what the solver asks for with what is free.
#include "app/memory.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>

#include "app/units.hpp"
#include "grid/together.hpp"

namespace tayra {

void require_memory(const Config& config) {
  const std::uint64_t needed = memory_needed(config.solver);
  const std::uint64_t available = memory_available(config.solver);
  if (needed <= available) return;
  throw config_error(
      config, ExitCode::bad_input, "grid.cells",
      fmt::format(
          "{} cells in {} precision need {} of memory on each device, {} are free: take fewer cells{}",
          fmt::join(config.solver.grid.cells, " x "),
          config.solver.precision == Precision::single ? "single" : "double", bytes_text(needed),
          bytes_text(available), config.solver.device == DeviceKind::cuda ? " or more GPUs" : ""));
}

bool fits_on_all_ranks(const SolverSettings& settings) {
  return holds_on_all_ranks(memory_needed(settings) <= memory_available(settings));
}

}  // namespace tayra
