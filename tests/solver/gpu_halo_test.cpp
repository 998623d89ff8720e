// Every halo backend that the machine has gives the bits of one slab.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "core/spread.hpp"
#include "halo/transport.hpp"
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
  // A ring of slabs in one precision, walls and gravity in the other.
  const auto boundary = all_boundaries()[GetParam().precision == Precision::single ? 0 : 3];
  SolverSettings settings = trial_settings(GetParam(), {37, 21, 23}, boundary);
  settings.device = DeviceKind::cpu;
  const Trial alone = run_trial(settings, Tumult::violent, 50);
  settings.device = DeviceKind::cuda;
  for (const int gpus : {1, 2, 4}) {
    if (gpus > static_cast<int>(cuda_devices().size())) continue;
    settings.gpus = gpus;
    for (const std::string& halo : backends_on(gpus))
      for (const int slabs : {std::max(2, gpus), gpus + 3}) {
        settings.slabs = slabs;
        settings.halo = halo;
        expect_same(run_trial(settings, Tumult::violent, 50), alone,
                    description(settings) + ", " + halo + " on " + std::to_string(gpus) + " GPUs");
      }
  }
}

// Most blocks stream up planes that are no edge of their slab.
TEST_P(GpuHalo, EveryBackendGivesTheBitsOfOneSlabWhereSlabsAreLong) {
  SolverSettings settings = trial_settings(GetParam(), {36, 20, 150}, all_boundaries().front());
  settings.device = DeviceKind::cpu;
  const Trial alone = run_trial(settings, Tumult::violent, 5);
  settings.device = DeviceKind::cuda;
  settings.slabs = 4;
  settings.gpus = cuda_devices().size() < 4 ? 1 : 4;
  for (const std::string& halo : backends_on(settings.gpus)) {
    settings.halo = halo;
    expect_same(run_trial(settings, Tumult::violent, 5), alone, description(settings) + ", " + halo);
  }
}

INSTANTIATE_TEST_SUITE_P(All, GpuHalo, ::testing::ValuesIn(all_schemes_and_precisions()), test_name);

class GpuHaloTiming : public ::testing::Test {
 protected:
  void SetUp() override {
    if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
    // Thin slabs: nearly all planes are boundary, so that copies through the host have little to hide behind.
    settings_ = trial_settings({"upwind3", Precision::double_}, {512, 512, 32}, all_boundaries().front());
    settings_.device = DeviceKind::cuda;
    settings_.slabs = 4;
    settings_.gpus = std::min<int>(4, static_cast<int>(cuda_devices().size()));
    settings_.gpus = settings_.gpus == 3 ? 2 : settings_.gpus;
  }

  /// Medians over steps, of the slab that takes longest.
  std::array<double, 3> wall_comm_exposed(const std::string& halo) {
    settings_.halo = halo;
    std::array<std::vector<double>, 3> all;
    for (const StepRecord& record : run_trial(settings_, Tumult::smooth, 60).records) {
      double comm = 0, exposed = 0;
      for (const SlabTimes& slab : record.slabs) {
        EXPECT_LE(slab.exposed_ms, slab.comm_ms);
        EXPECT_LE(slab.compute_ms + slab.exposed_ms, record.wall_ms * 1.01);
        comm = std::max(comm, slab.comm_ms);
        exposed = std::max(exposed, slab.exposed_ms);
      }
      all[0].push_back(record.wall_ms);
      all[1].push_back(comm);
      all[2].push_back(exposed);
    }
    return {spread_of(all[0]).median, spread_of(all[1]).median, spread_of(all[2]).median};
  }

  SolverSettings settings_;
};

TEST_F(GpuHaloTiming, CallsExposedWhatARunWithoutTheExchangeDoesNotTake) {
  const auto [wall, comm, exposed] = wall_comm_exposed("host");
  const double without = wall_comm_exposed(without_exchange)[0];
  std::printf("with host %.3f ms, without exchange %.3f ms, exposed %.3f ms of %.3f ms\n", wall, without,
              exposed, comm);
  EXPECT_GT(comm, 0.2) << "six blocks of 21 MB to the host and back";
  EXPECT_NEAR(exposed, wall - without, 0.15 * wall);
}

TEST_F(GpuHaloTiming, AccountsForAllOfAStepWhereSweepsWaitForTheirPlanesThemselves) {
  if (settings_.gpus < 2) GTEST_SKIP() << "with one GPU no slab is alone on its own";
  settings_.slabs = settings_.gpus;
  settings_.halo = "direct";
  std::vector<double> accounted, comm;
  for (const StepRecord& record : run_trial(settings_, Tumult::smooth, 60).records)
    for (const SlabTimes& slab : record.slabs) {
      EXPECT_LE(slab.exposed_ms, slab.comm_ms);
      accounted.push_back((slab.compute_ms + slab.exposed_ms) / record.wall_ms);
      comm.push_back(slab.comm_ms / record.wall_ms);
    }
  const double share = spread_of(accounted).median, of_exchanges = spread_of(comm).median;
  std::printf("accounted for %.3f of a step, exchanges %.3f of it\n", share, of_exchanges);
  EXPECT_GT(share, 0.8);
  EXPECT_LE(share, 1.01);
  EXPECT_GT(of_exchanges, 0.002) << "three waits for another GPU";
  EXPECT_LT(of_exchanges, 0.5);
}

}  // namespace
}  // namespace tayra::testing
