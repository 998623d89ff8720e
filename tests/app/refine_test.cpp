// Tests of `tayra refine`: what the cells hold stays, on a finer grid and in another precision.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "app/tayra_process.hpp"
#include "io/checkpoint_numbers.hpp"
#include "solver/problem_maker.hpp"

namespace tayra {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const std::string config =
    R"(problem: {name: rt_single, atwood: 0.7, pressure: 10, amplitude: 0.1, thickness: 0.3}
grid: {cells: [8, 6, 12], upper: [1, 0.75, 1.5], boundary: {x: mirror, y: outflow}}
run: {steps: 40}
output: {directory: coarse}
)";

ProblemSetting setting_of(std::array<int, 3> cells) {
  return {.grid = {.cells = cells,
                   .upper = {1, 0.75, 1.5},
                   .boundary = {Boundary::mirror, Boundary::outflow, Boundary::mirror}},
          .gamma = 5. / 3,
          .gravity = -1};
}

/// Of the background of a plane, as every cell has it besides its own.
double background_energy(std::array<int, 3> cells, int z) {
  const ProblemSetting setting = setting_of(cells);
  const auto problem = testing::make_problem(
      "rt_single", setting, {{"atwood", 0.7}, {"pressure", 10.}, {"amplitude", 0.1}, {"thickness", 0.3}});
  return problem->background(setting.grid.centre(2, z)).pressure / (setting.gamma - 1);
}

/// Mass, momentum and whole energy in the box.
std::array<double, 5> totals(const std::string& path, std::array<int, 3> cells) {
  const CheckpointFile file(path);
  const std::size_t plane_cells = std::size_t(cells[0]) * cells[1];
  std::vector<std::byte> raw(file.head().plane_bytes());
  std::array<double, 5> sums{};
  for (int z = 0; z < cells[2]; ++z) {
    file.read(z, 1, raw.data());
    for (std::size_t i = 0; i < 5 * plane_cells; ++i)
      sums[i / plane_cells] += file.head().bytes_per_number == 8
                                   ? reinterpret_cast<const double*>(raw.data())[i]
                                   : double(reinterpret_cast<const float*>(raw.data())[i]);
    sums[4] += double(plane_cells) * background_energy(cells, z);
  }
  for (double& sum : sums) sum /= double(plane_cells) * cells[2];
  return sums;
}

class Refine : public ::testing::Test {
 protected:
  Refine() {
    write_file(folder_.path("a.yaml"), config);
    EXPECT_EQ(tayra({"run", "a.yaml"}).code, 0);
  }
  ProcessEnd tayra(const std::vector<std::string>& words) { return run_tayra(words, folder_.path()); }
  ProcessEnd refine(const std::vector<std::string>& more) {
    std::vector<std::string> words{"refine", "coarse", "a.yaml", "--output", "fine"};
    words.insert(words.end(), more.begin(), more.end());
    return tayra(words);
  }
  std::string path(const std::string& name) { return folder_.path(name); }

  TemporaryDirectory folder_;
};

void expect_close(const std::array<double, 5>& one, const std::array<double, 5>& other, double tolerance) {
  const double scale[]{one[0], 1, 1, 1, one[4]};
  for (int v = 0; v < 5; ++v) EXPECT_NEAR(one[v], other[v], tolerance * scale[v]) << "variable " << v;
}

TEST_F(Refine, KeepsMassMomentumAndEnergyToRoundOff) {
  const auto before = totals(path("coarse/checkpoints/000040.h5"), {8, 6, 12});
  for (const std::array<int, 3> cells :
       {std::array{16, 12, 24}, std::array{8, 6, 24}, std::array{16, 6, 12}}) {
    fs::remove_all(path("fine"));
    const std::string set = "grid.cells=[" + std::to_string(cells[0]) + "," + std::to_string(cells[1]) + "," +
                            std::to_string(cells[2]) + "]";
    const ProcessEnd end = refine({"--set", set});
    EXPECT_EQ(end.code, 0) << end.errors;
    expect_close(before, totals(path("fine/checkpoints/000040.h5"), cells), 1e-14);
  }
}

/// Sum of what the density changes by from plane to plane, in the mean over all columns.
double variation_along_z(const std::string& path, std::array<int, 3> cells) {
  const std::vector<double> state = numbers_of(CheckpointFile(path));
  const std::size_t plane = 5 * std::size_t(cells[0]) * cells[1];
  double sum = 0;
  for (int z = 1; z < cells[2]; ++z)
    for (std::size_t i = 0; i < plane / 5; ++i)
      sum += std::abs(state[z * plane + i] - state[(z - 1) * plane + i]);
  return sum / (double(plane) / 5);
}

