// Benchmarks that sweep over many cases, on sizes that take no time: what they write, refuse, and go on from.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "app/tayra_process.hpp"
#include "core/device.hpp"
#include "grid/ranks.hpp"
#include "io/json.hpp"

namespace tayra {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class BenchSweeps : public testing::Test {
 protected:
  ProcessEnd bench(std::vector<std::string> words) {
    words.insert(words.begin(), "bench");
    return run_tayra(words, folder_.path());
  }
  ProcessEnd scaling(const std::string& cells, const std::string& steps, std::vector<std::string> more) {
    more.insert(more.begin(), {"scaling", "--device", "cpu", "--cells", cells, "--slabs", "1,2", "--halo",
                               "host", "--steps", steps, "--repeats", "2", "--json", "a.json"});
    return bench(more);
  }
  static bool can_start_ranks() {
    return built_with_mpi() && std::system("mpirun --version > /dev/null 2>&1") == 0;
  }
  std::vector<Json> rows() { return read_json_file(folder_.path("a.json")).find("rows")->elements(); }

  TemporaryDirectory folder_;
};

TEST_F(BenchSweeps, AScalingThatWasCutShortGoesOnWithWhatIsMissing) {
  ASSERT_EQ(scaling("8", "2", {}).code, 0);
  const auto before = rows();
  ASSERT_EQ(before.size(), 2u);
  const ProcessEnd end = scaling("8,12", "2", {"--resume"});
  ASSERT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(end.output, AllOf(Not(HasSubstr("8x8x8")),
                                HasSubstr("a.json already has 2 rows, which are not measured again")));
  const auto after = rows();
  ASSERT_EQ(after.size(), 4u);
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(after[i].text(), before[i].text());
}

TEST_F(BenchSweeps, AScalingOfEqualSlabsStacksThemAndPrintsWhatItWrites) {
  const ProcessEnd end = bench({"scaling", "--device", "cpu", "--cells-each", "8x6x4", "--slabs", "1,3",
                                "--halo", "host", "--steps", "2", "--repeats", "2", "--json", "a.json"});
  ASSERT_EQ(end.code, 0) << end.errors;
  ASSERT_EQ(rows().size(), 2u);
  EXPECT_EQ(rows()[0].find("cells")->text(), "[8, 6, 4]");
  const Json row = rows()[1];
  EXPECT_EQ(row.find("cells")->text(), "[8, 6, 12]");
  EXPECT_EQ(row.find("slabs")->text(), "3");
  const std::string grid = "8x6x12";
  std::istringstream printed(end.output.substr(end.output.find(grid) + grid.size()));
  std::string slabs, cut, halo;
  printed >> slabs >> cut >> halo;
  for (const char* column : {"ms_per_step", "ms_per_step_least", "-", "ms_per_step_most", "compute_ms",
                             "comm_ms", "exposed_ms", "cell_steps_per_second"}) {
    std::string number;
    printed >> number;
    if (number == "-") continue;
    const double written = std::stod(row.find(column)->text());
    EXPECT_NEAR(std::stod(number), written, 0.01 * written) << column;
  }
}

TEST_F(BenchSweeps, AScalingCutsBoxesAlongYWhereBlocksFit) {
  const auto cut = [&](const std::string& cells, const std::string& cuts) {
    return bench({"scaling", "--device", "cpu", "--cells", cells, "--slabs", "1,4", "--cut-y", cuts, "--halo",
                  "host", "--steps", "2", "--repeats", "2", "--json", "a.json"});
  };
  ASSERT_EQ(cut("8x16x8", "1,2,4").code, 0);
  std::string found;
  for (const Json& row : rows()) found += row.find("slabs")->text() + "/" + row.find("cut_y")->text() + " ";
  EXPECT_EQ(found, "1/1 4/1 4/2 4/4 ");
  // One above the other: three pairs of neighbours. Side by side: four, as y is periodic, and faces half as
  // large.
  const double planes = std::stod(rows()[1].find("bytes_sent")->text());
  EXPECT_EQ(std::stod(rows()[3].find("bytes_sent")->text()), planes / 3 * 4 / 2);
  EXPECT_THAT(cut("8", "3").errors, HasSubstr("--cut-y 3: no box can be cut so"));
}

TEST_F(BenchSweeps, AScalingGoesUpToFourSlabsOfAProcessorAndSaysWhatItSkips) {
  const ProcessEnd end = bench({"scaling", "--device", "cpu", "--cells", "8", "--halo", "host,direct",
                                "--steps", "2", "--repeats", "2", "--json", "a.json"});
  ASSERT_EQ(end.code, 0) << end.errors;
  std::string slabs;
  for (const Json& row : rows()) slabs += row.find("slabs")->text() + " ";
  EXPECT_EQ(slabs, "1 2 4 ");
  const auto skipped = read_json_file(folder_.path("a.json")).find("skipped")->elements();
  ASSERT_EQ(skipped.size(), 2u);
  EXPECT_EQ(skipped[0].find("halo")->text(), "\"direct\"");
  EXPECT_THAT(skipped[0].find("reason")->text(), HasSubstr("halo backend direct is not available"));
}

TEST_F(BenchSweeps, AScalingOfRanksCountsTheSlabsOfAll) {
  if (!can_start_ranks()) GTEST_SKIP() << "no MPI";
  const ProcessEnd end = run_ranks(2,
                                   {"bench", "scaling", "--device", "cpu", "--cells", "8", "--slabs", "2",
                                    "--halo", "mpi", "--steps", "2", "--repeats", "2", "--json", "a.json"},
                                   folder_.path());
  ASSERT_EQ(end.code, 0) << end.errors;
  EXPECT_EQ(rows().at(0).find("slabs")->text(), "4");
  EXPECT_THAT(text_of(folder_.path("a.json")), HasSubstr("\"ranks\": 2,"));
}

TEST_F(BenchSweeps, MoreSlabsOfRanksThanPlanesAllowAreRefused) {
  if (!can_start_ranks()) GTEST_SKIP() << "no MPI";
  const ProcessEnd end =
      run_ranks(3, {"bench", "scaling", "--device", "cpu", "--cells", "8", "--slabs", "2"}, folder_.path());
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, HasSubstr("--slabs 2: on each of 3 ranks; expected at most 4 in all, two planes "
                                    "each, for 8 cells along z"));
}

