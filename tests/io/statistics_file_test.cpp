// Tests of a file that grows: whenever its writer ends, it can be read and continued.
#include "io/statistics_file.hpp"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <thread>

#include "core/error.hpp"
#include "io/full_disk.hpp"
#include "io/hdf5.hpp"
#include "io/temporary_directory.hpp"

namespace tayra {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

StatisticsGroup group_of(const std::vector<std::string>& names, std::vector<double> places = {0.25, 0.75}) {
  StatisticsGroup group{"profiles", {"z", "length", "heights"}, std::move(places), {}};
  for (const std::string& name : names) group.quantities.push_back({name, "1", "a mean"});
  return group;
}

const StatisticsHead head{{{"gamma", 1.4}}, "problem: {}\n"};

/// Of a quantity at a step, so that every number tells where it belongs.
double number_of(int quantity, std::int64_t step, int place) {
  return 1000. * static_cast<double>(step) + 10 * quantity + place;
}
std::vector<double> numbers_at(std::int64_t step, int quantities = 2) {
  std::vector<double> numbers;
  for (int quantity = 0; quantity < quantities; ++quantity)
    for (int place = 0; place < 2; ++place) numbers.push_back(number_of(quantity, step, place));
  return numbers;
}
void append(StatisticsFile& file, std::int64_t step, int quantities = 2) {
  file.append(0, step, 0.5 * static_cast<double>(step), numbers_at(step, quantities));
}

template <class Number>
std::vector<Number> read(const std::string& path, const std::string& name, hid_t type) {
  const auto alone = h5::prepare_alone();
  const h5::Handle file = h5::open_file(path), group = h5::open_group(file, "profiles");
  const h5::Handle data = h5::open_dataset(group, name);
  hsize_t count = 1;
  for (const hsize_t size : h5::extent_of(data)) count *= size;
  std::vector<Number> numbers(count);
  h5::check(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), "read");
  return numbers;
}
std::vector<std::int64_t> integers(const std::string& path, const std::string& name) {
  return read<std::int64_t>(path, name, H5T_NATIVE_INT64);
}
std::vector<double> doubles(const std::string& path, const std::string& name) {
  return read<double>(path, name, H5T_NATIVE_DOUBLE);
}

/// The steps of the rows that count, after a look at all their numbers.
std::vector<std::int64_t> steps_in(const std::string& path) {
  auto steps = integers(path, "step");
  const std::int64_t rows = integers(path, "rows")[0];
  EXPECT_LE(rows, static_cast<std::int64_t>(steps.size()));
  steps.resize(rows);
  const auto times = doubles(path, "time"), first = doubles(path, "density"), second = doubles(path, "f");
  for (std::int64_t row = 0; row < rows; ++row) {
    EXPECT_EQ(times[row], 0.5 * static_cast<double>(steps[row]));
    for (int place = 0; place < 2; ++place) {
      EXPECT_EQ(first[2 * row + place], number_of(0, steps[row], place)) << "row " << row;
      EXPECT_EQ(second[2 * row + place], number_of(1, steps[row], place)) << "row " << row;
    }
  }
  // The first that does not count may be half a row.
  for (std::size_t row = rows + 1; row < times.size(); ++row) EXPECT_TRUE(std::isnan(times[row]));
  return steps;
}

std::vector<std::int64_t> count_up_to(std::int64_t last) {
  std::vector<std::int64_t> steps;
  for (std::int64_t step = 0; step <= last; ++step) steps.push_back(step);
  return steps;
}

class AStatisticsFile : public testing::Test {
 protected:
  StatisticsFile open(const LastRow& last = {}, const std::vector<std::string>& names = {"density", "f"}) {
    return {path_, head, {group_of(names)}, last};
  }
  std::string message_of_opening(const StatisticsGroup& group) {
    try {
      StatisticsFile(path_, head, {group}, 1);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input);
      return error.what();
    }
    return "no error";
  }

  TemporaryDirectory folder_;
  std::string path_ = folder_.path("statistics.h5");
};

TEST_F(AStatisticsFile, HoldsEachRowAsSoonAsItIsAppended) {
  auto file = open();
  EXPECT_THAT(steps_in(path_), IsEmpty());
  for (std::int64_t step = 0; step < 2 * StatisticsFile::least_room + 1; ++step) {
    append(file, step);
    ASSERT_EQ(steps_in(path_), count_up_to(step));
  }
}

TEST_F(AStatisticsFile, GoesOnAfterTheLastRowThatCounts) {
  {
    auto file = open();
    for (std::int64_t step = 0; step < 10; step += 2) append(file, step);
  }
  for (const auto& [last, kept] : {std::pair(6, 4), std::pair(3, 2), std::pair(-1, 0)}) {
    auto file = open(last);
    EXPECT_THAT(steps_in(path_), SizeIs(kept));
    append(file, 100);
    EXPECT_EQ(steps_in(path_).back(), 100);
  }
}

TEST_F(AStatisticsFile, StartsAnewUnlessToldWhereToGoOn) {
  {
    auto file = open();
    append(file, 0);
  }
  auto file = open();
  EXPECT_THAT(steps_in(path_), IsEmpty());
}

TEST_F(AStatisticsFile, SaysWhichRowsAreMissingAtTheEndOfAnEarlierPart) {
  {
    auto file = open();
    append(file, 0);
  }
  EXPECT_THAT(open(0).missing(), IsEmpty());
  const auto file = open(8);
  ASSERT_THAT(file.missing(), SizeIs(1));
  EXPECT_EQ(file.missing()[0].after, 0);
  EXPECT_EQ(file.missing()[0].up_to, 8);
}

