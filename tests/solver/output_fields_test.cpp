// What files are told of a flow under way.
#include "solver/output_fields.hpp"

#include <gtest/gtest.h>

#include "solver/staging.hpp"
#include "solver/trial.hpp"

namespace tayra::testing {
namespace {

class Fields : public ::testing::TestWithParam<SchemeAndPrecision> {
 protected:
  static constexpr int steps_before = 5, steps_after = 3;

  static SolverSettings settings_with(const std::array<Boundary, 3>& boundary) {
    return trial_settings(GetParam(), {19, 12, 23}, boundary);
  }

  static FieldChoice every_field(Precision precision) {
    FieldChoice choice{{}, precision, {{{1, 9, 2}, {0, 12, 1}, {2, 7, 3}}}};
    for (int i = 0; i < output_field_count; ++i) choice.fields.push_back(i);
    return choice;
  }

  static void go_on(Simulation& simulation, std::int64_t steps) {
    for (const std::int64_t last = simulation.step() + steps; simulation.step() < last; simulation.finish())
      simulation.advance(last - simulation.step(), 1e300);
  }

  /// Fields of a flow that goes on while they are computed, in two blocks.
  static std::vector<std::byte> fields_of(const SolverSettings& settings, Precision precision) {
    const auto simulation = make_simulation(settings, Waves3d(Tumult::smooth, settings.gravity != 0));
    go_on(*simulation, steps_before);
    const FieldChoice choice = every_field(precision);
    const Buffer<std::byte> out(simulation->device(), 7 * choice.plane_bytes(), Memory::pinned);
    const Arrival lower = simulation->start_fields(choice, 0, 4, out.data());
    const Arrival upper = simulation->start_fields(choice, 4, 3, out.data() + 4 * choice.plane_bytes());
    go_on(*simulation, steps_after);
    lower.wait();
    upper.wait();
    return {out.data(), out.data() + out.bytes()};
  }

  static void expect_as_one_slab_on_the_cpu(SolverSettings settings, DeviceKind device) {
    for (const Precision precision : {Precision::single, Precision::double_}) {
      settings.device = DeviceKind::cpu;
      settings.slabs = 1;
      const auto expected = fields_of(settings, precision);
      settings.device = device;
      for (const int slabs : {1, 2, 3}) {
        settings.slabs = slabs;
        EXPECT_EQ(fields_of(settings, precision), expected) << description(settings);
      }
    }
  }
};

TEST_P(Fields, AreTheSameForAnyNumberOfSlabs) {
  for (const auto& boundary : all_boundaries())
    expect_as_one_slab_on_the_cpu(settings_with(boundary), DeviceKind::cpu);
}

class GpuFields : public Fields {};

TEST_P(GpuFields, AreThoseOfTheCpuToTheLastBit) {
  if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
  for (const auto& boundary : all_boundaries())
    expect_as_one_slab_on_the_cpu(settings_with(boundary), DeviceKind::cuda);
}

class FullGpuFields : public Fields {};

TEST_P(FullGpuFields, AreTheSame) {
  if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
  const Buffer<std::byte> taken({DeviceKind::cuda, 0}, free_gpu_memory(0) - Staging::spared / 2);
  expect_as_one_slab_on_the_cpu(settings_with(all_boundaries().front()), DeviceKind::cuda);
}

const std::vector<SchemeAndPrecision> both_precisions{{"roe3", Precision::double_},
                                                      {"roe3", Precision::single}};
INSTANTIATE_TEST_SUITE_P(Both, Fields, ::testing::ValuesIn(both_precisions), test_name);
INSTANTIATE_TEST_SUITE_P(Both, GpuFields, ::testing::ValuesIn(both_precisions), test_name);
INSTANTIATE_TEST_SUITE_P(Both, FullGpuFields, ::testing::ValuesIn(both_precisions), test_name);

}  // namespace
}  // namespace tayra::testing