TEST_F(BenchSweeps, RanksOfOtherCommandsAreCaughtAtTheStart) {
  if (!can_start_ranks()) GTEST_SKIP() << "no MPI";
  for (const std::string other : {"info", "bench step"}) {
    const ProcessEnd end =
        run_two_ranks(TAYRA_BINARY " bench scaling --cells 8", TAYRA_BINARY " " + other, folder_.path());
    EXPECT_EQ(end.code, 2);
    EXPECT_THAT(end.errors, HasSubstr("rank 1 was started as 'tayra " + other +
                                      "', rank 0 as 'tayra bench scaling': start all ranks with the same"));
  }
}

TEST_F(BenchSweeps, ASweepThatIsKilledHasLeftWhatItMeasured) {
  const TayraProcess sweep({"bench", "cadence", "--device", "cpu", "--slabs", "2", "--bytes", "1KiB",
                            "--interval", "0.01,300", "--seconds", "0.1", "--json", "a.json"},
                           folder_.path());
  const auto has_second_row = [&] {
    return text_of(folder_.path("a.json")).find("\"interval_ms\": 300") != std::string::npos;
  };
  wait_until(has_second_row, sweep, "the second row");
  sweep.send(SIGKILL);
  EXPECT_EQ(sweep.wait().code, -SIGKILL) << "it should have been on its way";
  EXPECT_EQ(rows().size(), 2u);
}

TEST_F(BenchSweeps, AScalingMeasuredOtherwiseIsNotGoneOnWith) {
  ASSERT_EQ(scaling("8", "2", {}).code, 0);
  const ProcessEnd end = scaling("8", "3", {"--resume"});
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, HasSubstr("a.json was measured with 'steps' 2, which is now 3"));
}

TEST_F(BenchSweeps, AFileThatIsNoJsonIsNotGoneOnWith) {
  write_file(folder_.path("a.json"), "{\"rows\": [");
  const ProcessEnd end = scaling("8", "2", {"--resume"});
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, HasSubstr("a.json can't be read as JSON"));
}

