// What cmake --install leaves works wherever it is moved to.
#include <gmock/gmock.h>

#include "app/tayra_process.hpp"

namespace tayra {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

/// Installed, moved, and run on a small flow.
class InstalledCopy : public testing::Test {
 protected:
  void SetUp() override {
    const std::string build = fs::path(TAYRA_BINARY).parent_path();
    const ProcessEnd end = run_shell(
        "cmake --install '" + build + "' --prefix 'first place' &&" + "mv 'first place' 'other place'",
        folder_.path());
    ASSERT_EQ(end.code, 0) << end.errors;
    const ProcessEnd run = tayra("run 'other place/share/tayra/configs/bubble_2d.yaml' --output results " +
                                 std::string("--set 'grid.cells=[8, 1, 16]' --set run.steps=2"));
    ASSERT_EQ(run.code, 0) << run.errors;
  }

  ProcessEnd tayra(const std::string& words, const std::string& python_folder = "/nowhere") {
    return run_shell("PATH='" + python_folder + "':/usr/bin:/bin 'other place/bin/tayra' " + words,
                     folder_.path());
  }

  TemporaryDirectory folder_;
};

TEST_F(InstalledCopy, DrawsAndComparesWherePythonHasThePackages) {
  const std::string python = TAYRA_SOURCE_DIR "/.venv/bin";
  if (!fs::exists(TAYRA_SOURCE_DIR "/.venv/bin/python3"))
    GTEST_SKIP() << "no Python with the packages in .venv";
  const ProcessEnd plot = tayra("plot results", python);
  EXPECT_EQ(plot.code, 0) << plot.errors;
  EXPECT_THAT(plot.output, EndsWith(".png\n"));
  EXPECT_TRUE(fs::exists(folder_.path(plot.output.substr(0, plot.output.size() - 1))));
  EXPECT_EQ(tayra("compare results results", python).code, 0);
  EXPECT_THAT(tayra("watch results --ascii", python).output, StartsWith("results: finished\n"));
  write_file(folder_.path("other place/share/tayra/python/tayra/plot.py"), "def main(): print('its own')\n");
  EXPECT_EQ(tayra("plot results", python).output, "its own\n") << "not that of the Python that it runs on";
}

TEST_F(InstalledCopy, SaysWhatPythonLacksAndWhatAddsIt) {
  fs::create_directory(folder_.path("bare"));
  write_file(folder_.path("bare/python3"), "#!/bin/sh\nexec /usr/bin/python3 -I -S \"$@\"\n");
  fs::permissions(folder_.path("bare/python3"), fs::perms::owner_all);
  const ProcessEnd plot = tayra("plot results", folder_.path("bare"));
  EXPECT_EQ(plot.code, 2);
  EXPECT_THAT(plot.errors, AllOf(StartsWith("tayra plot: "), HasSubstr("lacks numpy, h5py, matplotlib: "),
                                 HasSubstr("-m pip install numpy h5py matplotlib")));
  EXPECT_THAT(tayra("compare results results", folder_.path("bare")).errors, StartsWith("tayra compare: "));
}

TEST_F(InstalledCopy, HoldsWhatIsReadBesideThePrograms) {
  for (const std::string file : {"bin/tayra-bench", "share/doc/tayra/LICENSE",
                                 "share/tayra/configs/schema.json", "share/tayra/slurm/rank_per_gpu.sh",
                                 "share/tayra/slurm/bind.sh", "share/tayra/python/tayra/page/index.html"})
    EXPECT_TRUE(fs::exists(folder_.path("other place/" + file))) << file;
}

}  // namespace
}  // namespace tayra
