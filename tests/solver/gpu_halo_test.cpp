// Every halo backend that the machine has gives the bits of one slab.
#include <gtest/gtest.h>

#include <set>

#include "halo/halo.hpp"
#include "solver/trial.hpp"

namespace tayra::testing {
namespace {

class GpuHalo : public ::testing::TestWithParam<SchemeAndPrecision> {
 protected:
  void SetUp() override {
    if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
  }
};

std::vector<std::string> backends_on(int gpus) {
  HaloPlace place{DeviceKind::cuda, {}};
  for (int gpu = 0; gpu < gpus; ++gpu) place.devices.push_back(gpu);
  std::vector<std::string> names{"auto"};
  for (const HaloBackend& backend : halo_registry())
    if (why_not(backend, place).empty()) names.push_back(backend.name);
  return names;
}

TEST_P(GpuHalo, EveryBackendGivesTheBitsOfOneSlabOnAnyNumberOfGpus) {
  const auto boundaries = all_boundaries();
  for (const std::size_t which : {0, 3, 5}) {
    SolverSettings settings = trial_settings(GetParam(), {37, 21, 23}, boundaries[which]);
    settings.device = DeviceKind::cpu;
    const Trial alone = run_trial(settings, Tumult::violent, 50);
    settings.device = DeviceKind::cuda;
    const int there = static_cast<int>(cuda_devices().size());
    for (settings.gpus = 1; settings.gpus <= std::min(there, 4); ++settings.gpus)
      for (const std::string& halo : backends_on(settings.gpus))
        for (const int slabs : {settings.gpus, settings.gpus + 1, 2 * settings.gpus}) {
          settings.slabs = slabs;
          settings.halo = halo;
          expect_same(run_trial(settings, Tumult::violent, 50), alone,
                      description(settings) + ", " + halo + " on " + std::to_string(settings.gpus) + " GPUs");
        }
  }
}

INSTANTIATE_TEST_SUITE_P(All, GpuHalo, ::testing::ValuesIn(all_schemes_and_precisions()), test_name);

TEST(GpuHaloTiming, SeesAnExchangeThroughTheHostThatNothingHides) {
  if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
  // Thin slabs: nearly all planes are rim, so that the copies through the host have nothing to hide behind.
  SolverSettings settings =
      trial_settings({"upwind3", Precision::double_}, {256, 256, 16}, all_boundaries().front());
  settings.device = DeviceKind::cuda;
  settings.slabs = 4;
  settings.halo = "host";
  const Trial trial = run_trial(settings, Tumult::smooth, 20);
  for (std::size_t i = 5; i < trial.records.size(); ++i)
    for (const SlabTimes& slab : trial.records[i].slabs) {
      EXPECT_GT(slab.exposed_ms, 0.1 * slab.comm_ms);
      EXPECT_GT(slab.comm_ms, 0.05) << "five megabytes take a tenth of a millisecond";
      EXPECT_LE(slab.exposed_ms, slab.comm_ms);
      EXPECT_LE(slab.compute_ms + slab.exposed_ms, trial.records[i].wall_ms * 1.01);
    }
}

}  // namespace
}  // namespace tayra::testing
