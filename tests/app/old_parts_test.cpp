// Runs of earlier versions, whose ranks wrote parts: they go on, and no part is missed unheard.
#include <gmock/gmock.h>

#include <filesystem>

#include "app/tayra_process.hpp"
#include "io/parts_of_ranks.hpp"

namespace tayra {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class OldParts : public testing::Test {
 protected:
  void SetUp() override {
    write_file(folder_.path("a.yaml"), R"(
problem: {name: rt_single}
grid: {cells: [8, 8, 12], upper: [1, 1, 2]}
run: {steps: 20}
output:
  snapshots: {every_steps: 10, fields: [density], precision: double}
  checkpoints: {every_steps: 10}
)");
    ASSERT_EQ(run({"--output", "old"}).code, 0);
    for (const char* file : {"000010.h5", "000020.h5"}) share_among_ranks(checkpoint(file), "state");
    for (const char* file : {"000000.vtkhdf", "000001.vtkhdf", "000002.vtkhdf"})
      share_among_ranks(folder_.path("old/snapshots/") + file, "density");
  }

  ProcessEnd run(const std::vector<std::string>& more, const std::string& before = "") const {
    std::string command = before + "exec " TAYRA_BINARY " run a.yaml --quiet";
    for (const std::string& word : more) command += " " + word;
    return run_shell(command, folder_.path());
  }
  std::string checkpoint(const std::string& name) const { return folder_.path("old/checkpoints/" + name); }

  ProcessEnd resume(const std::vector<std::string>& more, const std::string& before = "") const {
    std::vector<std::string> words{"--output", "old", "--resume"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words, before);
  }

  TemporaryDirectory folder_;
};

TEST_F(OldParts, AreWhatARunGoesOnFromAndGoWithTheirCheckpoints) {
  ASSERT_EQ(resume({"--set", "run.steps=30"}).code, 0);
  ASSERT_EQ(run({"--output", "whole", "--set", "run.steps=30"}).code, 0);
  EXPECT_TRUE(text_of(checkpoint("000030.h5")) == text_of(folder_.path("whole/checkpoints/000030.h5")));
  EXPECT_FALSE(fs::exists(checkpoint("ranks/000010-1.h5"))) << "of a checkpoint that is not kept";
  EXPECT_TRUE(fs::exists(checkpoint("ranks/000020-1.h5")));
  ASSERT_EQ(resume({"old/checkpoints/000020.h5", "--set", "run.steps=25"}).code, 0);
  EXPECT_EQ(run({"--output", "old", "--force"}).code, 0);
  EXPECT_FALSE(fs::exists(checkpoint("ranks"))) << "of results that are replaced";
}

TEST_F(OldParts, OfWhichOneIsMissingOrCutShortAreSkippedByName) {
  fs::remove(checkpoint("ranks/000020-1.h5"));
  fs::resize_file(checkpoint("ranks/000010-2.h5"), 1000);
  const ProcessEnd end = resume({});
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.errors,
              AllOf(HasSubstr("000020.h5 is damaged: part old/checkpoints/ranks/000020-1.h5 is missing"),
                    HasSubstr("000010.h5 is damaged: part old/checkpoints/ranks/000010-2.h5")));
}

TEST_F(OldParts, OfWhichOneIsMissingAreNotRefinedAndLeaveNothing) {
  fs::remove(checkpoint("ranks/000020-1.h5"));
  const ProcessEnd end =
      run_tayra({"refine", checkpoint("000020.h5"), "a.yaml", "--output", "fine"}, folder_.path());
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.errors, HasSubstr("checkpoints/ranks/000020-1.h5 is missing"));
  EXPECT_FALSE(fs::exists(folder_.path("fine")));
}

TEST_F(OldParts, OfWhichOneIsMissingAreListedNoMore) {
  fs::remove(folder_.path("old/snapshots/ranks/000001-1.h5"));
  ASSERT_EQ(resume({"--set", "run.steps=30"}).code, 0);
  EXPECT_THAT(text_of(folder_.path("old/snapshots/snapshots.vtkhdf.series")),
              AllOf(HasSubstr("000000.vtkhdf"), Not(HasSubstr("000001.vtkhdf")), HasSubstr("000003.vtkhdf")));
}

TEST_F(OldParts, AreKeptWithTheirCheckpointWhenOneIsDamaged) {
  const std::string part = text_of(checkpoint("ranks/000020-1.h5"));
  fs::resize_file(checkpoint("ranks/000020-1.h5"), 1000);
  ASSERT_EQ(resume({}).code, 0);
  ASSERT_EQ(fs::file_size(checkpoint("damaged/ranks/000020-1.h5")), 1000u);
  write_file(checkpoint("damaged/ranks/000020-1.h5"), part);
  EXPECT_EQ(run({"--output", "branch", "--resume", "old/checkpoints/damaged/000020.h5"}).code, 0);
}

#ifdef BAD_DISK
// HDF5 takes a part that it cannot open for one that was never written, and gives zeros.
TEST_F(OldParts, ThatMayNotBeReadJustNowStayAndAreNoReasonToGoFurtherBack) {
  const ProcessEnd end = resume({"--set", "run.steps=25"}, "export LD_PRELOAD=" BAD_DISK
                                                           " 'DISK_FILES=*/ranks/000020*' DISK_OPENS=1 "
                                                           "DISK_REFUSES=1; ");
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.errors, AllOf(HasSubstr("old/checkpoints/000020.h5 cannot be read just now: part "),
                                HasSubstr("(Permission denied)"), HasSubstr("nothing was changed")));
  EXPECT_FALSE(fs::exists(checkpoint("damaged")));
}
#endif

}  // namespace
}  // namespace tayra
