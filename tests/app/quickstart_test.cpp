// `tayra quickstart`: the built-in example, on a grid of a few cells, with a stand-in that draws.
#include <gmock/gmock.h>

#include "app/tayra_process.hpp"

namespace tayra {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class Quickstart : public testing::Test {
 protected:
  Quickstart() {
    fs::create_directory(folder_.path("bin"));
    fs::copy_file(TAYRA_BINARY, folder_.path("bin/tayra"));
    let_plot("echo drawn: \"$@\"");
  }

  void let_plot(const std::string& script) {
    write_file(folder_.path("bin/tayra-plot"), "#!/bin/sh\n" + script + "\n");
    fs::permissions(folder_.path("bin/tayra-plot"), fs::perms::owner_all);
  }
  ProcessEnd quickstart(const std::string& words = "") {
    return run_shell("bin/tayra quickstart --set 'grid.cells=[8, 8, 16]' --set run.steps=2 " + words,
                     folder_.path());
  }
  std::string file(const std::string& name) { return text_of(folder_.path(name)); }

  TemporaryDirectory folder_;
  const std::string example_ = text_of(TAYRA_SOURCE_DIR "/configs/quickstart.yaml");
};

TEST_F(Quickstart, RunsTheExampleDrawsItAndSaysWhereEverythingIs) {
  const ProcessEnd end = quickstart();
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(
      end.output,
      AllOf(HasSubstr("drawn: tayra-quickstart --smooth"), HasSubstr("drawn: tayra-quickstart --curves"),
            HasSubstr("Done. In tayra-quickstart:"), HasSubstr("  bin/tayra run mine.yaml")));
  EXPECT_EQ(file("tayra-quickstart/quickstart.yaml"), example_);
  EXPECT_TRUE(fs::exists(folder_.path("tayra-quickstart/snapshots/snapshots.vtkhdf.series")));
}

TEST_F(Quickstart, ReplacesEarlierResultsOnlyWhenTold) {
  EXPECT_EQ(quickstart("--output there").code, 0);
  const ProcessEnd again = quickstart("--output there");
  EXPECT_EQ(again.code, 2);
  EXPECT_THAT(again.errors, HasSubstr("there already holds the results of a run"));
  EXPECT_EQ(quickstart("--output there --force").code, 0);
}

TEST_F(Quickstart, LeavesAChangedConfigAlone) {
  fs::create_directory(folder_.path("tayra-quickstart"));
  write_file(folder_.path("tayra-quickstart/quickstart.yaml"), "mine");
  const ProcessEnd end = quickstart();
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, StartsWith("tayra: tayra-quickstart/quickstart.yaml is not the example"));
  EXPECT_EQ(file("tayra-quickstart/quickstart.yaml"), "mine");
  EXPECT_EQ(quickstart("--force").code, 0);
  EXPECT_EQ(file("tayra-quickstart/quickstart.yaml"), example_);
}

TEST_F(Quickstart, SaysThatTheRunIsDoneWhereItCannotBeDrawn) {
  let_plot("echo tayra plot: no paper >&2; exit 2");
  const ProcessEnd end = quickstart();
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.errors, AllOf(HasSubstr("tayra plot: no paper\n"),
                                HasSubstr("the run is done, but not drawn: tayra plot tayra-quickstart")));
}

}  // namespace
}  // namespace tayra
