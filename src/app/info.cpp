// What was built, what it finds on this machine, and what it offers.
#include "app/info.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <unistd.h>

#include <cstdint>

#include "app/processor.hpp"
#include "app/units.hpp"
#include "io/hdf5_ranks.hpp"
#include "solver/memory_needs.hpp"
#include "solver/output_fields.hpp"
#include "solver/problem.hpp"
#include "solver/simulation.hpp"
#include "tayra_version.hpp"

namespace tayra {
namespace {

#if defined(__AVX512F__)
constexpr int simd_bits = 512;
#elif defined(__AVX__)
constexpr int simd_bits = 256;
#else
constexpr int simd_bits = 128;
#endif

#if defined(__clang__)
constexpr const char* compiler = __VERSION__;
#else
constexpr const char* compiler = "g++ " __VERSION__;
#endif

// Fewer than the machine has, where a batch system or a container gives only some.
int usable_cores() {
  cpu_set_t cores;
  return sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
}

std::uint64_t machine_memory() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void print_machine() {
  fmt::print("processor   {}, {} cores, {}-bit SIMD\n", processor_name(), usable_cores(), simd_bits);
  fmt::print("memory      {}, {} available\n", bytes_text(machine_memory()),
             bytes_text(memory_available({})));
  fmt::print("CUDA        {}\n", built_with_cuda() ? "built in" : "not built in");
  fmt::print("HDF5        {}\n",
             h5::built_with_parallel_hdf5() ? "parallel: ranks write one file" : "serial: ranks write parts");
  const auto devices = cuda_devices();
  if (devices.empty()) fmt::print("GPUs        none: {}\n", why_no_cuda());
  for (std::size_t number = 0; number < devices.size(); ++number)
    fmt::print("GPU {:<8}{}, {}\n", number, devices[number].name, bytes_text(devices[number].memory_bytes));
}

void print_choices() {
  fmt::print("schemes     {}\n", fmt::join(scheme_names(), ", "));
  fmt::print("precisions  double, single\n");
  fmt::print("fields      {}\n", fmt::join(output_field_names(), ", "));
  fmt::print("problems\n");
  for (const auto& problem : problem_registry()) fmt::print("  {:<16}  {}\n", problem.name, problem.summary);
}

void print_links(int gpus) {
  for (int from = 0; from < gpus; ++from)
    for (int to = from + 1; to < gpus; ++to)
      fmt::print("GPU {} - {}   {}\n", from, to, link_between(from, to));
}

/// Of a run on all GPUs of this machine, or else on its processor.
void print_halos(int gpus) {
  HaloPlace place;
  if (gpus > 0) place.kind = DeviceKind::cuda;
  for (int gpu = 0; gpu < gpus; ++gpu) place.devices.push_back(gpu);
  fmt::print("halo backends\n");
  for (const HaloBackend& backend : halo_registry()) {
    const std::string reason = why_not(backend, place);
    fmt::print("  {:<7} {:<15}{}\n", backend.name, reason.empty() ? "available" : "not available",
               reason.empty() ? backend.summary : reason);
  }
}

void print_info() {
  fmt::print("tayra       {}, commit {}\n", version, commit);
  fmt::print("compiler    {}\n", compiler);
  print_machine();
  print_links(static_cast<int>(cuda_devices().size()));
  print_halos(static_cast<int>(cuda_devices().size()));
  print_choices();
}

}  // namespace

void add_info_command(CLI::App& app) {
  app.add_subcommand("info", "Describe this build and machine: devices, halo backends, schemes, problems")
      ->callback(print_info);
}

}  // namespace tayra
