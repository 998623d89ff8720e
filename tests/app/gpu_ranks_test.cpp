// Ranks with GPUs: every halo backend that carries edges between them gives the bits of one slab, however
// late a rank is, and gives up one that is lost. Where there is one GPU, ranks share it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "app/tayra_process.hpp"
#include "core/device.hpp"
#include "grid/ranks.hpp"
#include "halo/transport.hpp"

namespace tayra {

static void PrintTo(const HaloBackend& backend, std::ostream* out) { *out << backend.name; }

namespace {

using ::testing::HasSubstr;

// The number of steps is added.
constexpr const char* config = R"(
problem: {name: rt_multi, atwood: 0.5, amplitude: 0.02, modes: [2, 4], seed: 3}
grid: {cells: [36, 40, 45], upper: [1, 1, 1]}
output: {directory: out}
)";

/// Of rank 1, from the first steps on that are logged: NCCL still connects in the very first.
constexpr const char* stops_and_goes_on =
    "for i in 1 2 3 4 5 6; do kill -STOP $$; sleep 0.1; kill -CONT $$; sleep 0.05; done";
constexpr const char* stops = "sleep 1; kill -STOP $$";

class GpuOfRanks : public ::testing::TestWithParam<HaloBackend> {
 protected:
  void SetUp() override {
    if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
    if (!built_with_mpi()) GTEST_SKIP() << "built without MPI";
    if (std::system("mpirun --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no mpirun";
    if (!GetParam().parts.missing_library.empty()) GTEST_SKIP() << "no " << GetParam().parts.missing_library;
    const bool wants_its_own = halo() == "nccl" || halo() == "put";
    if (wants_its_own && cuda_devices().size() < 2) GTEST_SKIP() << "one GPU, and ranks can't share it";
    // A run has to last longer than rank 1 is stopped. Processes that share a GPU take milliseconds a step.
    const char* run = cuda_devices().size() < 2 ? "run: {steps: 2000}\n" : "run: {steps: 20000}\n";
    write_file(folder_.path("config.yaml"), std::string(config) + run);
  }

  std::string halo() const { return GetParam().name; }

  ProcessEnd run_two(const std::string& trouble, const std::string& options = "") const {
    const std::string in_trouble =
        "if [ $OMPI_COMM_WORLD_RANK = 1 ]; then "
        "(until [ $(cat out/timings.csv 2>/dev/null | wc -l) -gt 1 ]; do sleep 0.05; done; " +
        trouble + ") & fi; ";
    return run_shell("timeout 90 mpirun --oversubscribe -n 2 sh -c '" + in_trouble +
                         "exec " TAYRA_BINARY " run config.yaml --quiet --device cuda --halo " + halo() +
                         " " + options +
                         "' 2> errors; "
                         "code=$?; cat errors >&2; exit $code",
                     folder_.path());
  }

  std::string record() const { return text_of(folder_.path("out/run.json")); }
  std::string fingerprint() const {
    const std::string all = record(), key = "\"fingerprint\": \"";
    const auto at = all.find(key);
    return at == std::string::npos ? "" : all.substr(at + key.size(), 16);
  }

  TemporaryDirectory folder_;
};

TEST_P(GpuOfRanks, GiveTheBitsOfOneSlabHoweverLateOneOfThemIs) {
  const ProcessEnd alone =
      run_tayra({"run", "config.yaml", "--quiet", "--device", "cuda", "--slabs", "1"}, folder_.path());
  ASSERT_EQ(alone.code, 0) << alone.errors;
  const std::string expected = fingerprint();
  ASSERT_EQ(expected.size(), 16u);
  // These files would start the trouble before the flow.
  ASSERT_EQ(run_shell("rm -r out", folder_.path()).code, 0);
  for (const std::string cut : {"run.cut_y=1", "run.cut_y=2"}) {
    const ProcessEnd end = run_two(stops_and_goes_on, "--set " + cut);
    EXPECT_EQ(end.code, 0) << cut << ": " << end.errors;
    EXPECT_EQ(fingerprint(), expected) << cut;
    EXPECT_THAT(record(), HasSubstr("\"halo\": \"" + halo() + "\""));
    ASSERT_EQ(run_shell("rm -r out", folder_.path()).code, 0);
  }
}

TEST_P(GpuOfRanks, GiveUpOneThatIsLost) {
  const auto start = std::chrono::steady_clock::now();
  const ProcessEnd end = run_two(stops, "--set run.steps=100000000 --set run.timeout=4");
  EXPECT_EQ(end.code, 4) << end.errors;
  EXPECT_THAT(end.errors, HasSubstr("rank 1 "));
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  EXPECT_LT(elapsed.count(), 60);
}

INSTANTIATE_TEST_SUITE_P(All, GpuOfRanks, ::testing::ValuesIn(halo_registry()),
                         [](const auto& backend) { return backend.param.name; });

}  // namespace
}  // namespace tayra