/// Of density times the first scalar, and the scalar's least and greatest.
std::array<double, 3> carried(const std::string& path, std::array<int, 3> cells) {
  const CheckpointFile file(path);
  const std::size_t plane_cells = std::size_t(cells[0]) * cells[1];
  std::vector<double> plane(6 * plane_cells);
  std::array<double, 3> found{0, 1, 0};
  for (int z = 0; z < cells[2]; ++z) {
    file.read(z, 1, reinterpret_cast<std::byte*>(plane.data()));
    for (std::size_t i = 0; i < plane_cells; ++i) {
      const double fraction = plane[5 * plane_cells + i];
      found[0] += plane[i] * fraction / (double(plane_cells) * cells[2]);
      found[1] = std::min(found[1], fraction);
      found[2] = std::max(found[2], fraction);
    }
  }
  return found;
}

TEST_F(Refine, KeepsWhatTheMassCarriesToRoundOff) {
  const std::vector<std::string> carrying{"--set", "physics.scalars=[fraction]"};
  ASSERT_EQ(tayra({"run", "a.yaml", "--force", carrying[0], carrying[1]}).code, 0);
  ASSERT_EQ(refine({"--set", "grid.cells=[16, 12, 24]", carrying[0], carrying[1]}).code, 0);
  const auto before = carried(path("coarse/checkpoints/000040.h5"), {8, 6, 12});
  const auto after = carried(path("fine/checkpoints/000040.h5"), {16, 12, 24});
  EXPECT_NEAR(after[0], before[0], 1e-14 * before[0]);
  EXPECT_GE(after[1], 0);
  EXPECT_LE(after[2], 1);
}

// Slopes that leaned the wrong way would add to it, none at all would leave steps.
TEST_F(Refine, AddsNoWiggles) {
  EXPECT_EQ(refine({"--set", "grid.cells=[8,6,24]"}).code, 0);
  EXPECT_NEAR(variation_along_z(path("coarse/checkpoints/000040.h5"), {8, 6, 12}),
              variation_along_z(path("fine/checkpoints/000040.h5"), {8, 6, 24}), 1e-14);
}

TEST_F(Refine, LeavesAGasWhereTheBackgroundFallsByMoreThanACellHas) {
  const std::string coarse = path("coarse/checkpoints/000040.h5");
  constexpr int z = 2, word = 8 * 6, cell = 20;  // at rest there
  const double energy = 0.01;
  {
    const CheckpointFile file(coarse);
    const CheckpointHead head = file.head();
    std::vector<double> numbers = numbers_of(file);
    for (int v = 1; v < 4; ++v) numbers[(5 * z + v) * word + cell] = 0;
    numbers[(5 * z + 4) * word + cell] = energy - background_energy({8, 6, 12}, z);
    write_checkpoint(coarse, head, numbers);
  }
  ASSERT_GT(background_energy({8, 6, 12}, z) - background_energy({8, 6, 24}, 2 * z + 1), energy);
  ASSERT_EQ(refine({"--set", "grid.cells=[8,6,24]"}).code, 0);
  const std::vector<double> numbers = numbers_of(CheckpointFile(path("fine/checkpoints/000040.h5")));
  for (const int plane : {2 * z, 2 * z + 1})
    EXPECT_NEAR(numbers[(5 * plane + 4) * word + cell] + background_energy({8, 6, 24}, plane), energy, 1e-12);
}

TEST_F(Refine, LeavesAGasWhereAChildOnItsSlopesWouldBeFasterThanItsEnergyAllows) {
  const std::string coarse = path("coarse/checkpoints/000040.h5");
  constexpr int z = 5, word = 8 * 6, cell = 20;
  {
    const CheckpointFile file(coarse);
    const CheckpointHead head = file.head();
    std::vector<double> numbers = numbers_of(file);
    const auto put = [&](int plane, double momentum, double energy) {
      const double all[]{1, 0, 0, momentum, energy - background_energy({8, 6, 12}, z)};
      for (int v = 0; v < 5; ++v) numbers[(5 * plane + v) * word + cell] = all[v];
    };
    put(z - 1, 1, 0.85);
    put(z, 1.3, 0.85);
    put(z + 1, 1.6, 1.7);
    write_checkpoint(coarse, head, numbers);
  }
  ASSERT_EQ(refine({"--set", "grid.cells=[8,6,24]"}).code, 0);
  const std::vector<double> numbers = numbers_of(CheckpointFile(path("fine/checkpoints/000040.h5")));
  for (const int plane : {2 * z, 2 * z + 1}) {
    const auto value = [&](int v) { return numbers[(5 * plane + v) * word + cell]; };
    EXPECT_GT(value(4) + background_energy({8, 6, 24}, plane), 0.5 * value(3) * value(3) / value(0));
  }
}

