// Tests of logs that go on where an earlier part of the run left them, and of disks that fail.
#include "io/log_file.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>

#include "core/error.hpp"
#include "io/full_disk.hpp"
#include "io/temporary_directory.hpp"

namespace tayra {
namespace {

using testing::HasSubstr;

constexpr const char* whole = "step,time\n0,0\n2,0.5\n4,1\n";

TEST(LogFile, StartsAnewUnlessToldWhereToGoOn) {
  const TemporaryDirectory folder;
  std::ofstream(folder.path("log")) << whole;
  LogFile(folder.path("log"), "step,time").append("1,2\n");
  EXPECT_EQ(text_of(folder.path("log")), "step,time\n1,2\n");
}

TEST(LogFile, GoesOnAfterTheLastRowThatCounts) {
  for (const auto& [last, kept] : {std::pair(-1, "step,time\n"), std::pair(2, "step,time\n0,0\n2,0.5\n"),
                                   std::pair(3, "step,time\n0,0\n2,0.5\n"), std::pair(9, whole)}) {
    const TemporaryDirectory folder;
    std::ofstream(folder.path("log")) << whole;
    LogFile(folder.path("log"), "step,time", last).append("10,2\n");
    EXPECT_EQ(text_of(folder.path("log")), std::string(kept) + "10,2\n") << last;
  }
}

TEST(LogFile, CutsAHalfRowAway) {
  for (const char* torn : {"step,time\n0,0\n2,0", "step,time\n0,0\n2", "step,time\n0,0\n"}) {
    const TemporaryDirectory folder;
    std::ofstream(folder.path("log")) << torn;
    LogFile(folder.path("log"), "step,time", 9).append("2,1\n");
    EXPECT_EQ(text_of(folder.path("log")), "step,time\n0,0\n2,1\n") << torn;
  }
}

// A machine that loses its power may leave zeros where the last rows were to be.
TEST(LogFile, CutsAwayWhatIsNoRowAndWhatFollows) {
  for (const std::string& noise : {std::string(8, '\0') + "\n", std::string("oops,1\n"), std::string("\n")}) {
    const TemporaryDirectory folder;
    std::ofstream(folder.path("log")) << "step,time\n0,0\n" << noise << "2,0.5\n";
    LogFile(folder.path("log"), "step,time", 9).append("2,1\n");
    EXPECT_EQ(text_of(folder.path("log")), "step,time\n0,0\n2,1\n") << noise;
  }
}

TEST(LogFile, WithATornHeaderOrNoneStartsAnew) {
  const TemporaryDirectory folder;
  std::ofstream(folder.path("torn")) << "step,t";
  LogFile(folder.path("torn"), "step,time", 9).append("2,1\n");
  LogFile(folder.path("none"), "step,time", 9).append("2,1\n");
  EXPECT_EQ(text_of(folder.path("torn")), "step,time\n2,1\n");
  EXPECT_EQ(text_of(folder.path("none")), "step,time\n2,1\n");
}

/// "after - up to" of all rows that are missing before the log goes on after `last`.
std::string gaps_in(const std::string& text, std::int64_t last, Rows rows) {
  const TemporaryDirectory folder;
  if (!text.empty()) std::ofstream(folder.path("log")) << text;
  std::string all;
  const LogFile log(folder.path("log"), "step,time", last, rows);
  for (const auto& [after, up_to] : log.missing())
    all += (all.empty() ? "" : ", ") + std::to_string(after) + " - " + std::to_string(up_to);
  return all;
}

TEST(LogFile, KnowsWhichRowsAreMissingBeforeItGoesOn) {
  const std::string each = "step,time\n3,0\n4,1\n5,2\n";  // a branch begins after step 2
  EXPECT_EQ(gaps_in(each, 5, Rows::of_every_step), "-1 - 2");
  EXPECT_EQ(gaps_in(each, 4, Rows::of_every_step), "-1 - 2");
  EXPECT_EQ(gaps_in(each, 7, Rows::of_every_step), "-1 - 2, 5 - 7");
  EXPECT_EQ(gaps_in(each + "9,4\n", 9, Rows::of_every_step), "-1 - 2, 5 - 8");
  EXPECT_EQ(gaps_in(each + "9,4\n12,5\n", 15, Rows::of_every_step), "-1 - 2, 5 - 8, 9 - 11, 12 - 15");
  EXPECT_EQ(gaps_in(whole, 4, Rows::of_some_steps), "");
  EXPECT_EQ(gaps_in(whole, 8, Rows::of_some_steps), "4 - 8");
  EXPECT_EQ(gaps_in("", 8, Rows::of_some_steps), "-1 - 8");
  EXPECT_EQ(gaps_in("", -1, Rows::of_some_steps), "");
}

TEST(LogFile, OfAnOlderTayraKeepsItsRowsAndGainsTheColumnsThatItLacks) {
  const TemporaryDirectory folder;
  std::ofstream(folder.path("log")) << "step,time\n0,0\n2,0.5\n4,1\n6";
  LogFile(folder.path("log"), "step,mass,time,energy", 2).append("3,7,0.75,8\n");
  EXPECT_EQ(text_of(folder.path("log")), "step,mass,time,energy\n0,nan,0,nan\n2,nan,0.5,nan\n3,7,0.75,8\n");
}

TEST(LogFile, WithOtherColumnsIsRefused) {
  const TemporaryDirectory folder;
  std::ofstream(folder.path("log")) << "step,speed\n1,2\n";
  try {
    LogFile(folder.path("log"), "step,time", 9);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("has columns that this Tayra does not write"));
  }
  EXPECT_EQ(text_of(folder.path("log")), "step,speed\n1,2\n");
}

/// What its making says of whatever lies in its place.
std::string message_of_making(const std::string& path, LastRow last) {
  try {
    const LogFile log(path, "step,time", last);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(LogFile, FollowsNoLinkAndWaitsForNoPipeInItsPlace) {
  namespace fs = std::filesystem;
  const TemporaryDirectory folder;
  std::ofstream(folder.path("others")) << whole;
  fs::create_symlink(folder.path("nowhere"), folder.path("dangling"));
  fs::create_symlink(folder.path("others"), folder.path("link"));
  fs::create_symlink("/dev/null", folder.path("device"));
  fs::create_directory(folder.path("folder"));
  ASSERT_EQ(::mkfifo(folder.path("pipe").c_str(), 0600), 0);
  for (const char* other : {"dangling", "link", "device", "folder", "pipe"})
    for (const LastRow last : {LastRow(), LastRow(2)})
      EXPECT_EQ(message_of_making(folder.path(other), last),
                folder.path(other) +
                    " is no file of its own (but a link, a pipe, a folder or a device): move it away");
  EXPECT_FALSE(fs::exists(folder.path("nowhere")));
  EXPECT_EQ(text_of(folder.path("others")), whole);
}

std::string message_of_append(LogFile& log, const std::string& lines) {
  try {
    log.append(lines);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(LogFile, KeepsNoHalfRowOnAFullDiskAndLosesNoneOnceThereIsRoom) {
  const TemporaryDirectory folder;
  LogFile log(folder.path("log"), "step,time");
  log.append("1,1\n");
  {
    const FileSizeLimit limit(16);
    EXPECT_EQ(message_of_append(log, "2,2\n"), "cannot write " + folder.path("log") + " (File too large)");
    EXPECT_EQ(text_of(folder.path("log")), "step,time\n1,1\n");
  }
  EXPECT_EQ(message_of_append(log, "3,3\n"), "");
  EXPECT_EQ(text_of(folder.path("log")), "step,time\n1,1\n2,2\n3,3\n");
}

TEST(LogFile, WritesWhatWaitsWhenAsked) {
  const TemporaryDirectory folder;
  LogFile log(folder.path("log"), "step,time");
  {
    const FileSizeLimit limit(12);
    message_of_append(log, "2,2\n");
  }
  EXPECT_TRUE(log.has_waiting());
  log.write_waiting();
  EXPECT_FALSE(log.has_waiting());
  EXPECT_EQ(text_of(folder.path("log")), "step,time\n2,2\n");
}

TEST(LogFile, NoticesThatItWasRemoved) {
  const TemporaryDirectory folder;
  LogFile log(folder.path("log"), "step,time");
  std::filesystem::remove(folder.path("log"));
  EXPECT_EQ(message_of_append(log, "1,1\n"), "cannot write " + folder.path("log") + " (it was removed)");
}

}  // namespace
}  // namespace tayra