TEST_F(BenchSweeps, NoFileOfAnotherKindIsReplaced) {
  for (const char* other : {R"({"benchmark": "step", "rows": []})", "my notes"}) {
    write_file(folder_.path("a.json"), other);
    const ProcessEnd end = scaling("8", "2", {});
    EXPECT_EQ(end.code, 2);
    EXPECT_THAT(end.errors, HasSubstr("--json a.json: exists and is not a file of bench scaling"));
    EXPECT_EQ(text_of(folder_.path("a.json")), other);
  }
  const std::vector<std::string> step{"step",     "--device",  "cpu",         "--cells", "8",
                                      "--scheme", "muscl",     "--precision", "single",  "--steps",
                                      "2",        "--repeats", "2",           "--json",  "b.json"};
  ASSERT_EQ(bench(step).code, 0);
  EXPECT_EQ(bench(step).code, 0) << "its own is";
  EXPECT_EQ(bench({"step", "--device", "cpu", "--cells", "8", "--json", "."}).code, 2);
}

TEST_F(BenchSweeps, NoTableOfAnotherKindIsReplaced) {
  for (const char* other : {"step,time,mass\n0,0,1\n", "my notes", "\nmy notes\n"}) {
    write_file(folder_.path("a.csv"), other);
    const ProcessEnd end = scaling("8", "2", {"--csv", "a.csv"});
    EXPECT_EQ(end.code, 2);
    EXPECT_THAT(end.errors, HasSubstr("--csv a.csv: exists and is not a table of a benchmark: name another"));
    EXPECT_EQ(text_of(folder_.path("a.csv")), other);
    EXPECT_FALSE(std::filesystem::exists(folder_.path("a.json"))) << "refused before it measures";
  }
  for (const char* own : {"", "\n", "scheme,nx,ny,nz,ms_per_step,ms_per_step_least,ms_per_step_most\n"}) {
    write_file(folder_.path("a.csv"), own);
    const ProcessEnd end = scaling("8", "2", {"--csv", "a.csv"});
    EXPECT_EQ(end.code, 0) << end.errors;
    EXPECT_THAT(text_of(folder_.path("a.csv")), HasSubstr("ms_per_step_most,"));
  }
}

TEST_F(BenchSweeps, TheTableIsNotWrittenOverTheRestOfTheResults) {
  std::filesystem::create_directory_symlink(".", folder_.path("here"));
  for (const char* same : {"a.json", "./a.json", "here/a.json"}) {
    const ProcessEnd end = scaling("8", "2", {"--csv", same});
    EXPECT_EQ(end.code, 2);
    EXPECT_THAT(end.errors,
                HasSubstr(std::string("--csv ") + same + ": is the file of --json: name another"));
  }
}

TEST_F(BenchSweeps, HalosOfAConfigWantTwoPlanesASlab) {
  write_file(folder_.path("c.yaml"),
             "problem: {name: rt_multi, modes: [1, 2]}\ngrid: {cells: [8, 8, 10]}\nrun: {steps: 1}\n");
  const ProcessEnd end = bench({"halo", "c.yaml", "--device", "cpu", "--slabs", "8", "--repeats", "2"});
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, HasSubstr("expected at most 5, two planes each, for 10 cells along z"));
}

TEST_F(BenchSweeps, TransfersCoverSizesBlocksPairsAndDirections) {
  const ProcessEnd end = bench({"transfer", "--device", "cpu", "--slabs", "4", "--most", "4KiB", "--way",
                                "host", "--repeats", "2", "--json", "a.json"});
  ASSERT_EQ(end.code, 0) << end.errors;
  ASSERT_EQ(rows().size(), 3u * 2 * 2 * 2);  // sizes, blocks, 1 or 3 pairs, directions
  for (const Json& row : rows()) {
    const double us = std::stod(row.find("us_per_transfer")->text());
    const double bytes = std::stod(row.find("bytes")->text());
    EXPECT_NEAR(std::stod(row.find("gb_per_second")->text()), 1e-3 * bytes / us, 1e-6 * bytes / us);
  }
}