TEST_F(Refine, TakesMomentumAcrossAMirrorForZeroAtTheMirror) {
  const std::string coarse = path("coarse/checkpoints/000040.h5"), mirror = "grid.boundary.y=mirror";
  ASSERT_EQ(tayra({"run", "a.yaml", "--force", "--set", mirror}).code, 0);
  const auto towards = [](int cell) { return 1e-3 * (cell + 0.5); };
  {
    const CheckpointFile file(coarse);
    const CheckpointHead head = file.head();
    std::vector<double> numbers = numbers_of(file);
    for (int z = 0; z < 12; ++z)
      for (int y = 0; y < 6; ++y)
        for (int x = 0; x < 8; ++x) {
          numbers[((5 * z + 1) * 6 + y) * 8 + x] = towards(x);
          numbers[((5 * z + 2) * 6 + y) * 8 + x] = towards(y);
          numbers[((5 * z + 3) * 6 + y) * 8 + x] = towards(z);
        }
    write_checkpoint(coarse, head, numbers);
  }
  ASSERT_EQ(refine({"--set", mirror, "--set", "grid.cells=[16,12,24]"}).code, 0);
  const std::vector<double> fine = numbers_of(CheckpointFile(path("fine/checkpoints/000040.h5")));
  for (const int near : {0, 1, 2, 3}) {
    EXPECT_NEAR(fine[((5 * 2 + 1) * 12 + 3) * 16 + near], towards(near) / 2, 1e-15) << "along x";
    EXPECT_NEAR(fine[((5 * 2 + 2) * 12 + near) * 16 + 2], towards(near) / 2, 1e-15) << "along y";
    EXPECT_NEAR(fine[((5 * near + 3) * 12 + 3) * 16 + 2], towards(near) / 2, 1e-15) << "along z";
  }
}

TEST_F(Refine, TakesTheFirstStepByTheFastestChild) {
  const auto rate = [&](const char* run) {
    return CheckpointFile(path(std::string(run) + "/checkpoints/000040.h5"))
        .head()
        .position.clock.last.signal_rate;
  };
  EXPECT_EQ(refine({}).code, 0);
  EXPECT_NEAR(rate("fine"), rate("coarse"), 1e-12 * rate("coarse")) << "the same cells";
  EXPECT_EQ(tayra({"refine", "coarse", "a.yaml", "--output", "finer", "--set", "grid.cells=[16,12,24]"}).code,
            0);
  EXPECT_GT(rate("finer"), 2 * rate("coarse")) << "some child is faster than its parent";
}

TEST_F(Refine, HalvesTheStepsOfASmoothProfile) {
  EXPECT_EQ(refine({"--set", "grid.cells=[8,6,24]"}).code, 0);
  const std::vector<double> state = numbers_of(CheckpointFile(path("fine/checkpoints/000040.h5")));
  const auto density = [&](int z) { return state[z * state.size() / 24]; };
  const double inside = density(11) - density(10), across = density(12) - density(11);
  EXPECT_GT(inside, 0);
  EXPECT_LT(across, 2 * inside) << "halves of one cell differ as neighbours do";
}

TEST_F(Refine, ToAnotherPrecisionAndBackChangesNothingElse) {
  const auto before = totals(path("coarse/checkpoints/000040.h5"), {8, 6, 12});
  EXPECT_EQ(refine({"--set", "numerics.precision=single"}).code, 0);
  expect_close(before, totals(path("fine/checkpoints/000040.h5"), {8, 6, 12}), 1e-8);
  EXPECT_EQ(tayra({"refine", "fine", "a.yaml", "--output", "again"}).code, 0);
  expect_close(totals(path("fine/checkpoints/000040.h5"), {8, 6, 12}),
               totals(path("again/checkpoints/000040.h5"), {8, 6, 12}), 1e-16);
}

TEST_F(Refine, TakesTheNewestCheckpointOfARun) {
  ASSERT_EQ(tayra({"run", "a.yaml", "--force", "--set", "output.checkpoints.every_steps=15"}).code, 0);
  ASSERT_TRUE(fs::exists(path("coarse/checkpoints/000030.h5")));
  EXPECT_EQ(refine({}).code, 0);
  EXPECT_TRUE(fs::exists(path("fine/checkpoints/000040.h5")));
}

