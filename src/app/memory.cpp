// Compares what the solver asks for with what is free, and with what a GPU takes.
#include "app/memory.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pthread.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "app/units.hpp"
#include "solver/audit.hpp"
#include "solver/placement.hpp"

namespace tayra {

namespace {

std::uint64_t cells_across(const SolverSettings& settings) {
  return static_cast<std::uint64_t>(settings.grid.cells[0]) * settings.grid.cells[1];
}

std::size_t stack_of_thread() {
  pthread_attr_t attributes;
  std::size_t bytes = 0;
  if (pthread_getattr_default_np(&attributes) == 0) {
    pthread_attr_getstacksize(&attributes, &bytes);
    pthread_attr_destroy(&attributes);
  }
  return bytes;
}

/// Stacks of the threads that write and wait, HDF5's own, and of a plane the copies made to compress it.
std::size_t memory_of_output(const Config& config) {
  constexpr std::size_t threads = 2, of_hdf5 = 32 << 20, copies = 4, longest_value = 3 * sizeof(double);
  return threads * stack_of_thread() + of_hdf5 + copies * longest_value * cells_across(config.solver);
}

}  // namespace

std::uint64_t memory_of_run(const Config& config) {
  return memory_needed(config.solver) + (config.audit_every_steps ? audit_memory(config.solver) : 0);
}

void require_fit(const Config& config) {
  if (cells_across(config.solver) > most_cells_across(config.solver))
    throw config_error(config, ExitCode::bad_input, "grid.cells",
                       fmt::format("planes of {} cells are more than the {} that a GPU takes: make the "
                                   "longest axis the third, or take fewer cells",
                                   cells_across(config.solver), most_cells_across(config.solver)));
  if (!missing_devices(config.solver).empty()) return;  // it is theirs that counts
  const std::uint64_t needed = memory_of_run(config);
  const std::uint64_t available = memory_available(config.solver);
  if (needed <= available) return;
  throw config_error(
      config, ExitCode::bad_input, "grid.cells",
      fmt::format(
          "{} cells in {} precision need {} of memory on each device, {} are free: take fewer cells{}",
          fmt::join(config.solver.grid.cells, " x "), name_of(config.solver.precision), bytes_text(needed),
          bytes_text(available), config.solver.device == DeviceKind::cuda ? " or more GPUs" : ""));
}

void require_room_for_output(const Config& config) {
  const std::size_t needed = memory_of_output(config);
  // Not touched, it takes address space alone, of which `ulimit -v` speaks.
  void* room =
      mmap(nullptr, needed, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  require(
      room != MAP_FAILED, ExitCode::bad_input,
      fmt::format("writing files takes up to {} of memory, which can't be had ({}): raise the limit of this "
                  "shell or job (ulimit -v, ulimit -d) or take fewer cells",
                  bytes_text(needed), std::strerror(errno)));
  munmap(room, needed);
}

}  // namespace tayra
