// What was built, what it finds on this machine, and what it offers.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <unistd.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>

#include "app/commands.hpp"
#include "app/units.hpp"
#include "core/process.hpp"
#include "io/json.hpp"
#include "physics/schemes.hpp"
#include "solver/output_fields.hpp"
#include "solver/placement.hpp"
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

/// Of H100 and H200, on which Tayra is measured; other GPUs run what is compiled for them.
bool is_measured(const DeviceInfo& gpu) { return gpu.capability == 90 && gpu.kind == GpuClass::kib228; }

/// No step can be faster: it reads and writes the field three times, and the old one twice.
double most_cell_steps_per_second(const DeviceInfo& gpu, int bytes_of_number) {
  constexpr int words_of_a_cell_step = 40;
  return gpu.bytes_per_second / (words_of_a_cell_step * bytes_of_number);
}

void print_gpu(std::size_t number, const DeviceInfo& gpu) {
  fmt::print(
      "GPU {:<8}{}, {}, compute capability {}.{}\n"
      "            {}; at most {:.2g} cell-steps/s in double, {:.2g} in single; {}\n",
      number, gpu.name, bytes_text(gpu.memory_bytes), gpu.capability / 10, gpu.capability % 10,
      name_of(gpu.kind), most_cell_steps_per_second(gpu, 8), most_cell_steps_per_second(gpu, 4),
      is_measured(gpu) ? "measured on H100, H200" : "not tried on this GPU, only through PTX on an H100");
}

void print_machine() {
  fmt::print("processor   {}, {} cores, {}-bit SIMD (compiled for {})\n", processor_name(), usable_cores(),
             simd_bits, compiled_for());
  fmt::print("memory      {}, {} available\n", bytes_text(machine_memory()),
             bytes_text(memory_available({})));
  fmt::print("CUDA        {}\n", built_with_cuda() ? "built in" : "not built in");
  const auto devices = cuda_devices();
  if (devices.empty()) fmt::print("GPUs        none: {}\n", why_no_cuda());
  for (std::size_t number = 0; number < devices.size(); ++number) print_gpu(number, devices[number]);
}

void print_choices() {
  fmt::print("schemes     {}\n", fmt::join(scheme_names(), ", "));
  fmt::print("precisions  double, single\n");
  fmt::print("fields      {}\n", fmt::join(output_field_names(), ", "));
  fmt::print("problems\n");
  for (const auto& problem : problem_registry()) fmt::print("  {:<16}  {}\n", problem.name, problem.summary);
}

/// Calls use(one GPU, another) for all pairs.
template <class Use>
void for_each_pair(int gpus, const Use& use) {
  for (int from = 0; from < gpus; ++from)
    for (int to = from + 1; to < gpus; ++to) use(from, to);
}

/// All GPUs of this machine, or else its processor.
HaloPlace whole_machine(int gpus) {
  HaloPlace place;
  if (gpus > 0) place.kind = DeviceKind::cuda;
  for (int gpu = 0; gpu < gpus; ++gpu) place.devices.push_back(gpu);
  return place;
}

void print_halos(const HaloPlace& place) {
  fmt::print("halo backends\n");
  for (const HaloBackend& backend : halo_registry()) {
    const std::string reason = why_not(backend, place);
    fmt::print("  {:<7} {:<15}{}\n", backend.name, reason.empty() ? "available" : "not available",
               reason.empty() ? backend.summary : reason);
  }
}

void print_info() {
  const int gpus = static_cast<int>(cuda_devices().size());
  fmt::print("tayra       {}, commit {}\n", version, commit);
  fmt::print("compiler    {}\n", compiler);
  print_machine();
  for_each_pair(gpus,
                [](int from, int to) { fmt::print("GPU {} - {}   {}\n", from, to, link_between(from, to)); });
  print_halos(whole_machine(gpus));
  print_choices();
}

Json object(std::initializer_list<std::pair<const char*, Json>> entries) {
  Json json = Json::object();
  for (const auto& [key, value] : entries) json.set(key, value);
  return json;
}

Json gpus_json() {
  Json all = Json::array();
  for (const auto& gpu : cuda_devices())
    all.push(object({{"name", gpu.name},
                     {"memory_bytes", gpu.memory_bytes},
                     {"compute_capability", fmt::format("{}.{}", gpu.capability / 10, gpu.capability % 10)},
                     {"tiles_for_bytes", shared_memory_of(gpu.kind)},
                     {"most_cell_steps_per_second", object({{"double", most_cell_steps_per_second(gpu, 8)},
                                                            {"single", most_cell_steps_per_second(gpu, 4)}})},
                     {"measured", is_measured(gpu)}}));
  return all;
}

Json links_json(int gpus) {
  Json all = Json::array();
  for_each_pair(gpus, [&](int from, int to) {
    all.push(object({{"gpus", std::vector<int>{from, to}}, {"link", link_between(from, to)}}));
  });
  return all;
}

Json halos_json(const HaloPlace& place) {
  Json all = Json::array();
  for (const HaloBackend& backend : halo_registry()) {
    const std::string reason = why_not(backend, place);
    all.push(object({{"name", backend.name},
                     {"summary", backend.summary},
                     {"why_not", reason.empty() ? Json() : Json(reason)}}));
  }
  return all;
}

Json schemes_json() {
  Json all = Json::array();
  for (const auto& [name, traits] : all_schemes())
    all.push(object({{"name", name},
                     {"summary", traits.summary},
                     {"order", traits.order},
                     {"growth_error", traits.growth_error},
                     {"keeps_contacts", traits.keeps_contacts},
                     {"keeps_crests", traits.keeps_crests},
                     {"captures_shocks", traits.captures_shocks},
                     {"wants_limiter", traits.wants_limiter},
                     {"lacks_of_order", traits.lacks_of_order},
                     {"lets_sound_grow", traits.lets_sound_grow},
                     {"fills_registers", traits.fills_registers}}));
  return all;
}

Json problems_json() {
  Json all = Json::array();
  for (const auto& problem : problem_registry())
    all.push(object({{"name", problem.name}, {"summary", problem.summary}}));
  return all;
}

Json info_json() {
  const int gpus = static_cast<int>(cuda_devices().size());
  const Json processor = object({{"name", processor_name()},
                                 {"cores", usable_cores()},
                                 {"simd_bits", simd_bits},
                                 {"compiled_for", std::string(compiled_for())}});
  const Json memory = object({{"bytes", machine_memory()}, {"available_bytes", memory_available({})}});
  return object({{"version", version},
                 {"commit", commit},
                 {"compiler", compiler},
                 {"processor", processor},
                 {"memory", memory},
                 {"cuda", built_with_cuda()},
                 {"gpus", gpus_json()},
                 {"links", links_json(gpus)},
                 {"halo_backends", halos_json(whole_machine(gpus))},
                 {"schemes", schemes_json()},
                 {"precisions", std::vector<std::string>{"double", "single"}},
                 {"fields", output_field_names()},
                 {"problems", problems_json()}});
}

}  // namespace

void add_info_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "info", "Describe this build and machine: devices, halo backends, schemes, problems");
  const auto as_json = std::make_shared<bool>(false);
  command->add_flag("--json", *as_json, "For programs, with all that schemes say of themselves");
  command->callback([as_json] {
    if (*as_json)
      fmt::print("{}\n", info_json().text());
    else
      print_info();
  });
}

}  // namespace tayra
