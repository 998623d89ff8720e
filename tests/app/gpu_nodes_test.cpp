// GPUs that reach each other by NCCL or NVSHMEM alone end a step without their hosts. Nodes that there is one
// machine for are daemons of Open MPI's that a script starts here instead of elsewhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "app/tayra_process.hpp"
#include "core/device.hpp"
#include "halo/transport.hpp"

namespace tayra {
namespace {

using ::testing::HasSubstr;

constexpr const char* config = R"(
problem: {name: rt_multi, atwood: 0.5, amplitude: 0.02, modes: [2, 4], seed: 3}
grid: {cells: [36, 40, 45], upper: [1, 1, 1]}
run: {steps: 300}
output: {directory: out}
)";

// A folder of its own for each node's daemon.
constexpr const char* elsewhere = "#!/bin/sh\nshift\nmkdir -p tmp_$$\nTMPDIR=$PWD/tmp_$$ exec sh -c \"$*\"\n";

// Each node has one; the rank that STOPS does so in the midst of the flow, of which a row has been logged.
constexpr const char* on_own_gpu = R"(#!/bin/sh
export CUDA_VISIBLE_DEVICES=$OMPI_COMM_WORLD_RANK
if [ "$OMPI_COMM_WORLD_RANK" = "$STOPS" ]; then
  (until [ $(cat out/timings.csv 2>/dev/null | wc -l) -gt 1 ]; do sleep 0.1; done; sleep 2; kill -STOP $$) &
fi
exec "$@"
)";

const std::string program = TAYRA_BINARY " run config.yaml --quiet --force --device cuda --halo ";
const std::string one_node = "mpirun --oversubscribe -n 2 " + program;
const std::string two_nodes =
    "mpirun --host localhost:1,elsewhere:1 -n 2 --mca plm rsh --mca plm_rsh_agent $PWD/elsewhere.sh"
    " --mca btl self,vader,tcp --mca btl_tcp_if_include lo --mca oob_tcp_if_include lo ./on_own_gpu.sh " +
    program + "nccl";

std::string missing_library(const std::string& halo) {
  for (const HaloBackend& backend : halo_registry())
    if (backend.name == halo) return backend.parts.missing_library;
  return "backend";
}

class FullGpuOfNodes : public ::testing::Test {
 protected:
  void SetUp() override {
    if (cuda_devices().size() < 2) GTEST_SKIP() << "fewer than two GPUs";
    if (!missing_library("nccl").empty()) GTEST_SKIP() << "no NCCL";
    if (std::system("mpirun --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no mpirun";
    write_file(folder_.path("config.yaml"), config);
    write_file(folder_.path("elsewhere.sh"), elsewhere);
    write_file(folder_.path("on_own_gpu.sh"), on_own_gpu);
    ASSERT_EQ(run_shell("chmod +x *.sh", folder_.path()).code, 0);
  }

  std::string fingerprint_after(const std::string& command) {
    const ProcessEnd end = run_shell(command, folder_.path());
    EXPECT_EQ(end.code, 0) << end.errors;
    record_ = text_of(folder_.path("out/run.json"));
    std::smatch found;
    return std::regex_search(record_, found, std::regex("\"fingerprint\": \"(\\w+)\"")) ? found[1].str() : "";
  }

  std::string alone() { return fingerprint_after(TAYRA_BINARY " run config.yaml --quiet --device cpu"); }

  TemporaryDirectory folder_;
  std::string record_;
};

TEST_F(FullGpuOfNodes, GatherWhatSlabsFoundAndGiveTheBitsOfOneSlab) {
  const std::string expected = alone();
  ASSERT_EQ(expected.size(), 16u);
  for (const std::string slabs : {"1", "3"}) {
    EXPECT_EQ(fingerprint_after(two_nodes + " --slabs " + slabs), expected) << slabs << " slabs a GPU";
    EXPECT_THAT(record_, HasSubstr("\"nodes\": 2"));
    EXPECT_THAT(record_, HasSubstr("\"step_end\": \"gathered\""));
  }
}

TEST_F(FullGpuOfNodes, GatherWithinANodeWhereSlabsShareAGpuButPreferFlags) {
  const std::string expected = alone();
  for (const std::string halo : {"nccl", "put"}) {
    if (!missing_library(halo).empty()) continue;
    EXPECT_EQ(fingerprint_after(one_node + halo + " --slabs 2"), expected) << halo;
    EXPECT_THAT(record_, HasSubstr("\"step_end\": \"gathered\"")) << halo;
    EXPECT_EQ(fingerprint_after(one_node + halo), expected) << halo;
    EXPECT_THAT(record_, HasSubstr("\"step_end\": \"flags\"")) << halo;
  }
}

TEST_F(FullGpuOfNodes, GiveUpARankThatHangs) {
  const ProcessEnd end = run_shell(
      "STOPS=1 timeout 180 " + two_nodes + " --set run.steps=100000000 --set run.timeout=10", folder_.path());
  EXPECT_EQ(end.code, 4) << end.errors;
  EXPECT_THAT(end.errors, HasSubstr("rank 0 has waited for "));
}

}  // namespace
}  // namespace tayra
