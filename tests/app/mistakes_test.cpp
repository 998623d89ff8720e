// Every mistake that a person makes gets one clear message, exit code 2, and leaves nothing on the disk.
#include <gmock/gmock.h>

#include <algorithm>

#include "app/tayra_process.hpp"

namespace tayra {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Mistake {
  std::string name;
  std::string yaml;
  std::vector<std::string> says;
  int code = 2;
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

const std::string good = "problem: {name: rt_single}\ngrid: {cells: [16, 16, 32]}\nrun: {steps: 1}\n";

// In line 4.
std::string with(const std::string& line) { return good + line + "\n"; }
std::string with_cells(const std::string& cells) {
  return "problem: {name: rt_single}\ngrid: {cells: " + cells + "}\nrun: {steps: 1}\n";
}
std::string with_problem(const std::string& problem) {
  return "problem: " + problem + "\ngrid: {cells: [16, 16, 32]}\nrun: {steps: 1}\n";
}

/// "p0: {}, p1: {}", and so on.
std::string repeated(int count, const std::string& name) {
  std::string text;
  for (int i = 0; i < count; ++i) text += (i > 0 ? ", " : "") + name + std::to_string(i) + ": {}";
  return text;
}

const std::vector<Mistake> not_a_config{
    {"EmptyFile", "", {"a.yaml: is empty"}},
    {"OnlyComments", "# nothing\n", {"a.yaml: is empty"}},
    {"NotYaml", "problem: {name: rt_single\ngrid: ]\n", {"a.yaml:2: not valid YAML"}},
    {"PlainText", "hello\n", {"a.yaml:1: not a config: expected keys and values"}},
    {"List", "- 1\n- 2\n", {"a.yaml:1: not a config"}},
    {"BinaryFile", std::string("\x89HDF\0\0", 6), {"a.yaml: is not a text file"}},
    {"HugeFile", good + "#" + std::string(1 << 18, ' '), {"a.yaml: is larger than 256 KiB"}},
    {"Tab", "problem:\n\tname: rt_single\n", {"a.yaml:2: indented with a tab", "use spaces"}},
    {"TabBehindSpaces", "problem:\n  \tname: rt_single\n", {"a.yaml:2: indented with a tab"}},
    {"Comma", ",", {"a.yaml:1: a comma stands outside of [ ] and { }"}},
    {"CommaBehindAll", good + "...\n,", {"a.yaml:5: a comma stands outside of [ ] and { }"}},
    {"TwoDocuments", good + "---\n" + good, {"a.yaml:4: a second YAML document"}},
};

const std::vector<Mistake> wrong_keys{
    {"MisspeltKey",
     with("numerics: {sheme: roe3}"),
     {"a.yaml:4: numerics.sheme: unknown key; did you mean 'scheme'? allowed here: cfl, dt, "}},
    {"MisspeltSection",
     with("numeric: {cfl: 0.5}"),
     {"a.yaml:4: numeric: unknown key; did you mean 'numerics'?"}},
    {"KeyInTheWrongSection", with("cfl: 0.5"), {"a.yaml:4: cfl: unknown key; did you mean 'numerics.cfl'?"}},
    {"KeyOfAnotherProblem",
     with_problem("{name: rt_single, seed: 1}"),
     {"a.yaml:1: problem.seed: unknown key"}},
    {"UnknownSectionOfASection", with("output: {films: {keep: 2}}"), {"a.yaml:4: output.films: unknown key"}},
    {"EmptyUnknownSection", with("extras: {}"), {"a.yaml:4: extras: unknown key"}},
    {"AliasThatHoldsItself",
     with("output: &all {parts: *all}"),
     {"a.yaml:4: an alias lies within what it names"}},
    {"KeyLongerThanAny", with("? " + std::string(25000, 'a') + "\n: 1"), {"a.yaml:4: aaaaa", "300 letters"}},
    {"KeyOfManyParts",
     with("? a" + std::string(25000, '.') + "\n: 1"),
     {"a.yaml:4: a..", "no key has a dot in its name"}},
    {"LongDottedKey",
     with("? a" + std::string(200000, 'b') + ".c\n: 1"),
     {"a.yaml:4: abb", "keys are nested, not dotted"}},
    {"MorePartsThanAnybodyWants",
     with("output: {parts: {" + repeated(1001, "p") + "}}"),
     {"a.yaml:4: output.parts.p", "more than 1000 parts"}},
    {"EndlessPatience",
     "problem: {name: rt_single}\ngrid: {cells: [16, 16, 32]}\nrun: {steps: 1, timeout: 1e12}\n",
     {"a.yaml:3: run.timeout"}},
    {"MisspeltParts",
     with("output: {partz: {}}"),
     {"a.yaml:4: output.partz: unknown key; did you mean 'parts'?"}},
    {"PartsThatAreNoSection",
     with("output: {parts: 3}"),
     {"a.yaml:4: output.parts: found 3; expected a section with a NAME: {...} for each part"}},
    {"DottedKey", with("numerics.cfl: 0.5"), {"a.yaml:4: numerics.cfl", "write numerics: {cfl: ...}"}},
    {"DuplicateKey",
     with("numerics:\n  cfl: 0.5\n  cfl: 0.6"),
     {"a.yaml:6: numerics.cfl: given twice, first in line 5"}},
    {"DuplicateSection", with("run: {steps: 2}"), {"a.yaml:4: run: given twice, first in line 3"}},
    {"KeyInsideAValue",
     with("numerics: {cfl: {x: 1}}"),
     {"a.yaml:4: numerics.cfl: found a section; expected a number"}},
    {"ValueInsteadOfASection",
     with("numerics: roe3"),
     {"a.yaml:4: numerics: found roe3; expected a section", "cfl"}},
    {"NoProblem",
     "grid: {cells: [16, 16, 32]}\nrun: {steps: 1}\n",
     {"a.yaml: problem.name: required key is missing"}},
    {"ProblemWithoutName",
     with_problem("{atwood: 0.5}"),
     {"a.yaml:1: problem.name: required key is missing", "rt_multi"}},
    {"MisspeltName",
     with_problem("{nmae: rt_single}"),
     {"a.yaml:1: problem.nmae: unknown key; did you mean 'name'?"}},
    {"NoGrid", "problem: {name: blast}\nrun: {steps: 1}\n", {"a.yaml: grid.cells: required key is missing"}},
    {"NoEnd",
     "problem: {name: blast}\ngrid: {cells: [8, 8, 8]}\n",
     {"a.yaml: run: no end is given: set run.time, run.steps"}},
};

const std::vector<Mistake> wrong_values{
    {"WrongType",
     with("numerics: {cfl: fast}"),
     {"a.yaml:4: numerics.cfl: found fast; expected a number above 0 and at most 1"}},
    {"NoValue", with("numerics:\n  cfl:"), {"a.yaml:5: numerics.cfl: has no value"}},
    {"QuotedNumber",
     with("numerics: {cfl: \"0.5\"}"),
     {"a.yaml:4: numerics.cfl: found \"0.5\"; a number stands without quotes"}},
    {"NotANumber", with("numerics: {cfl: nan}"), {"a.yaml:4: numerics.cfl: found nan; expected a number"}},
    {"YamlNotANumber",
     with("physics: {gravity: .nan}"),
     {"a.yaml:4: physics.gravity: found .nan; expected a number"}},
    {"FractionThatIsNotCarried",
     with("output: {statistics: {every_steps: 1, pdf: {fields: [fraction]}}}"),
     {"a.yaml:4: output.statistics.pdf.fields: found fraction; it is a field where the flow carries it, by "
      "physics.scalars: [fraction]; expected"}},
    {"FormulaOfGravity",
     with("physics: {gravity: -1 - sin(x)}"),
     {"a.yaml:4: physics.gravity: found -1 - sin(x); expected a number, an expression in t, or a list of "
      "[time, "
      "number]: ",
      "\"x\""}},
    {"TableOfGravity",
     with("physics: {gravity: [[0, -1], [1, 2, 3]]}"),
     {"a.yaml:4: physics.gravity: found a list with a list of 3; expected a number, an expression in t, or a "
      "list of [time, number]"}},
    {"TimesOfGravity",
     with("physics: {gravity: [[0, -1], [2, -1], [1, 2]]}"),
     {"a.yaml:4: physics.gravity: found a list of 3; ", "the times of the table fall from 2 to 1"}},
    {"Infinity",
     with("physics: {gamma: inf}"),
     {"a.yaml:4: physics.gamma: found inf; expected a number above 1"}},
    {"TooLargeForAWholeNumber",
     "problem: {name: blast}\ngrid: {cells: [8, 8, 8]}\nrun: {steps: 99999999999999999999}\n",
     {"a.yaml:3: run.steps: found 99999999999999999999; that is too large"}},
    {"WholeNumberThatADoubleRounds",
     with_problem("{name: rt_multi, seed: 9007199254740993}"),
     {"a.yaml:1: problem.seed: found 9007199254740993; that is too large"}},
    {"TooLargeForANumber",
     with("physics: {gamma: 1e999}"),
     {"a.yaml:4: physics.gamma: found 1e999; expected a number"}},
    {"HalfAStep",
     "problem: {name: blast}\ngrid: {cells: [8, 8, 8]}\nrun: {steps: 0.5}\n",
     {"a.yaml:3: run.steps: found 0.5; expected a whole number"}},
    {"UnknownProblem",
     with_problem("{name: rt_mutli}"),
     {"a.yaml:1: problem.name: found rt_mutli; did you mean 'rt_multi'? expected one of: rt_single"}},
    {"UnknownScheme",
     with("numerics: {scheme: roe}"),
     {"a.yaml:4: numerics.scheme: found roe; did you mean 'roe3'?"}},
    {"UnknownHalo",
     "problem: {name: blast}\ngrid: {cells: [8, 8, 8]}\nrun: {steps: 1, halo: hots}\n",
     {"a.yaml:3: run.halo: found hots; did you mean 'host'? expected one of: auto, host"}},
    {"UnknownField",
     with("output: {snapshots: {fields: [densty]}}"),
     {"a.yaml:4: output.snapshots.fields: found densty; did you mean 'density'?"}},
    {"FieldNamedTwice",
     with("output: {snapshots: {fields: [density, density]}}"),
     {"a.yaml:4: output.snapshots.fields: 'density' is named twice"}},
    {"FieldOfAPartNamedTwice",
     with("output: {parts: {plane: {fields: [mach, density, mach]}}}"),
     {"a.yaml:4: output.parts.plane.fields: 'mach' is named twice"}},
    {"FieldOfPicturesNamedTwice",
     with("output: {pictures: {fields: [mach, mach]}}"),
     {"a.yaml:4: output.pictures.fields: 'mach' is named twice"}},
    {"ProjectionNamedTwice",
     with("output: {pictures: {projections: [y, x, y]}}"),
     {"a.yaml:4: output.pictures.projections: 'y' is named twice"}},
    {"PictureOutsideTheBox",
     with("output: {pictures: {slices: {y: 7}}}"),
     {"a.yaml:4: output.pictures.slices.y: 7 lies outside the box, which reaches from 0 to 1: take a place "
      "inside"}},
    {"NameInsteadOfAList",
     with("output: {snapshots: {fields: density}}"),
     {"a.yaml:4: output.snapshots.fields: found density; expected a list"}},
    {"UnknownKeyOfAPart",
     with("output: {parts: {plane: {strid: [1, 1, 1]}}}"),
     {"a.yaml:4: output.parts.plane.strid: unknown key; did you mean 'stride'?"}},
    {"HomeByTheShellsName",
     with("output: {directory: ~/results}"),
     {"a.yaml:4: output.directory: ~ is the shell's name of your home"}},
    {"VariableOfTheShell",
     with("output: {directory: $HOME/runs}"),
     {"a.yaml:4: output.directory: variables such as $HOME are the shell's"}},
    {"PartOutsideTheBox",
     with("output: {parts: {plane: {upper: [1, 1, 9]}}}"),
     {"a.yaml:4: output.parts.plane.upper: along z the part reaches from 0 to 9: it must lie in the box, 0 "
      "to 1"}},
    {"PartUpsideDown",
     with("output: {parts: {plane: {lower: [0, 0.5, 0], upper: [1, 0.25, 1]}}}"),
     {"a.yaml:4: output.parts.plane.lower: along y the part begins at 0.5, above its end at 0.25"}},
    {"PartThatIsNoFolder",
     with("output: {parts: {a/b: {every_steps: 1}}}"),
     {"a.yaml:4: output.parts.a/b: a part's name becomes a folder: use letters, digits, _ and -"}},
    {"APartWithoutACadence",
     with("output: {parts: {plane: {fields: [density]}}}"),
     {"a.yaml:4: output.parts.plane: no cadence is given, so it would be written at the start and at the end "
      "only: set every_time, every_steps or both"}},
    {"APartInOneFileWithoutACadence",
     with("output: {parts: {plane: {one_file: true}}}"),
     {"a.yaml:4: output.parts.plane: no cadence is given, so it would be written at the start only: set "}},
    {"PartsThatAreNone", with("output: {parts: 3}"), {"a.yaml:4: output.parts: found 3; expected a section"}},
    {"TextForAFlag",
     with("numerics: {positivity: maybe}"),
     {"a.yaml:4: numerics.positivity: found maybe; expected true or false"}},
    {"NumberInsteadOfCells",
     with_cells("16"),
     {"a.yaml:2: grid.cells: found 16; expected a list of 3 whole numbers"}},
    {"TwoCellCounts",
     with_cells("[16, 16]"),
     {"a.yaml:2: grid.cells: found a list of 2; expected a list of 3"}},
    {"NegativeCells",
     with_cells("[16, -16, 32]"),
     {"a.yaml:2: grid.cells: found -16; expected", "at least 1"}},
    {"ZeroCells", with_cells("[0, 16, 32]"), {"a.yaml:2: grid.cells: found 0; expected", "at least 1"}},
    {"ThreeCells",
     with_cells("[16, 3, 32]"),
     {"a.yaml:2: grid.cells: 3 along y", "take at least 4, or 1 where the flow does not vary along it"}},
    {"OneCellAlongZ", with_cells("[16, 16, 1]"), {"a.yaml:2: grid.cells: 1 along z", "take at least 4"}},
    {"WallBesideASingleCell",
     "problem: {name: rt_single}\ngrid: {cells: [16, 1, 32], boundary: {y: mirror}}\nrun: {steps: 1}\n",
     {"a.yaml:2: grid.boundary.y: mirror along an axis of one cell", "set periodic"}},
    {"WaveAlongASingleCell",
     "problem: {name: rt_single, modes: [1, 1]}\ngrid: {cells: [16, 1, 32]}\nrun: {steps: 1}\n",
     {"a.yaml:1: problem.modes: 1 along y, where grid.cells has 1", "set 0"}},
    {"VortexAcrossASingleCell",
     "problem: {name: vortex}\ngrid: {cells: [16, 1, 16]}\nrun: {steps: 1}\n",
     {"a.yaml: problem.axis: this flow varies along y, where grid.cells has 1"}},
    {"RandomWavesAlongSingleCells",
     "problem: {name: rt_multi}\ngrid: {cells: [1, 1, 16]}\nrun: {steps: 1}\n",
     {"a.yaml:1: problem.name: waves need cells along x or y"}},
    {"FormulaThatIsNone",
     "problem: {name: formula, density: 1 +* x}\ngrid: {cells: [8, 8, 8]}\nrun: {steps: 1}\n",
     {"a.yaml:1: problem.density: in '1 +* x'", "position 3"}},
    {"FormulaThatIsNoGas",
     "problem: {name: formula, density: x - 0.2}\ngrid: {cells: [8, 8, 8]}\nrun: {steps: 1}\n",
     {"a.yaml:1: problem.name: the start has density -0.1375", "in cell [0, 0, 0]"}},
    {"AbsurdCells",
     with_cells("[1000000, 16, 32]"),
     {"a.yaml:2: grid.cells: found 1000000; expected", "at most 65536"}},
    {"MoreCellsThanMemory",
     with_cells("[65536, 65536, 65536]"),
     {"a.yaml:2: grid.cells: 65536 x 65536 x 65536 cells in double precision need ", "PiB", "are free"}},
    {"ZeroCfl", with("numerics: {cfl: 0}"), {"a.yaml:4: numerics.cfl: found 0; expected a number above 0"}},
    {"LargeCfl", with("numerics: {cfl: 1.1}"), {"a.yaml:4: numerics.cfl: found 1.1", "at most 1"}},
    {"NegativeTimeStep",
     with("numerics: {dt: -1e-3}"),
     {"a.yaml:4: numerics.dt: found -1e-3; expected a number above 0"}},
    {"GammaOne",
     with("physics: {gamma: 1}"),
     {"a.yaml:4: physics.gamma: found 1; expected a number above 1"}},
    {"AtwoodZero",
     with_problem("{name: rt_single, atwood: 0}"),
     {"a.yaml:1: problem.atwood: found 0; expected", "above 0"}},
    {"AtwoodOne",
     with_problem("{name: rt_single, atwood: 1}"),
     {"a.yaml:1: problem.atwood: found 1; expected", "below 1"}},
    {"NoCadence",
     with("output: {diagnostics: {every_steps: 0}}"),
     {"a.yaml:4: output.diagnostics.every_steps: found 0"}},
};

const std::vector<Mistake> impossible_together{
    {"NumbersThatSinglePrecisionDoesNotHold",
     with_problem("{name: rt_single, density: 1e-30}") + "numerics: {precision: single}\n",
     {"a.yaml:4: numerics.precision: single can't hold a flow whose density times pressure goes from "}},
    {"FlowTooFastForSinglePrecision",
     with_problem("{name: vortex, velocity: [1e12, 0]}") + "numerics: {precision: single}\n",
     {"a.yaml:4: numerics.precision: single can't hold a flow whose density times speed cubed goes from "}},
    {"NumbersThatDoublePrecisionDoesNotHold",
     with("physics: {gravity: -1e-300}"),
     {"a.yaml: numerics.precision: double can't hold a flow whose pressure times speed of sound goes from 0 "
      "to 0 "
      "(at least 1e-300, at most 1e+300): take units in which it is nearer to 1 (see physics.gravity"}},
    {"NumbersThatSnapshotsInSinglePrecisionDoNotHold",
     with_problem("{name: rt_single, pressure: 1e40, density: 1e3}"),
     {"a.yaml: output.snapshots.precision: single can't hold a pressure that goes from ",
      "(at least 1e-36, at most 1e+36): set double, or take units in which it is nearer to 1"}},
    {"EnergyThatSnapshotsInSinglePrecisionDoNotHold",
     with_problem("{name: vortex, velocity: [1e20, 0]}") + "output: {snapshots: {fields: [energy]}}\n",
     {"a.yaml: output.snapshots.precision: single can't hold a kinetic energy that goes from "}},
    {"SpeedThatSnapshotsInSinglePrecisionDoNotHold",
     with_problem("{name: vortex, velocity: [1e40, 0]}"),
     {"a.yaml: output.snapshots.precision: single can't hold a speed that goes from "}},
    {"NumbersThatAPartInSinglePrecisionDoesNotHold",
     with_problem("{name: rt_single, pressure: 1e40, density: 1e3}") +
         "output:\n  snapshots: {precision: double}\n  parts: {a: {every_steps: 1, fields: [energy]}}\n",
     {"a.yaml: output.parts.a.precision: single can't hold a pressure that goes from "}},
    {"BoxTooLargeForItsVolume",
     "problem: {name: shock_tube}\ngrid: {cells: [8, 8, 8], upper: [1e160, 1e160, 1]}\nrun: {steps: 1}\n",
     {"a.yaml:2: grid.upper: the volume of the box is inf (at least 1e-300, at most 1e+300): take a unit of "
      "length in which it is nearer to 1"}},
    {"CellsTooSmallForSinglePrecision",
     "problem: {name: shock_tube}\ngrid: {cells: [8, 8, 8], upper: [1, 1, 1e-44]}\nrun: {steps: 1}\n"
     "numerics: {precision: single}\n",
     {"a.yaml:2: grid.upper: the side of a cell is 1.25e-45 (at least 1e-30, "}},
    {"EndThatNoStepsReach",
     "problem: {name: shock_tube}\ngrid: {cells: [8, 8, 8]}\nrun: {time: 1e308}\n",
     {"a.yaml:3: run.time: 1e+308 is about ", "a step no longer changes the time): set an earlier end"}},
    {"LowerAboveUpper",
     "problem: {name: blast}\ngrid:\n  cells: [8, 8, 8]\n  upper: [1, 1, -2]\nrun: {steps: 1}\n",
     {"a.yaml:4: grid.upper: along z the box reaches from 0 (lower) to -2 (upper)"}},
    {"EmptyBox",
     "problem: {name: blast}\ngrid:\n  cells: [8, 8, 8]\n  lower: [1, 0, 0]\nrun: {steps: 1}\n",
     {"a.yaml:4: grid.lower: along x the box reaches from 1 (lower) to 1 (upper)"}},
    {"PeriodicAlongGravity",
     "problem: {name: rt_single}\ngrid:\n  cells: [16, 16, 32]\n  boundary: {z: periodic}\nrun: {steps: 1}\n",
     {"a.yaml:4: grid.boundary.z: periodic, with physics.gravity -1", "floor and ceiling differ",
      "use mirror, or no"}},
    {"OpenAlongGravity",
     "problem: {name: rt_single}\ngrid:\n  cells: [16, 16, 32]\n  boundary: {z: outflow}\nrun: {steps: 1}\n",
     {"a.yaml:4: grid.boundary.z: outflow, with physics.gravity -1", "open end",
      "use mirror, or no gravity"}},
    {"MoreSlabsThanPlanes",
     "problem: {name: blast}\ngrid: {cells: [8, 8, 8]}\nrun: {steps: 1, slabs: 5}\n",
     {"a.yaml:3: run.slabs: 5 slabs of at least 2 planes", "at most 4"}},
    {"WordThatIsNoCut",
     "problem: {name: blast}\ngrid: {cells: [8, 16, 8]}\nrun: {steps: 1, cut_y: many}\n",
     {"a.yaml:3: run.cut_y: found many; expected a whole number at least 1 and at most 65536, or auto"}},
    {"SlabsThatFormNoLayers",
     "problem: {name: blast}\ngrid: {cells: [8, 16, 8]}\nrun: {steps: 1, slabs: 4, cut_y: 3}\n",
     {"a.yaml:3: run.cut_y: 3 neither divides the 4 slabs of a rank (run.slabs) nor is a multiple"}},
    {"SlabsSideBySideOnMoreRanksThanThereAre",
     "problem: {name: blast}\ngrid: {cells: [8, 16, 8]}\nrun: {steps: 1, slabs: 2, cut_y: 4}\n",
     {"a.yaml:3: run.cut_y: 4 slabs side by side are those of 2 ranks (run.slabs: 2), and 1 make no whole "
      "layers"}},
    {"MoreSlabsSideBySideThanRowsAllow",
     "problem: {name: blast}\ngrid: {cells: [8, 15, 8]}\nrun: {steps: 1, slabs: 4, cut_y: 4}\n",
     {"a.yaml:3: run.cut_y: 4 slabs of at least 4 rows", "at most 3"}},
    {"MoreSlabsSideBySideThanRowsAllowThatStatisticsSumUp",
     "problem: {name: blast}\ngrid: {cells: [8, 95, 8]}\nrun: {steps: 1, slabs: 3, cut_y: 3}\n"
     "output: {statistics: {every_steps: 1}}\n",
     {"a.yaml:3: run.cut_y: 3 slabs of at least 32 rows, by which statistics are summed up, don't fit",
      "at most 2, or more without output.statistics"}},
    {"FewerSlabsThanGpus",
     "problem: {name: blast}\ngrid: {cells: [8, 8, 8]}\nrun: {steps: 1, gpus: 3, slabs: 2}\n",
     {"a.yaml:3: run.slabs: 2 slabs for 3 GPUs leave some idle"}},
    {"WavesBelowTheGrid",
     with_problem("{name: rt_single, modes: [9, 0]}"),
     {"a.yaml:1: problem.modes: 9 waves along x have fewer than 4 cells"}},
    {"GpusOnTheCpu",
     "problem: {name: blast}\ngrid: {cells: [8, 8, 8]}\nrun: {steps: 1, device: cpu, gpus: 2}\n",
     {"a.yaml:3: run.gpus: 2 GPUs, with device cpu"}},
    {"UnwritableDirectory",
     with("output: {directory: a.yaml/results}"),
     {"cannot put the run into a.yaml/results", "choose another output.directory"}},
};

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  return names;
}

class AMistake : public testing::TestWithParam<Mistake> {};

TEST_P(AMistake, GetsOneMessageAndLeavesNothingBehind) {
  const TemporaryDirectory folder;
  write_file(folder.path("a.yaml"), GetParam().yaml);
  const ProcessEnd end = run_tayra({"run", "a.yaml"}, folder.path());
  EXPECT_EQ(end.code, GetParam().code);
  EXPECT_EQ(end.output, "");
  EXPECT_THAT(end.errors, StartsWith("tayra: " + GetParam().says.front()));
  for (const auto& part : GetParam().says) EXPECT_THAT(end.errors, HasSubstr(part));
  EXPECT_EQ(std::count(end.errors.begin(), end.errors.end(), '\n'), 1) << end.errors;
  EXPECT_THAT(files_in(folder.path()), testing::ElementsAre("a.yaml"));
}

std::string name_of(const testing::TestParamInfo<Mistake>& mistake) { return mistake.param.name; }

INSTANTIATE_TEST_SUITE_P(NoConfig, AMistake, testing::ValuesIn(not_a_config), name_of);
INSTANTIATE_TEST_SUITE_P(Keys, AMistake, testing::ValuesIn(wrong_keys), name_of);
INSTANTIATE_TEST_SUITE_P(Values, AMistake, testing::ValuesIn(wrong_values), name_of);
INSTANTIATE_TEST_SUITE_P(Together, AMistake, testing::ValuesIn(impossible_together), name_of);

TEST(Mistakes, AMissingFileIsNamed) {
  const TemporaryDirectory folder;
  const ProcessEnd end = run_tayra({"run", "missing.yaml"}, folder.path());
  EXPECT_EQ(end.code, 2);
  EXPECT_EQ(end.errors, "tayra: missing.yaml: no such file\n");
}

TEST(Mistakes, AreWhatACheckSaysFirst) {
  const TemporaryDirectory folder;
  write_file(folder.path("a.yaml"), good);
  for (const char* setting : {"physics.gravity=-1e-300", "grid.upper=[1e160, 1e160, 1]"}) {
    const ProcessEnd end = run_tayra({"check", "a.yaml", "--set", setting}, folder.path());
    EXPECT_EQ(end.code, 2) << setting;
    EXPECT_EQ(end.output, "") << setting;
  }
  EXPECT_EQ(run_tayra({"check", "a.yaml", "--set", "run.time=1e308"}, folder.path()).code, 0)
      << "steps end it";
}

TEST(Mistakes, ARunThatDoesNotFitIsOneOfACheckThatTellsItsCosts) {
  const TemporaryDirectory folder;
  write_file(folder.path("a.yaml"), good);
  const ProcessEnd end =
      run_tayra({"check", "a.yaml", "--set", "grid.cells=[65536, 65536, 65536]"}, folder.path());
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, HasSubstr("65536 x 65536 x 65536 cells in double precision need "));
  EXPECT_THAT(end.output, HasSubstr("PiB on each device"));
}