TEST_F(Refine, MakesARunThatGoesOn) {
  const std::string finer = "grid.cells=[16,12,24]";
  const ProcessEnd made = refine({"--set", finer});
  EXPECT_THAT(made.output, HasSubstr("tayra run a.yaml --output fine --set '" + finer + "' --resume"));
  const ProcessEnd end =
      tayra({"run", "a.yaml", "--output", "fine", "--resume", "--set", finer, "--set", "run.steps=60"});
  EXPECT_EQ(end.code, 0) << end.errors;
  std::istringstream rows(text_of(path("fine/diagnostics.csv")));
  std::string header, first;
  std::getline(rows, header);
  std::getline(rows, first);
  EXPECT_TRUE(first.starts_with("40,")) << first;
  EXPECT_TRUE(fs::exists(path("fine/snapshots/000001.vtkhdf"))) << "one at the start, one at the end";
}

TEST_F(Refine, SaysHowToGoOnInWordsThatAShellReads) {
  fs::rename(path("a.yaml"), path("my a.yaml"));
  const ProcessEnd made =
      tayra({"refine", "coarse", "my a.yaml", "--output", "it's fine", "--set", "run.steps=60"});
  EXPECT_EQ(made.code, 0) << made.errors;
  const auto command = made.output.find("tayra run ");
  ASSERT_NE(command, std::string::npos) << made.output;
  const ProcessEnd end =
      run_shell(TAYRA_BINARY + made.output.substr(command + std::string("tayra").size()), folder_.path());
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_TRUE(fs::exists(path("it's fine/checkpoints/000060.h5")));
}

TEST_F(Refine, SaysWhatItChanges) {
  EXPECT_THAT(
      refine({"--set", "numerics.scheme=roe3"}).output,
      HasSubstr("changed from coarse/checkpoints/000040.h5: numerics.scheme is muscl there, roe3 here\n"));
}

TEST_F(Refine, RefusesAConfigThatLiesWhereTheRunsOwnWould) {
  fs::create_directory(path("fine"));
  write_file(path("fine/config.yaml"), config);
  const ProcessEnd end = tayra({"refine", "coarse", "fine/config.yaml", "--output", "fine"});
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, HasSubstr("fine/config.yaml lies where the run would write its own config.yaml"));
}

TEST_F(Refine, RefusesAnotherFlowAndOtherGrids) {
  EXPECT_THAT(refine({"--set", "problem.atwood=0.5"}).errors,
              HasSubstr("problem.atwood is 0.7 there, 0.5 here"));
  EXPECT_THAT(refine({"--set", "grid.upper=[1,0.75,2]"}).errors,
              HasSubstr("is of another flow: grid.upper is "));
  EXPECT_THAT(refine({"--set", "grid.boundary.x=periodic"}).errors,
              HasSubstr("grid.boundary.x is mirror there"));
  EXPECT_THAT(refine({"--set", "grid.cells=[8,6,36]"}).errors,
              HasSubstr("grid.cells: 36 along z, where coarse/checkpoints/000040.h5 has 12: take 12 or 24"));
  EXPECT_THAT(refine({"--set", "run.steps=39"}).errors, HasSubstr("is at step 40, past run.steps 39"));
  EXPECT_FALSE(fs::exists(path("fine"))) << "left by what was refused";
  EXPECT_THAT(tayra({"refine", "coarse", "a.yaml"}).errors,
              AllOf(HasSubstr("already holds the results of a run"), Not(HasSubstr("--force"))));
  const ProcessEnd of_nothing = tayra({"refine", "nosuch", "a.yaml"});
  EXPECT_EQ(of_nothing.code, 2);
  EXPECT_THAT(of_nothing.errors, HasSubstr("nosuch: no such run or checkpoint"));
  fs::create_symlink("circle", path("circle"));
  const ProcessEnd of_circle = tayra({"refine", "circle", "a.yaml"});
  EXPECT_EQ(of_circle.code, 2);
  EXPECT_THAT(of_circle.errors, HasSubstr("circle: can't be read ("));
  const ProcessEnd of_a_snapshot = tayra({"refine", "coarse/snapshots/000000.vtkhdf", "a.yaml"});
  EXPECT_EQ(of_a_snapshot.code, 2);
  EXPECT_THAT(of_a_snapshot.errors,
              ::testing::StartsWith(
                  "tayra: coarse/snapshots/000000.vtkhdf: is a snapshot: name a run's directory, or one of "
                  "its checkpoints"));
}

}  // namespace
}  // namespace tayra