TEST_F(AStatisticsFile, HasTheSameBytesInTheEndHoweverOftenItWasContinued) {
  {
    auto file = open();
    for (std::int64_t step = 0; step < 100; ++step) append(file, step);
    file.trim();
  }
  const std::string at_once = text_of(path_);
  EXPECT_EQ(steps_in(path_), count_up_to(99));
  std::filesystem::remove(path_);
  for (const std::int64_t begin : {0, 7, 70, 99}) {
    auto file = open(begin == 0 ? LastRow() : LastRow(begin - 1));
    for (std::int64_t step = begin; step < 100; ++step) append(file, step);
    file.trim();
    EXPECT_TRUE(text_of(path_) == at_once) << begin;
  }
}

/// Appends without end until somebody kills it.
[[noreturn]] void append_for_ever(const std::string& path, std::int64_t last) {
  StatisticsFile file(path, head, {group_of({"density", "f"})}, last);
  for (std::int64_t step = last + 1;; ++step) append(file, step);
}

TEST_F(AStatisticsFile, CanBeReadAndContinuedWheneverItsWriterIsKilled) {
  open();
  std::int64_t last = -1;
  std::size_t most = 0;
  for (int kills = 0; kills < 40; ++kills) {
    const pid_t writer = ::fork();
    if (writer == 0) append_for_ever(path_, last);
    std::this_thread::sleep_for(std::chrono::milliseconds(3 * kills));
    ::kill(writer, SIGKILL);
    int status = 0;
    ::waitpid(writer, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "it ended by itself";
    const auto steps = steps_in(path_);
    ASSERT_EQ(steps, count_up_to(static_cast<std::int64_t>(steps.size()) - 1)) << "after kill " << kills;
    most = std::max(most, steps.size());
    const std::size_t kept = kills % 4 == 3 ? steps.size() / 2 : steps.size();  // up to a checkpoint
    last = static_cast<std::int64_t>(kept) - 1;
  }
  EXPECT_GT(most, 2u * StatisticsFile::least_room) << "its room was never used up";
}

TEST_F(AStatisticsFile, OnAFullDiskStaysAsItIsAndTakesTheRowsLater) {
  auto file = open();
  for (std::int64_t step = 0; step < StatisticsFile::least_room; ++step) append(file, step);
  {
    const FileSizeLimit full(std::filesystem::file_size(path_));
    try {
      append(file, StatisticsFile::least_room);
      ADD_FAILURE() << "it found room";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("cannot write " + path_), HasSubstr("File too large")));
    }
    EXPECT_TRUE(file.has_waiting());
    EXPECT_EQ(steps_in(path_), count_up_to(StatisticsFile::least_room - 1));
  }
  append(file, StatisticsFile::least_room + 1);
  EXPECT_EQ(steps_in(path_), count_up_to(StatisticsFile::least_room + 1));
}

TEST_F(AStatisticsFile, KeepsOnlySoMuchThatWaitsForRoomAndDoesNotForgetThatRowsAreLost) {
  const std::vector<double> places(StatisticsFile::most_waiting_bytes / 8 / 4, 0.5);  // four rows would wait
  StatisticsFile file(path_, head, {group_of({"density"}, places)});
  const std::vector<double> row(places.size(), 2);
  {
    const FileSizeLimit full(0);
    for (std::int64_t step = 0; step < 6; ++step)
      EXPECT_THROW(file.append(0, step, 0.5 * static_cast<double>(step), row), Error);
  }
  file.write_waiting();
  auto steps = integers(path_, "step");
  steps.resize(integers(path_, "rows")[0]);
  EXPECT_THAT(steps, testing::ElementsAre(2, 3, 4, 5));
  EXPECT_TRUE(file.has_waiting()) << "rows are missing for good";
}

TEST_F(AStatisticsFile, HasNoNumbersOfWhatWasNotMeasuredThen) {
  {
    auto file = open();
    append(file, 0);
  }
  auto file = open(0, {"pressure", "density"});
  append(file, 1);
  const auto pressure = doubles(path_, "pressure"), f = doubles(path_, "f"),
             density = doubles(path_, "density");
  EXPECT_TRUE(std::isnan(pressure[0]));
  EXPECT_EQ(pressure[2], number_of(0, 1, 0));
  EXPECT_EQ(f[0], number_of(1, 0, 0));
  EXPECT_TRUE(std::isnan(f[2]));
  EXPECT_EQ(density[0], number_of(0, 0, 0));
  EXPECT_EQ(density[2], number_of(1, 1, 0));
}

TEST_F(AStatisticsFile, OfOtherPlacesIsRefusedAndLeftAsItIs) {
  {
    auto file = open();
    append(file, 0);
  }
  const std::string before = text_of(path_);
  EXPECT_THAT(
      message_of_opening(group_of({"density"}, {0.1, 0.2, 0.3})),
      AllOf(HasSubstr(path_ + " cannot be continued"), HasSubstr("another z"), HasSubstr("move it away")));
  EXPECT_TRUE(text_of(path_) == before);
  std::ofstream(path_) << "oops";
  EXPECT_THAT(message_of_opening(group_of({"density"})), HasSubstr("move it away"));
  EXPECT_EQ(text_of(path_), "oops");
}

}  // namespace
}  // namespace tayra