TEST(Mistakes, APlaneOfMoreCellsThanAGpuTakesIsOneAlsoWhereNoGpuIs) {
  const TemporaryDirectory folder;
  write_file(folder.path("a.yaml"), good);
  const ProcessEnd end = run_tayra(
      {"check", "a.yaml", "--set", "run.gpus=2", "--set", "grid.cells=[16384, 16384, 8]"}, folder.path());
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors,
              HasSubstr("planes of 268435456 cells are more than the 134217727 that a GPU takes"));
}

TEST(Mistakes, AreNoValuesAtTheEndOfTheirRange) {
  const TemporaryDirectory folder;
  write_file(folder.path("a.yaml"), good);
  for (const char* setting : {"numerics.cfl=1", "run.steps=0", "output.checkpoints.keep=0"})
    EXPECT_EQ(run_tayra({"check", "a.yaml", "--set", setting}, folder.path()).errors, "") << setting;
}

TEST(Mistakes, ADirectoryIsNoConfig) {
  const TemporaryDirectory folder;
  const ProcessEnd end = run_tayra({"run", "."}, folder.path());
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, StartsWith("tayra: .: is a directory"));
}

TEST(Mistakes, OnTheCommandLineNameTheOption) {
  const TemporaryDirectory folder;
  write_file(folder.path("a.yaml"), good);
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes{
      {{"--set", "numerics.cfl=2"}, "tayra: --set numerics.cfl=2: numerics.cfl: found 2; expected"},
      {{"--set", "run.steps=-1"}, "tayra: --set run.steps=-1: run.steps: found -1; expected"},
      {{"--set", "numerics.clf=0.2"},
       "tayra: --set numerics.clf=0.2: numerics.clf: unknown key; did you mean 'cfl'?"},
      {{"--set", "numerics.cfl"}, "tayra: --set numerics.cfl: expected key.path=value"},
      {{"--set", "numerics.cfl="},
       "tayra: --set numerics.cfl=: numerics.cfl: has no value: write null to remove the key"},
      {{"--set", "output.directory=#1"},
       "tayra: --set output.directory=#1: output.directory: has no value: write null"},
      {{"--set", "physics.gravity=+-1"},
       "tayra: --set physics.gravity=+-1: physics.gravity: found +-1; expected a number"},
      {{"--set", "physics.gravity=0"},
       "tayra: --set physics.gravity=0: physics.gravity: is 0, but Rayleigh-Taylor flow needs gravity: set "
       "it"},
      {{"--gpus", "null"}, "tayra: --gpus null: run.gpus: has no value: expected a whole number"},
      {{"--slabs", "~"}, "tayra: --slabs ~: run.slabs: has no value: expected a whole number"},
      {{"--set", "numerics.clf=null"}, "tayra: --set numerics.clf=null: numerics.clf: unknown key; did you"},
      {{"--set", "output.parts.p=null"},
       "tayra: --set output.parts.p=null: output.parts.p: unknown key; there are"},
      {{"--set", "grid.cells=null"}, "tayra: a.yaml: grid.cells: required key is missing"},
      {{"--set", "output.parts={p: {z: 5}}"},
       "tayra: --set output.parts={p: {z: 5}}: output.parts.p.z: unknown key; allowed here: "},
      {{"--set", "output.parts={../x: {}}"}, "tayra: --set output.parts={../x: {}}: ../x: no key has a dot"},
      {{"--set", "run={a.b: 5}"},
       "tayra: --set run={a.b: 5}: a.b: keys are nested, not dotted: write a: {b: "},
      {{"--set", "run.steps=,"}, "tayra: --set run.steps=,: a comma stands outside of [ ] and { }"},
      {{"--set", "output.directory=" + std::string(5000, 'a')},
       "tayra: --set output.directory=" + std::string(83, 'a') +
           "... (5017 bytes): output.directory: has 5000 letters, more than any path"},
      {{"--output", ""}, "tayra: --output : output.directory: is empty: expected a text"},
      {{"--set", "grid.cells=[8, 8"}, "tayra: --set grid.cells=[8, 8: not valid YAML"},
      {{"--halo", "hosts"}, "tayra: --halo hosts: run.halo: found hosts; did you mean 'host'?"},
      {{"--device", "gpu"}, "tayra: --device gpu: run.device: found gpu; "},
      {{"--slabs", "17"}, "tayra: --slabs 17: run.slabs: 17 slabs"},
      {{"--slabs", "two"}, "tayra: --slabs two: run.slabs: found two; expected a whole number"},
  };
  for (const auto& [options, message] : mistakes) {
    std::vector<std::string> words{"run", "a.yaml"};
    words.insert(words.end(), options.begin(), options.end());
    const ProcessEnd end = run_tayra(words, folder.path());
    EXPECT_EQ(end.code, 2) << message;
    EXPECT_THAT(end.errors, StartsWith(message));
  }
  EXPECT_THAT(files_in(folder.path()), testing::ElementsAre("a.yaml"));
}