TEST_F(BenchSweeps, EveryBenchmarkLeavesItsRowsAsATable) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"scaling", "--cells", "8", "--slabs", "1,2", "--halo", "host", "--steps", "2"},
           {"halo", "--cells", "8", "--slabs", "2", "--halo", "host"},
           {"transfer", "--slabs", "2", "--most", "2KiB", "--way", "host"},
           {"cadence", "--slabs", "2", "--interval", "0.01", "--seconds", "0.01"},
           {"overheads", "--most", "1KiB"}}) {
    std::vector<std::string> all = words;
    for (const char* word : {"--device", "cpu", "--repeats", "2", "--json", "a.json", "--csv", "a.csv"})
      all.push_back(word);
    std::filesystem::remove(folder_.path("a.json"));
    const ProcessEnd end = bench(all);
    ASSERT_EQ(end.code, 0) << words[0] << end.errors;
    std::istringstream table(text_of(folder_.path("a.csv")));
    std::vector<std::string> lines;
    for (std::string line; std::getline(table, line);) lines.push_back(line);
    ASSERT_EQ(lines.size(), 1 + rows().size()) << words[0];
    for (const std::string& line : lines)
      EXPECT_EQ(std::count(line.begin(), line.end(), ','), std::count(lines[0].begin(), lines[0].end(), ','))
          << line;
    const auto us = lines[0].find("us_per_");
    if (us == std::string::npos) continue;
    const auto column = std::count(lines[0].begin(), lines[0].begin() + static_cast<std::ptrdiff_t>(us), ',');
    std::istringstream first(lines[1]);
    std::string cell;
    for (auto i = column; i >= 0; --i) std::getline(first, cell, ',');
    const std::string name = lines[0].substr(us, lines[0].find(',', us) - us);
    EXPECT_EQ(cell, rows()[0].find(name)->text()) << words[0];
  }
}

TEST_F(BenchSweeps, TransfersAfterAPauseAreTimedInMicroseconds) {
  const ProcessEnd end = bench({"cadence", "--device", "cpu", "--slabs", "2", "--bytes", "32MiB",
                                "--interval", "0.01", "--repeats", "3", "--json", "a.json"});
  ASSERT_EQ(end.code, 0) << end.errors;
  ASSERT_EQ(rows().size(), 1u);
  constexpr double bytes_per_microsecond = 1e6;  // more than any processor copies
  EXPECT_GT(std::stod(rows()[0].find("us_per_transfer")->text()), (32 << 20) / bytes_per_microsecond);
}

TEST_F(BenchSweeps, TheFastestHaloIsTheOneWithTheLeastTime) {
  if (!can_start_ranks()) GTEST_SKIP() << "no MPI";
  const ProcessEnd end = run_ranks(2,
                                   {"bench", "halo", "--device", "cpu", "--slabs", "1", "--cells", "8",
                                    "--repeats", "2", "--json", "a.json"},
                                   folder_.path());
  ASSERT_EQ(end.code, 0) << end.errors;
  ASSERT_GE(rows().size(), 2u);
  const auto time_of = [](const Json& row) { return std::stod(row.find("us_per_exchange")->text()); };
  const auto all = rows();
  const auto fastest = std::min_element(all.begin(), all.end(), [&](const Json& one, const Json& other) {
    return time_of(one) < time_of(other);
  });
  std::string name = fastest->find("halo")->text();
  std::erase(name, '"');
  EXPECT_THAT(end.output, HasSubstr("faces from 5 KiB: " + name + " is fastest\n"));
}

