// Steps are enqueued without any host waiting inside one, unless hosts carry planes or merge reports: a GPU
// that is busy with something else keeps no host. Each run also has the bits of one that nothing held up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/tayra_process.hpp"
#include "core/device.hpp"
#include "grid/ranks.hpp"
#include "halo/transport.hpp"

namespace tayra {

static void PrintTo(const HaloBackend& backend, std::ostream* out) { *out << backend.name; }

namespace {

using ::testing::HasSubstr;

class FullGpuQueues : public ::testing::TestWithParam<HaloBackend> {
 protected:
  void SetUp() override {
    if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
    if (!GetParam().parts.missing_library.empty()) GTEST_SKIP() << "no " << GetParam().parts.missing_library;
  }

  std::string halo() const { return GetParam().name; }

  /// How a step ends, whether a host waited, whether the bits are the same.
  std::string told(const std::string& start, int slabs_of_a_rank) const {
    const ProcessEnd end = run_shell(
        start + " " ENQUEUED_STEPS " " + halo() + " " + std::to_string(slabs_of_a_rank), folder_.path());
    EXPECT_EQ(end.code, 0) << end.errors;
    return end.output;
  }

  TemporaryDirectory folder_;
};

TEST_P(FullGpuQueues, TakeStepsOfAProcessWithoutItsWaitingUnlessMpiCarriesPlanes) {
  if (halo() == "put") GTEST_SKIP() << "needs several processes";
  const std::string what = told("timeout 90", 2);
  EXPECT_THAT(what, HasSubstr(halo() == "mpi" ? "a host waited" : "no host waited"));
  EXPECT_THAT(what, HasSubstr("same bits"));
}

TEST_P(FullGpuQueues, TakeStepsOfTwoRanksWithoutTheirWaitingUnlessHostsCarryOrMerge) {
  if (!built_with_mpi()) GTEST_SKIP() << "built without MPI";
  if (std::system("mpirun --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no mpirun";
  const bool no_part_for_hosts = halo() == "nccl" || halo() == "put";
  if (no_part_for_hosts && cuda_devices().size() < 2) GTEST_SKIP() << "one GPU, and ranks can't share it";
  // With two slabs a GPU flags don't serve, as between nodes.
  for (const int slabs : {1, 2}) {
    const std::string what = told("timeout 90 mpirun --oversubscribe -n 2", slabs);
    const bool hosts_merge = what.starts_with("hosts");
    EXPECT_FALSE(no_part_for_hosts && hosts_merge) << what;
    const bool waits = halo() == "host" || halo() == "mpi" || hosts_merge;
    EXPECT_THAT(what, HasSubstr(waits ? "a host waited" : "no host waited")) << slabs << " slabs a rank";
    EXPECT_THAT(what, HasSubstr("same bits"));
  }
}

INSTANTIATE_TEST_SUITE_P(All, FullGpuQueues, ::testing::ValuesIn(halo_registry()),
                         [](const auto& backend) { return backend.param.name; });

}  // namespace
}  // namespace tayra