TEST(Mistakes, AreToldWithoutWhatATerminalWouldObey) {
  const TemporaryDirectory folder;
  write_file(folder.path("a.yaml"), good);
  const std::string evil = "a\x1b[2J\a\ntayra: all is well\u009b\u202e\xff", shown = "a\\x1b[2J\\x07\\ntayra";
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"check", evil}, {"check", "a.yaml", "--halo", evil}, {evil}}) {
    const ProcessEnd end = run_tayra(words, folder.path());
    EXPECT_EQ(end.code, 2);
    EXPECT_THAT(end.errors, HasSubstr(shown));
    EXPECT_EQ(std::count(end.errors.begin(), end.errors.end(), '\n'), 1) << end.errors;
    EXPECT_EQ(end.errors.find_first_of("\x1b\a\x9b\xff"), std::string::npos) << end.errors;
  }
  const ProcessEnd end = run_tayra({"check", "a.yaml", "--output", "b\x1b[2J\u202e"}, folder.path());
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(end.output, HasSubstr("\\u202e"));
  EXPECT_EQ(end.output.find_first_of("\x1b\xe2"), std::string::npos) << end.output;
}

TEST(Mistakes, AKeyThatIsMisspeltTwiceIsToldToo) {
  const TemporaryDirectory folder;
  write_file(folder.path("a.yaml"), good);
  for (const char* again : {"numerics.clf=null", "numerics=null"})
    EXPECT_THAT(
        run_tayra({"check", "a.yaml", "--set", "numerics.clf=null", "--set", again}, folder.path()).errors,
        HasSubstr("numerics.clf: unknown key"))
        << again;
}

TEST(Mistakes, AMisspeltOptionGetsTheNearestName) {
  const TemporaryDirectory folder;
  write_file(folder.path("a.yaml"), good);
  const ProcessEnd end = run_tayra({"run", "a.yaml", "--ouput", "b"}, folder.path());
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, HasSubstr("did you mean '--output'? see tayra run --help"));
  EXPECT_THAT(files_in(folder.path()), testing::ElementsAre("a.yaml"));
}

}  // namespace
}  // namespace tayra