TEST_F(BenchSweeps, OverheadsOfCopiesGrowFourfoldAndTellTheirRate) {
  const ProcessEnd end =
      bench({"overheads", "--device", "cpu", "--most", "5KiB", "--repeats", "2", "--json", "a.json"});
  ASSERT_EQ(end.code, 0) << end.errors;
  std::vector<std::string> sizes;
  for (const Json& row : rows()) {
    if (row.find("variant")->text() != "\"memory reused\"") continue;
    sizes.push_back(row.find("bytes")->text());
    const std::string size = sizes.back() == "1024" ? "1 KiB" : "4 KiB";
    const auto at = end.output.find(size, end.output.find("memory reused"));
    const std::string line = end.output.substr(at, end.output.find('\n', at) - at);
    const double rate = 1e-3 * std::stod(sizes.back()) / std::stod(row.find("us_per_call")->text());
    EXPECT_NEAR(std::stod(line.substr(line.rfind(' '))), rate, 0.01 * rate);
  }
  EXPECT_THAT(sizes, testing::ElementsAre("1024", "4096"));
}

TEST_F(BenchSweeps, AConfigsOwnExchangeIsTimed) {
  write_file(folder_.path("c.yaml"),
             "problem: {name: rt_single}\ngrid: {cells: [8, 12, 16]}\nrun: {steps: 1}\n");
  const ProcessEnd end =
      bench({"halo", "c.yaml", "--device", "cpu", "--slabs", "2", "--repeats", "2", "--json", "a.json"});
  ASSERT_EQ(end.code, 0) << end.errors;
  ASSERT_EQ(rows().size(), 1u);
  EXPECT_EQ(rows()[0].find("face_bytes")->text(), std::to_string(2 * 5 * 8 * 12 * 8));
  EXPECT_NE(rows()[0].find("exposed_share"), nullptr);
  const double rate = 1e-3 * 2 * 5 * 8 * 12 * 8 / std::stod(rows()[0].find("us_per_exchange")->text());
  EXPECT_NEAR(std::stod(rows()[0].find("gb_per_second")->text()), rate, 1e-6 * rate);
}

// How a config's run would be cut is not what is asked for.
TEST_F(BenchSweeps, AConfigsExchangeIsThatOfSlabsAlongTheAxisAskedForHoweverItsRunIsCut) {
  write_file(folder_.path("c.yaml"),
             "problem: {name: blast}\ngrid: {cells: [8, 64, 16]}\nrun: {steps: 1, slabs: 4, cut_y: 2}\n"
             "output: {statistics: {every_steps: 1}}\n");
  for (const auto& [axis, bytes] : {std::pair{"z", 2 * 5 * 8 * 64 * 8}, {"y", 2 * 5 * 8 * 16 * 8}}) {
    std::filesystem::remove(folder_.path("a.json"));
    const ProcessEnd end = bench({"halo", "c.yaml", "--device", "cpu", "--slabs", "4", "--repeats", "2",
                                  "--axis", axis, "--json", "a.json"});
    ASSERT_EQ(end.code, 0) << end.errors;
    ASSERT_EQ(rows().size(), 1u);
    EXPECT_EQ(rows()[0].find("axis")->text(), "\"" + std::string(axis) + "\"");
    EXPECT_EQ(rows()[0].find("face_bytes")->text(), std::to_string(bytes));
  }
}

TEST_F(BenchSweeps, HelpTellsByExamplesHowToWriteASize) {
  const ProcessEnd end = bench({"transfer", "--help"});
  EXPECT_EQ(end.code, 0);
  EXPECT_THAT(end.output,
              AllOf(HasSubstr("--least SIZE "), HasSubstr("for example 64k or 16M; default: 1 KiB")));
}

TEST_F(BenchSweeps, AMissingOrUnknownBenchmarkGetsTheKnownOnes) {
  const std::string known =
      "known: cadence, halo, overheads, scaling, step, transfer; see tayra bench --help\n";
  for (const auto& words : std::vector<std::vector<std::string>>{{}, {"--json"}}) {
    const ProcessEnd end = bench(words);
    EXPECT_EQ(end.code, 2);
    EXPECT_EQ(end.errors, "tayra: tayra bench needs a command; " + known);
  }
  EXPECT_EQ(bench({"stepp"}).errors, "tayra: there is no 'tayra bench stepp'; did you mean 'step'? " + known);
}

