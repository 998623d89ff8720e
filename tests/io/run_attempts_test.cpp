// Tests of what run.json tells of the attempts that a run took.

#include <gmock/gmock.h>

#include "io/run_record.hpp"
#include "io/temporary_directory.hpp"

namespace tayra {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class RunAttempts : public testing::Test {
 protected:
  RunRecord begin() const {
    SimulationFacts facts;
    facts.ranks = 3;
    facts.slab_planes = {4, 4, 4};
    return {path_, Config(), facts, {.command_line = {"tayra"}, .attempts = read_past_run(path_).attempts}};
  }

  TemporaryDirectory folder_;
  std::string path_ = folder_.path("run.json");
};

TEST_F(RunAttempts, OfARunThatNeverWasAreNone) {
  EXPECT_EQ(read_past_run(path_).attempts.text(), "[]");
  EXPECT_EQ(read_past_run(path_).status, "");
}

TEST_F(RunAttempts, AreKeptFromOneToTheNextWithTheirEnds) {
  begin().end(RunStatus::lost, "rank 2 hangs");
  begin().end(RunStatus::stopped, "stopped by \"SIGUSR1\"");
  begin();
  const std::string all = read_past_run(path_).attempts.text();
  const auto first = all.find("rank 2 hangs"), second = all.find("stopped by \\\"SIGUSR1\\\""),
             third = all.find("its end was not recorded");
  EXPECT_LT(first, second);
  EXPECT_LT(second, third);
  EXPECT_LT(third, all.size());
  EXPECT_THAT(all, AllOf(HasSubstr("\"ranks\": 3"), HasSubstr("\"slabs\": 3")));
  EXPECT_THAT(all, AllOf(HasSubstr("\"status\": \"stopped\""), Not(HasSubstr("\"status\": \"running\""))))
      << "the last one is lost";
}

TEST_F(RunAttempts, AreKeptHoweverManyThereAre) {
  for (int i = 0; i < 12; ++i) begin().end(RunStatus::lost, "rank 2 hangs");
  EXPECT_EQ(read_past_run(path_).attempts.elements().size(), 12u);
}

TEST_F(RunAttempts, TellWhenTheyBeganAndEndedAndFromWhere) {
  std::ofstream(path_)
      << R"({"status": "lost", "started": "noon", "ended": "night", "resumed_from": {"step": 7}})";
  EXPECT_THAT(read_past_run(path_).attempts.text(),
              AllOf(HasSubstr("\"started\": \"noon\""), HasSubstr("\"ended\": \"night\""),
                    HasSubstr("\"from_step\": 7")));
}

// A fingerprint may happen to have no letter.
TEST_F(RunAttempts, KeepTextsThatLookLikeNumbers) {
  std::ofstream(path_)
      << R"({"status": "running", "totals": {"fingerprint": "0012345678901234", "on": "true"}})";
  note_lost_attempt(path_, "12");
  EXPECT_THAT(text_of(path_), AllOf(HasSubstr("\"fingerprint\": \"0012345678901234\""),
                                    HasSubstr("\"on\": \"true\""), HasSubstr("\"message\": \"12\"")));
}

TEST_F(RunAttempts, ThatWereKilledAreToldWhyBySomebodyElseAndNothingElseChanges) {
  begin();
  const std::string before = text_of(path_);
  note_lost_attempt(path_, "killed by signal 9");
  std::string after = text_of(path_);
  EXPECT_THAT(after,
              AllOf(HasSubstr("\"status\": \"lost\""), HasSubstr("\"message\": \"killed by signal 9\""),
                    Not(HasSubstr("\"ended\": null"))));
  for (const char* key : {"\"status\"", "\"message\"", "\"ended\""}) {
    const auto at = after.find(key), was = before.find(key);
    after.replace(at, after.find('\n', at) - at, before.substr(was, before.find('\n', was) - was));
  }
  EXPECT_EQ(after, before);
}

TEST_F(RunAttempts, KnowTheStepFromWhichTheFirstOneWentOn) {
  EXPECT_EQ(read_past_run(path_).first, std::nullopt);
  begin();
  EXPECT_EQ(read_past_run(path_).first, 0);
  std::ofstream(path_) << R"({"status": "lost", "resumed_from": {"step": 7}, "attempts": []})";
  EXPECT_EQ(read_past_run(path_).first, 7);
  begin();
  EXPECT_EQ(read_past_run(path_).first, 7);
}

TEST_F(RunAttempts, KnowWhatALogWasSaidToLackThoughTheyWereKilled) {
  EXPECT_TRUE(read_past_run(path_).missing_rows_told.empty());
  const std::vector<std::string> told{"timings.csv lacks rows up to step 3", "diagnostics.csv lacks rows"};
  begin().note_missing_rows(told);
  note_lost_attempt(path_, "killed by signal 9");
  EXPECT_EQ(read_past_run(path_).missing_rows_told, told);
  begin();
  EXPECT_TRUE(read_past_run(path_).missing_rows_told.empty());
}

TEST_F(RunAttempts, OfAnotherVersionTellWhatTheyHave) {
  std::ofstream(path_) << R"({"status": "lost", "message": "rank 1 hangs"})";
  const std::string all = read_past_run(path_).attempts.text();
  EXPECT_THAT(all,
              AllOf(HasSubstr("rank 1 hangs"), HasSubstr("\"started\": null"), HasSubstr("\"ranks\": null")));
}

TEST_F(RunAttempts, OfADamagedRecordAreReadAsFarAsTheyCanBe) {
  const std::vector<std::string> values{
      "null", "5",   "-1",   "1e400", std::string(400, '9'), R"("text")",
      "[]",   "[5]", "[[]]", "{}",    R"({"step": "a"})",    R"({"step": [1]})"};
  for (const char* key :
       {"status", "attempts", "resumed_from", "machine", "totals", "missing_rows", "message"})
    for (const std::string& value : values) {
      std::ofstream(path_) << R"({"status": "lost", ")" << key << "\": " << value << "}";
      const std::string record = text_of(path_);
      EXPECT_NO_THROW({
        read_past_run(path_);
        note_lost_attempt(path_, "killed");
      }) << record;
    }
}

TEST_F(RunAttempts, KnowTheStepThatTheyWentOnFrom) {
  EXPECT_EQ(read_past_run(path_).from_step, -1);
  begin();
  EXPECT_EQ(read_past_run(path_).from_step, -1);
  std::ofstream(path_) << R"({"status": "lost", "resumed_from": {"step": 7}})";
  EXPECT_EQ(read_past_run(path_).from_step, 7);
}

TEST_F(RunAttempts, ThatToldHowTheyWereLostAreLeftAsTheyAre) {
  begin().end(RunStatus::lost, "rank 2 hangs");
  note_lost_attempt(path_, "exit code 4");
  EXPECT_THAT(text_of(path_), HasSubstr("rank 2 hangs"));
}

}  // namespace
}  // namespace tayra
