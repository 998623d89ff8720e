// Tests of `tayra bench step` on grids that take no time: what it prints and writes, and what it refuses.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <yaml-cpp/yaml.h>

#include <filesystem>

#include "app/tayra_process.hpp"
#include "solver/simulation.hpp"

namespace tayra {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class BenchStep : public testing::Test {
 protected:
  ProcessEnd bench(std::vector<std::string> options) {
    const std::vector<std::string> tiny{"bench", "step", "--steps", "2", "--repeats", "3"};
    options.insert(options.begin(), tiny.begin(), tiny.end());
    return run_tayra(options, folder_.path());
  }
  std::string file(const std::string& name) { return text_of(folder_.path(name)); }

  TemporaryDirectory folder_;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST_F(BenchStep, PrintsARowForEveryCombinationAndWritesThemAsCsvAndJson) {
  const ProcessEnd end =
      bench({"--scheme", "roe3,muscl", "--precision", "single", "--positivity", "on,off", "--cells", "8x6x10",
             "--device", "cpu", "--slabs", "2", "--csv", "a.csv", "--json", "a.json"});
  ASSERT_EQ(end.code, 0) << end.errors;
  for (const char* column : {"scheme", "precision", "positivity", "grid", "ms/step", "cell-steps/s",
                             "B/cell-step", "GB/s", "of bound", "copy bandwidth"})
    EXPECT_THAT(end.output, HasSubstr(column));
  EXPECT_THAT(end.output,
              AllOf(HasSubstr("roe3"), HasSubstr("muscl"), HasSubstr("8x6x10"), HasSubstr("160")));

  const auto csv = lines_of(file("a.csv"));
  ASSERT_EQ(csv.size(), 5u);
  EXPECT_THAT(csv[0], StartsWith("scheme,precision,positivity,nx,ny,nz,slabs,ms_per_step,"));
  EXPECT_THAT(csv[1], StartsWith("roe3,single,true,8,6,10,2,"));
  EXPECT_THAT(csv[4], StartsWith("muscl,single,false,8,6,10,2,"));
}

TEST_F(BenchStep, WritesJsonWhoseFiguresAgreeWithEachOther) {
  const ProcessEnd end = bench({"--scheme", "upwind3", "--precision", "double", "--cells", "8", "--device",
                                "cpu", "--json", "a.json", "--csv", "a.csv"});
  ASSERT_EQ(end.code, 0) << end.errors;
  const YAML::Node json = YAML::Load(file("a.json"));  // JSON is YAML
  ASSERT_EQ(json["rows"].size(), 1u);
  const YAML::Node row = json["rows"][0];
  const double rate = row["cell_steps_per_second"].as<double>();
  EXPECT_NEAR(rate * row["ms_per_step"].as<double>(), 1e3 * 8 * 8 * 8, 1e-6 * 512e3);
  EXPECT_EQ(row["bytes_per_cell_step"].as<int>(), 320);
  EXPECT_NEAR(row["share_of_bound"].as<double>(), 320e-9 * rate / row["copy_gb_per_second"].as<double>(),
              1e-6);
  EXPECT_LE(row["ms_per_step_least"].as<double>(), row["ms_per_step"].as<double>());
  EXPECT_LE(row["ms_per_step"].as<double>(), row["ms_per_step_most"].as<double>());
  EXPECT_NEAR(row["gb_per_second"].as<double>(), 320e-9 * rate, 1e-6 * 320e-9 * rate);

  const auto number_behind = [&](const std::string& words) {
    return std::stod(end.output.substr(end.output.find(words) + words.size()));
  };
  const double copy = row["copy_gb_per_second"].as<double>();
  EXPECT_NEAR(number_behind("copy bandwidth "), copy, 1e-3 * copy);
  const auto printed = end.output.substr(0, end.output.rfind(" %"));
  EXPECT_NEAR(std::stod(printed.substr(printed.rfind(' '))), 100 * row["share_of_bound"].as<double>(), 0.051);

  const auto csv = lines_of(file("a.csv"));
  std::istringstream names(csv.at(0)), numbers(csv.at(1));
  int compared = 0;
  for (std::string name, number; std::getline(names, name, ',') && std::getline(numbers, number, ',');) {
    if (!name.starts_with("ms_") && !name.ends_with("_second") && name != "share_of_bound") continue;
    const double here = std::stod(number), there = row[name].as<double>();
    EXPECT_NEAR(here, there, 1e-5 * there + 1e-4 * (name == "share_of_bound")) << name;
    ++compared;
  }
  EXPECT_EQ(compared, 7);
}

TEST_F(BenchStep, MakesTheFoldersOfItsFiles) {
  const ProcessEnd end = bench({"--scheme", "upwind3", "--precision", "double", "--cells", "8", "--device",
                                "cpu", "--json", "new/a/a.json", "--csv", "new/b/a.csv"});
  ASSERT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(file("new/a/a.json"), HasSubstr("\"rows\""));
  EXPECT_THAT(file("new/b/a.csv"), StartsWith("scheme,"));
}

TEST_F(BenchStep, MakesNoFolderForAFileThatHasNoName) {
  const auto with_json = [&](const char* name) {
    return bench({"--scheme", "upwind3", "--cells", "8", "--device", "cpu", "--json", name});
  };
  EXPECT_THAT(with_json("new/a/").errors, HasSubstr("--json new/a/: is a folder: name a file"));
  EXPECT_THAT(with_json("-").errors, HasSubstr("--json -: name a file"));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  std::filesystem::create_symlink("loop", folder_.path("loop"));
  EXPECT_THAT(with_json("loop").errors, HasSubstr("--json loop: can't be used ("));
}

TEST_F(BenchStep, SkipsAGridThatDoesNotFitAndSaysSo) {
  const ProcessEnd end = bench({"--scheme", "roe3", "--precision", "double", "--cells", "60000,8", "--device",
                                "cpu", "--json", "a.json"});
  ASSERT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(end.output, HasSubstr("60000x60000x60000  skipped: needs "));
  const YAML::Node json = YAML::Load(file("a.json"));
  EXPECT_EQ(json["rows"].size(), 1u);
  EXPECT_EQ(json["skipped"].size(), 1u);
}

TEST_F(BenchStep, MistakesGetOneClearMessageAndExitCodeTwo) {
  const std::string schemes = fmt::format("{}", fmt::join(scheme_names(), ", "));
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes{
      {{"--scheme", "reo3"}, "--scheme reo3: did you mean 'roe3'? expected " + schemes + ", all"},
      {{"--precision", "duoble"}, "did you mean 'double'?"},
      {{"--positivity", "maybe"}, "expected on, off"},
      {{"--device", "gpu"}, "expected auto, cpu, cuda"},
      {{"--cells", "12x"}, "--cells 12x: expected a whole number"},
      {{"--cells", "8x8"}, "expected one number or three"},
      {{"--cells", "3"}, "4 to 65536"},
      {{"--cells", "8", "--slabs", "5"}, "expected at most 4"},
      {{"--steps", "0"}, "see tayra bench step --help"},
      {{"--shceme", "roe3"}, "did you mean '--scheme'?"},
      {{"--csv", "text/a.csv"},
       "--csv text/a.csv: its folder can't be made (Not a directory): name another file"},
      {{"--json", "text/b/a.json"}, "--json text/b/a.json: its folder can't be made (Not a directory): "},
      {{"--json", "pipe"}, "--json pipe: is no ordinary file: name another"}};
  write_file(folder_.path("text"), "mine");
  ASSERT_EQ(mkfifo(folder_.path("pipe").c_str(), 0600), 0);
  for (const auto& [options, says] : mistakes) {
    const ProcessEnd end = bench(options);
    EXPECT_EQ(end.code, 2) << says;
    EXPECT_THAT(end.errors, AllOf(StartsWith("tayra: "), HasSubstr(says)));
    EXPECT_EQ(end.output, "");
  }
}

}  // namespace
}  // namespace tayra