TEST_F(BenchSweeps, MistakesGetOneClearMessage) {
  const std::vector<std::tuple<std::vector<std::string>, int, const char*>> mistakes{
      {{"transfer", "--device", "cpu", "--slabs", "1"}, 3, "put two slabs on it with --slabs 2"},
      {{"transfer", "--device", "cpu", "--pairs", "4"}, 2, "there are 3 pairs of neighbouring slabs"},
      {{"transfer", "--device", "cpu", "--way", "stroes"}, 2, "did you mean 'stores'?"},
      {{"transfer", "--device", "cpu", "--way", "stores"}, 3, "halo backend direct is not available"},
      {{"transfer", "--device", "cpu", "--least", "few"}, 2, "see tayra bench transfer --help"},
      {{"transfer", "--device", "cpu", "--most", "8.5"},
       2,
       "--most: found 8.5, expected a size from 8 bytes to 1T, for example 64k or 16M"},
      {{"transfer", "--device", "cpu", "--most", "4x"}, 2, "--most: found 4x, expected a size"},
      {{"transfer", "--device", "cpu", "--least", "4"}, 2, "--least: found 4, expected a size"},
      {{"transfer", "--device", "cpu", "--most", "2T"}, 2, "--most: found 2T, expected a size"},
      {{"transfer", "--device", "cpu", "--most", "010"}, 2, "--most: found 010, expected a size"},
      {{"transfer", "--device", "cpu", "--least", "4k", "--most", "2k"},
       2,
       "--least 4096 is above --most 2048"},
      {{"cadence", "--device", "cpu", "--bytes", "1001"},
       2,
       "1001 bytes can't be sent: take a multiple of 8"},
      {{"halo", "--device", "cpu", "--cells", "8", "--halo", "fast"}, 2, "--halo fast"},
      {{"halo", "--device", "cpu", "--cells", "8", "--axis", "x"}, 2, "--axis x"},
      {{"halo", "--device", "cpu", "--cells", "8", "--slabs", "3", "--axis", "y"},
       2,
       "3 slabs of at least 4 rows don't fit side by side into the 8 cells along y"},
      {{"cadence", "--device", "cpu", "--interval", "-1"},
       2,
       "--interval: found -1, expected a number above 0; see tayra bench cadence --help"},
      {{"scaling", "--device", "cpu", "--cells", "8", "--slabs", "1,2x"},
       2,
       "--slabs: found 2x, expected a whole number from 1 to 2147483647; see tayra bench scaling --help"},
      {{"scaling", "--device", "cpu", "--cells", "8", "--slabs", "0"}, 2, "--slabs: found 0, expected"},
      {{"scaling", "--device", "cpu", "--cells-each", "12x"}, 2, "--cells-each 12x: expected a whole number"},
      {{"scaling", "--device", "cpu", "--cells-each", "8x8x40000", "--slabs", "2"},
       2,
       "--cells-each 8x8x40000: expected 4 to 65536 cells along each axis, or 1 along x or y, along z for "
       "all "
       "2 slabs together"},
      {{"overheads", "--device", "cpu", "--repeats", "2.5"}, 2, "--repeats: found 2.5, expected"},
      {{"overheads", "--device", "cpu", "--repeats", "010"}, 2, "--repeats: found 010, expected"},
      {{"overheads", "--device", "cpu", "--repeats", "3000000000"}, 2, "from 1 to 2147483647"},
      {{"cadence", "--device", "cpu", "--seconds", "inf"}, 2, "--seconds: found inf, expected a number"},
      {{"scaling", "--device", "cpu", "--cells", "8", "--resume"}, 2, "--resume requires --json"}};
  for (const auto& [words, code, says] : mistakes) {
    const ProcessEnd end = bench(words);
    EXPECT_EQ(end.code, code) << end.errors;
    EXPECT_THAT(end.errors, HasSubstr(says));
  }
}

TEST_F(BenchSweeps, AGpuThatIsNotThereIsRefusedWithExitCodeThree) {
  if (!cuda_devices().empty()) GTEST_SKIP() << "there is a GPU";
  for (const char* name : {"transfer", "halo", "cadence", "overheads", "step"}) {
    const ProcessEnd end = bench({name, "--device", "cuda"});
    EXPECT_EQ(end.code, 3);
    EXPECT_THAT(end.errors, HasSubstr("no GPU to run on"));
  }
}

}  // namespace
}  // namespace tayra
