// Tests of reading a config; the mistakes that people make in one are in app/mistakes_test.cpp.
#include "io/config.hpp"

#include <gmock/gmock.h>
#include <yaml-cpp/yaml.h>

#include <regex>
#include <sstream>
#include <tuple>

#include "io/config_keys.hpp"
#include "io/temporary_directory.hpp"

namespace tayra {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::UnorderedElementsAre;

const std::string shortest = "problem: {name: rt_single}\ngrid: {cells: [16, 16, 32]}\nrun: {time: 1}\n";

Config config_of(const std::string& yaml, const std::vector<Override>& overrides = {},
                 const std::string& continued = {}) {
  const TemporaryDirectory folder;
  std::ofstream(folder.path("a.yaml")) << yaml;
  return load_config(folder.path("a.yaml"), overrides, Devices::here, continued);
}

/// Of a key of the problem, as the resolved config holds it.
YAML::Node problem_value(const Config& config, const std::string& key) {
  return YAML::Load(config.resolved_yaml)["problem"][key];
}
double problem_number(const Config& config, const std::string& key) {
  return problem_value(config, key).as<double>();
}

TEST(Config, NeedsOnlyAProblemAGridAndAnEnd) {
  const Config config = config_of(shortest);
  EXPECT_EQ(config.problem, "rt_single");
  EXPECT_EQ(config.solver.grid.cells, (std::array{16, 16, 32}));
  EXPECT_EQ(config.limits.time, 1.);
  EXPECT_EQ(config.limits.steps, std::nullopt);
  EXPECT_EQ(config.solver.scheme, "muscl");
  EXPECT_EQ(config.solver.slabs, config.solver.gpus);
  EXPECT_EQ(config.output_directory, "results/rt_single");
  EXPECT_THAT(config.snapshots.fields, ElementsAre("density", "velocity", "pressure"));
  EXPECT_EQ(config.diagnostics.every_steps, 10);
}

TEST(Config, WritesACheckpointEveryQuarterOfAnHourUnlessToldWhen) {
  EXPECT_EQ(config_of(shortest).checkpoints.every_minutes, 15.);
  const Config config = config_of(shortest + "output: {checkpoints: {every_steps: 7}}\n");
  EXPECT_EQ(config.checkpoints.every_minutes, std::nullopt);
  EXPECT_EQ(config.checkpoints.every_steps, 7);
}

TEST(Config, KnowsWhichPartOfItDecidesTheFlow) {
  const Config one = config_of(shortest);
  const Config same = config_of(shortest + "output: {directory: b, diagnostics: {every_steps: 3}}\n",
                                {{"run.slabs", "2", "--slabs 2"}, {"run.time", "9", "--set run.time=9"}});
  const Config other = config_of(shortest + "numerics: {cfl: 0.3}\n");
  EXPECT_EQ(one.flow_yaml, same.flow_yaml);
  EXPECT_NE(one.flow_yaml, other.flow_yaml);
}

TEST(Config, TakesGravityAndBoundariesThatSuitTheProblem) {
  const Config heavy = config_of(shortest);
  EXPECT_EQ(heavy.solver.gravity, -1);
  EXPECT_EQ(heavy.solver.grid.boundary,
            (std::array{Boundary::periodic, Boundary::periodic, Boundary::mirror}));
  const Config free = config_of("problem: {name: vortex}\ngrid: {cells: [8, 8, 8]}\nrun: {steps: 1}\n");
  EXPECT_EQ(free.solver.gravity, 0);
  EXPECT_EQ(free.solver.grid.boundary,
            (std::array{Boundary::periodic, Boundary::periodic, Boundary::periodic}));
}

TEST(Config, TakesGravityThatVariesAsAFormulaOrATableAndStartsUnderThatOfTimeZero) {
  const auto with = [](const std::string& gravity) {
    return config_of(shortest + "physics: {gravity: " + gravity + "}\n");
  };
  const Config formula = with("-2 + cos(4 * t)"), table = with("[[0, -1], [2, -3.5], [2, +4]]");
  EXPECT_EQ(formula.solver.gravity, -1);
  EXPECT_EQ(formula.solver.gravity_course.formula, "-2 + cos(4 * t)");
  EXPECT_EQ(table.solver.gravity, -1);
  EXPECT_EQ(table.solver.gravity_course.table,
            (std::vector<std::pair<double, double>>{{0, -1}, {2, -3.5}, {2, 4}}));
  for (const Config* config : {&formula, &table}) {
    const Config again = config_of(config->resolved_yaml);
    EXPECT_EQ(again.resolved_yaml, config->resolved_yaml);
    EXPECT_EQ(again.solver.gravity_course.formula, config->solver.gravity_course.formula);
    EXPECT_EQ(again.solver.gravity_course.table, config->solver.gravity_course.table);
  }
  EXPECT_FALSE(with("-2").solver.gravity_course.varies());
  EXPECT_EQ(problem_number(with("-2 + cos(4 * t)"), "pressure"), problem_number(with("-1"), "pressure"))
      << "defaults follow from gravity at t = 0";
}

TEST(Config, KnowsWhichGravityARunMayGoOnWith) {
  const auto with = [](const std::string& gravity, const std::string& more = "") {
    return config_of(shortest + "physics: {gravity: " + gravity + more + "}\n");
  };
  const Config constant = with("-1");
  EXPECT_TRUE(gravity_changes(constant.flow_yaml, with("[[0, -1], [1, -1], [1, 2]]")));
  EXPECT_TRUE(gravity_changes(with("-cos(t)").flow_yaml, with("-1 - t")));
  EXPECT_FALSE(gravity_changes(constant.flow_yaml, constant)) << "nothing changes";
  EXPECT_FALSE(gravity_changes(constant.flow_yaml, with("[[0, -2], [1, 0]]"))) << "another background";
  EXPECT_FALSE(gravity_changes(with("-1 - t").flow_yaml, constant)) << "it has not been constant";
  EXPECT_FALSE(gravity_changes(constant.flow_yaml, with("-cos(t)", ", gamma: 1.5"))) << "something else, too";
}

TEST(Config, KeepsAnAutomaticCutForTheNextAttemptAndStandsOnTheLikelyOne) {
  const auto with = [](const char* cut) {
    return config_of(std::string("problem: {name: blast}\ngrid: {cells: [8, 64, 4]}\nrun: {steps: 1, ") +
                     "device: cpu, slabs: 2" + cut + "}\n");
  };
  const Config config = with(", cut_y: auto");
  EXPECT_FALSE(config.cut_y.has_value());
  EXPECT_EQ(config.solver.cut_y, 2);
  EXPECT_THAT(config.resolved_yaml, HasSubstr("cut_y: auto\n"));
  EXPECT_EQ(config_of(config.resolved_yaml).resolved_yaml, config.resolved_yaml);
  EXPECT_EQ(with("").solver.cut_y, 1);
}

TEST(Config, TakesAnEmptyListOfScalarsForNone) {
  EXPECT_EQ(config_of(shortest + "physics: {scalars: []}\n").resolved_yaml,
            config_of(shortest).resolved_yaml);
}

TEST(Config, TakesAnAxisOfOneCellForPeriodicAndWithoutWaves) {
  const auto with_cells = [](const std::string& problem, const std::string& cells) {
    return config_of("problem: {name: " + problem + "}\ngrid: {cells: " + cells + "}\nrun: {steps: 1}\n");
  };
  const auto modes = [](const Config& config, const char* key) {
    return problem_value(config, key).as<std::vector<int>>();
  };
  EXPECT_THAT(modes(with_cells("rt_single", "[16, 1, 32]"), "modes"), ElementsAre(1, 0));
  EXPECT_THAT(modes(with_cells("rt_single", "[1, 16, 32]"), "modes"), ElementsAre(0, 1));
  EXPECT_THAT(modes(with_cells("entropy_wave", "[1, 1, 32]"), "direction"), ElementsAre(0, 0, 1));
  EXPECT_EQ(with_cells("blast", "[16, 1, 32]").solver.grid.boundary,
            (std::array{Boundary::outflow, Boundary::periodic, Boundary::outflow}));
}

TEST(Config, TakesAKeyByItsOldNameAndSaysWhatItIsCalled) {
  const Config config =
      config_of("problem: {name: rt_single}\ngrid: {cells: [8, 8, 16]}\nrun: {steps: 1, patience: 7}\n");
  EXPECT_EQ(config.solver.timeout, 7);
  EXPECT_THAT(config.renamed,
              testing::ElementsAre(testing::EndsWith("a.yaml:3: run.patience is called run.timeout today")));
}

TEST(Config, ReadsEveryKey) {
  const Config config = config_of(R"(
problem: {name: rt_multi, atwood: 0.25}
grid:
  cells: [8, 12, 1e1]
  lower: [-1, 0, +0.5]
  upper: [1, 2.5, 3]
  boundary: {x: outflow, y: periodic, z: mirror}
physics: {gamma: 1.4, gravity: -2, scalars: [fraction]}
numerics: {scheme: weno3, cfl: 0.25, dt: 1e-3, precision: single, positivity: true}
run: {time: 2, steps: 1e3, wall_minutes: 30, device: cpu, gpus: 1, slabs: 3, cut_y: 1, halo: host,
      timeout: 7, audit: {every_steps: 50}}
mpi: {gpu_aware: off}
output:
  directory: 2024
  snapshots: {every_time: 0.5, every_steps: 7, fields: [pressure], precision: double, compression: deflate}
  diagnostics: {every_time: 0.25, every_steps: 9}
  statistics:
    every_time: 0.125
    every_steps: 20
    profiles: false
    spectra: {every_time: 0.75, every_steps: 200, fields: [density, fraction], layer: 0.25, heights: [1, 2]}
    pdf: {every_time: 1.5, every_steps: 300, fields: [velocity_z], bins: 32, lower: [-1], upper: [1], layer: 0.75}
  pictures: {every_seconds: 0.5, fields: [mach], slices: {x: 0.5, y: 1.5, z: 2}, projections: [z, y]}
  checkpoints: {every_steps: 100, every_minutes: 8, keep: 5}
  on_write_error: warn
  writer_memory: 3
  parts:
    plane: {every_time: 3, every_steps: 2, lower: [-1, 1, 1], upper: [1, 1, 2], stride: [1, 2, 3], fields: [mach],
            precision: double, compression: deflate, one_file: false, mean_along: none}
)");
  Config with_parts;
  with_parts.parts["plane"];
  for_each_key(config_keys(with_parts), [&](const std::string& path, const tayra::Key&) {
    EXPECT_TRUE(config.places.contains(path)) << path << " is not read here";
  });
  EXPECT_EQ(config.checkpoints.every_steps, 100);
  EXPECT_EQ(config.checkpoints.every_minutes, 8);
  EXPECT_EQ(config.checkpoints.keep, 5);
  EXPECT_EQ(config.on_write_error, OnWriteError::warn);
  EXPECT_EQ(writer_memory(config, 0), 3u << 20);
  const PictureSettings& pictures = config.pictures;
  EXPECT_EQ(pictures.every_seconds, 0.5);
  EXPECT_THAT(pictures.fields, ElementsAre("mach"));
  EXPECT_THAT(pictures.slices, ElementsAre(0.5, 1.5, 2));
  EXPECT_THAT(pictures.projections, ElementsAre("z", "y"));
  const SnapshotSettings& part = config.parts.at("plane");
  EXPECT_EQ(part.cadence.every_time, 3);
  EXPECT_EQ(part.cadence.every_steps, 2);
  EXPECT_THAT(part.fields, ElementsAre("mach"));
  EXPECT_EQ(part.precision, Precision::double_);
  EXPECT_EQ(part.lower, (Vec3{-1, 1, 1}));
  EXPECT_EQ(part.upper, (Vec3{1, 1, 2}));
  EXPECT_EQ(part.stride, (std::array{1, 2, 3}));
  EXPECT_EQ(part.compression, Compression::deflate);
  EXPECT_EQ(problem_number(config, "atwood"), 0.25);
  const SolverSettings& solver = config.solver;
  EXPECT_EQ(solver.grid.cells, (std::array{8, 12, 10}));
  EXPECT_EQ(solver.grid.lower, (Vec3{-1, 0, 0.5}));
  EXPECT_EQ(solver.grid.upper, (Vec3{1, 2.5, 3}));
  EXPECT_EQ(solver.grid.boundary, (std::array{Boundary::outflow, Boundary::periodic, Boundary::mirror}));
  EXPECT_EQ(solver.gamma, 1.4);
  EXPECT_EQ(solver.gravity, -2);
  EXPECT_EQ(solver.scheme, "weno3");
  EXPECT_EQ(solver.fixed_dt, 1e-3);
  EXPECT_EQ(solver.precision, Precision::single);
  EXPECT_TRUE(solver.positivity);
  EXPECT_EQ(solver.device, DeviceKind::cpu);
  EXPECT_EQ(solver.cfl, 0.25);
  EXPECT_EQ(solver.gpus, 1);
  EXPECT_EQ(solver.slabs, 3);
  EXPECT_EQ(solver.halo, "host");
  EXPECT_EQ(solver.timeout, 7);
  EXPECT_EQ(config.audit_every_steps, 50);
  EXPECT_EQ(solver.gpu_aware_mpi, GpuAwareMpi::off);
  EXPECT_EQ(config.limits.time, 2);
  EXPECT_EQ(config.limits.steps, 1000);
  EXPECT_EQ(config.limits.wall_minutes, 30);
  EXPECT_EQ(config.output_directory, "2024");
  EXPECT_EQ(config.snapshots.cadence.every_time, 0.5);
  EXPECT_EQ(config.snapshots.cadence.every_steps, 7);
  EXPECT_THAT(config.snapshots.fields, ElementsAre("pressure"));
  EXPECT_EQ(config.snapshots.precision, Precision::double_);
  EXPECT_EQ(config.snapshots.compression, Compression::deflate);
  EXPECT_EQ(config.diagnostics.every_time, 0.25);
  EXPECT_EQ(config.diagnostics.every_steps, 9);
  EXPECT_EQ(config.statistics.cadence.every_time, 0.125);
  EXPECT_EQ(config.statistics.cadence.every_steps, 20);
  EXPECT_FALSE(config.statistics.profiles);
  const SpectraSettings& spectra = config.statistics.spectra;
  EXPECT_EQ(spectra.cadence.every_time, 0.75);
  EXPECT_EQ(spectra.cadence.every_steps, 200);
  EXPECT_THAT(spectra.fields, ElementsAre("density", "fraction"));
  EXPECT_EQ(spectra.layer, 0.25);
  EXPECT_THAT(spectra.heights, ElementsAre(1, 2));
  const PdfSettings& pdf = config.statistics.pdf;
  EXPECT_EQ(pdf.cadence.every_time, 1.5);
  EXPECT_EQ(pdf.cadence.every_steps, 300);
  EXPECT_THAT(pdf.fields, ElementsAre("velocity_z"));
  EXPECT_EQ(pdf.bins, 32);
  EXPECT_THAT(pdf.lower, ElementsAre(-1));
  EXPECT_THAT(pdf.upper, ElementsAre(1));
  EXPECT_EQ(pdf.layer, 0.75);
}

TEST(Config, HasSpectraAsOftenAsOtherStatisticsUnlessTheyHaveTheirOwnCadence) {
  const std::string spectra = "spectra: {fields: [density], heights: [0.5]";
  EXPECT_EQ(config_of(shortest + "output: {statistics: {every_steps: 5, " + spectra + "}}}\n")
                .statistics.of_spectra()
                .every_steps,
            5);
  const Config own = config_of(shortest + "output: {statistics: {" + spectra + ", every_time: 2}}}\n");
  EXPECT_EQ(own.statistics.of_spectra().every_time, 2);
  EXPECT_FALSE(own.statistics.of_profiles().is_set());
  EXPECT_FALSE(own.statistics.of_pdf().is_set());
}

TEST(Config, WhatCannotBeMeasuredOfAFlowIsRefused) {
  const auto refusal = [](const std::string& problem, const std::string& statistics) -> std::string {
    try {
      make_problem(config_of("problem: {name: " + problem + "}\ngrid: {cells: [8, 8, 8]}\nrun: {steps: 1}\n" +
                             "output: {statistics: {" + statistics + "}}\n"));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const std::string steps = "every_steps: 5, ";
  EXPECT_EQ(
      refusal("rt_single", steps + "spectra: {fields: [heavy_fraction]}, pdf: {fields: [heavy_fraction]}"),
      "");
  for (const auto& [problem, statistics, complaint] : std::vector<std::array<std::string, 3>>{
           {"rt_single", "spectra: {fields: [density]}", "spectra.fields: no cadence"},
           {"rt_single", steps + "spectra: {fields: [density, density]}", "'density' is named twice"},
           {"entropy_wave", steps + "spectra: {fields: [density]}", "no mixing layer"},
           {"entropy_wave", steps + "spectra: {fields: [heavy_fraction], heights: [0]}", "no two fluids"},
           {"entropy_wave", steps + "pdf: {fields: [density], lower: [0], upper: [1], layer: 0.5}",
            "leave out layer"},
           {"rt_single", steps + "spectra: {fields: [density], heights: [77]}", "77 lies outside the box"},
           {"rt_single", steps + "pdf: {fields: [density]}", "pdf.lower: 'density' has no range"},
           {"rt_single", steps + "pdf: {fields: [density], lower: [1], upper: [2, 3]}", "2 for 1 fields"},
           {"rt_single", steps + "pdf: {fields: [density], lower: [1], upper: [1]}", "lower must be below"}})
    EXPECT_THAT(refusal(problem, statistics), testing::HasSubstr(complaint)) << problem << ": " << statistics;
  EXPECT_THAT(refusal("rt_single", steps + "spectra: {fields: [vorticity]}"),
              testing::HasSubstr("heavy_fraction, density, velocity_x"));
}

TEST(Config, HasNoStatisticsUnlessACadenceIsGiven) {
  EXPECT_FALSE(config_of(shortest).statistics.are_wanted());
  EXPECT_FALSE(config_of(shortest + "output: {statistics: {profiles: true}}\n").statistics.are_wanted());
  EXPECT_TRUE(config_of(shortest + "output: {statistics: {every_steps: 5}}\n").statistics.are_wanted());
}

TEST(Config, DiagnosticsInTimeHaveNoCadenceInStepsUnlessGiven) {
  const Config config = config_of(shortest + "output: {diagnostics: {every_time: 0.5}}\n");
  EXPECT_EQ(config.diagnostics.every_steps, std::nullopt);
}

TEST(Config, ResolvedReadsBackToTheSame) {
  const std::string odd =
      shortest +
      "physics: {gamma: 1.3333333333333333, gravity: -0.1}\nnumerics: {cfl: 0.30000000000000004}\n";
  for (const auto& yaml : {shortest, odd, shortest + "output: {directory: \"true: # 'odd'\"}\n"}) {
    const Config once = config_of(yaml);
    const Config twice = config_of(once.resolved_yaml);
    EXPECT_EQ(once.resolved_yaml, twice.resolved_yaml);
    EXPECT_EQ(once.solver.cfl, twice.solver.cfl);
    EXPECT_EQ(once.solver.gamma, twice.solver.gamma);
    EXPECT_EQ(once.output_directory, twice.output_directory);
  }
}

TEST(Config, ResolvedHoldsWhatFollowsFromOtherKeys) {
  const Config config = config_of(shortest, {{"grid.upper", "[1, 1, 2]", "--set"}});
  for (const std::string& yaml : {config.resolved_yaml, config.flow_yaml})
    EXPECT_THAT(yaml, AllOf(HasSubstr("  pressure: 10\n"), HasSubstr("  interface: 1\n")));
  EXPECT_THAT(config.derived, UnorderedElementsAre(Key("problem.pressure"), Key("problem.interface")));
  EXPECT_THAT(config_of(config.resolved_yaml).derived, IsEmpty());
}

const std::string deep =
    "problem: {name: rt_multi}\ngrid: {cells: [16, 32, 32], upper: [1, 2, 4]}\n"
    "run: {time: 1}\n";

/// As versions wrote it that held no derived values and had one profile.
std::string of_older_version(const Config& config) {
  std::string text;
  std::istringstream lines(config.flow_yaml);
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("  pressure:") && !line.starts_with("  interface:") &&
        !line.starts_with("  profile:"))
      text += line + "\n";
  return text;
}

// Whose default was 10 density |gravity| times the largest of the box's width, depth and half height.
TEST(Config, KeepsThePressureThatARunOfAnOlderVersionHad) {
  const std::string wide = std::regex_replace(deep, std::regex("1, 2, 4"), "2, 4, 1");
  for (const auto& [yaml, then, now] : {std::tuple{deep, 20., 20.}, {wide, 40., 10.}}) {
    EXPECT_EQ(problem_number(config_of(yaml), "pressure"), now);
    const std::string older = of_older_version(config_of(yaml));
    const Config config = config_of(yaml, {}, older);
    EXPECT_EQ(problem_number(config, "pressure"), then);
    EXPECT_THAT(differing_keys(older, config.flow_yaml), IsEmpty());
    EXPECT_THAT(
        differing_keys(older, config_of(yaml, {{"problem.profile", "isothermal", "--set"}}, older).flow_yaml),
        ElementsAre("problem.profile is constant there, isothermal here"));
    const Config given = config_of(yaml, {{"problem.pressure", "7", "--set"}}, older);
    EXPECT_EQ(problem_number(given, "pressure"), 7);
  }
}

TEST(Config, KeepsWhatFollowedFromTheGridInARunThatGoesOnWithAFinerOne) {
  const std::string coarse =
      "problem: {name: hydrostatic, pulse: {amplitude: 0.1}}\ngrid: {cells: [4, 4, 8]}\nrun: {time: 1}\n";
  const Override fine{"grid.cells", "[4, 4, 16]", "--set"};
  const auto width_of = [](const Config& config) {
    return problem_value(config, "pulse")["width"].as<double>();
  };
  EXPECT_EQ(width_of(config_of(coarse)), 1. / 8);
  EXPECT_EQ(width_of(config_of(coarse, {fine})), 1. / 16);
  EXPECT_EQ(width_of(config_of(coarse, {fine}, config_of(coarse).flow_yaml)), 1. / 8);
}

TEST(Config, TakesNothingFromARunWhoseConfigIsUnknown) {
  for (const char* unknown : {"problem: {name: made_up}\n", "no config", "a: [",
                              "problem: {name: rt_single, "
                              "grid: 3}\n"})
    EXPECT_EQ(config_of(shortest, {}, unknown).flow_yaml, config_of(shortest).flow_yaml);
}

TEST(Config, ResolvedNamesTheDeviceThatWasFound) {
  EXPECT_THAT(config_of(shortest, {{"run.device", "cpu", "--device cpu"}}).resolved_yaml,
              HasSubstr("device: cpu"));
}

TEST(Config, OverridesWinAndTheLastOfThemMost) {
  const Config config = config_of(shortest + "numerics: {cfl: 0.1}\n",
                                  {{"numerics.cfl", "0.2", "--set"}, {"numerics.cfl", "0.3", "--set"}});
  EXPECT_EQ(config.solver.cfl, 0.3);
}

TEST(Config, AnOverrideMayBeAWholeSection) {
  const Config config =
      config_of(shortest + "numerics: {cfl: 0.1}\n", {{"numerics", "{scheme: weno3}", "--set"}});
  EXPECT_EQ(config.solver.scheme, "weno3");
  EXPECT_EQ(config.solver.cfl, 0.1);
}

TEST(Config, AnOverrideOfThePartsReplacesThemAndOneOfAPartAddsToIt) {
  const std::string yaml =
      shortest + "output: {parts: {a: {every_steps: 2}, b: {every_steps: 1, stride: [2, 2, 2]}}}\n";
  EXPECT_THAT(config_of(yaml, {{"output.parts", "{}", "--set"}}).parts, IsEmpty());
  EXPECT_THAT(config_of(yaml, {{"output", "{parts: {c: {every_steps: 1}}}", "--set"}}).parts,
              ElementsAre(Key("c")));
  const auto parts = config_of(yaml, {{"output.parts.b", "{every_steps: 3}", "--set"}}).parts;
  EXPECT_THAT(parts, ElementsAre(Key("a"), Key("b")));
  EXPECT_EQ(parts.at("b").stride, (std::array{2, 2, 2}));
  const Config behind =
      config_of("output: {parts: {a: {every_steps: 1}}, snapshots: {every_time: 3}}\n" + shortest,
                {{"output.parts", "{}", "--set"}});
  EXPECT_EQ(behind.snapshots.cadence.every_time, 3.) << "what stands behind the parts stays";
}

TEST(Config, AnOverrideLeavesAliasesOfTheOldValueAlone) {
  const Config config = config_of(
      "problem: {name: vortex}\ngrid: {cells: [8, 8, 8], lower: &corner [0, 0, 0], upper: [1, 1, 1]}\n"
      "run: {time: &t 2}\noutput: {snapshots: {every_time: *t}}\n",
      {{"run.time", "5", "--set"}});
  EXPECT_EQ(config.limits.time, 5.);
  EXPECT_EQ(config.snapshots.cadence.every_time, 2.);
}

TEST(Config, AnOverrideWithNullTakesAway) {
  const auto without = [](const std::string& yaml, const std::string& key) {
    return config_of(yaml, {{key, "null", "--set"}});
  };
  const std::string yaml =
      "problem: {name: vortex}\ngrid: {cells: [8, 8, 8]}\nrun: {time: 1, steps: 5}\n"
      "output: {snapshots: {every_time: 1, precision: double}, parts: {a: {every_steps: 1}, b: {every_steps: "
      "2}}}\n";
  EXPECT_EQ(without(yaml, "run.time").limits.time, std::nullopt);
  EXPECT_EQ(without(yaml, "run.time").limits.steps, 5);
  EXPECT_EQ(without(yaml, "output.snapshots").snapshots.cadence.every_time, std::nullopt);
  EXPECT_EQ(without(yaml, "output.snapshots").snapshots.precision, SnapshotSettings().precision);
  EXPECT_THAT(without(yaml, "output.parts.a").parts, ElementsAre(Key("b")));
  EXPECT_THAT(without(yaml, "output.parts").parts, IsEmpty());
  EXPECT_EQ(without(yaml, "numerics.cfl").solver.cfl, config_of(yaml).solver.cfl) << "was not there";
  const Config again = config_of(yaml, {{"run.time", "null", "--set"}, {"run.time", "3", "--set"}});
  EXPECT_EQ(again.limits.time, 3.);
  const Config anew = config_of(yaml, {{"numerics.dt", "null", "--set"}, {"numerics.dt", "3", "--set"}});
  EXPECT_EQ(anew.solver.fixed_dt, 3.) << "was not there, and the last of them wins";
  const auto parts = config_of(yaml, {{"output.parts", "{c: {every_steps: 3}}", "--set"}}).parts;
  EXPECT_THAT(parts, ElementsAre(Key("c")));
}

TEST(Config, ASectionWithNothingInItIsEmpty) {
  EXPECT_EQ(config_of(shortest + "numerics:\n").solver.scheme, "muscl");
}

TEST(Config, EveryShippedOneIsGood) {
  for (const auto& entry : std::filesystem::directory_iterator(TAYRA_SOURCE_DIR "/configs")) {
    if (entry.path().extension() != ".yaml") continue;
    const Config config = load_config(entry.path().string());
    EXPECT_NE(make_problem(config), nullptr) << entry.path();
  }
}

}  // namespace
}  // namespace tayra
