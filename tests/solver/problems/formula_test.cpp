// Starts of the user's own: each of the other problems, written as formulas, starts as it does itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "solver/problem_maker.hpp"

namespace tayra::testing {
namespace {

using ::testing::HasSubstr;
using Texts = std::vector<std::string>;

std::array<std::string, 3> along(const char* x, const char* y = "0", const char* z = "0") {
  return {x, y, z};
}

struct Twin {
  std::string name;
  Keys keys;     // of the problem
  Keys formula;  // the same flow
  double upper_z = 1;
};

const Texts two_layers{"heavy = 1", "light = 1 / 3", "d = 0.15", "f = 0.5 * (1 + tanh((z - 1 - rise) / d))"};
Texts layers_that_rise(const std::string& rise) {
  Texts all{"rise = " + rise};
  all.insert(all.end(), two_layers.begin(), two_layers.end());
  return all;
}
/// Under gravity -1; the pressure of 20 is the default.
Keys of_layers(const std::string& rise, double pressure) {
  return {{"define", layers_that_rise(rise)},
          {"density", text("(1 - f) * light + f * heavy")},
          {"background.density", text("light + (heavy - light) * 0.5 * (1 + tanh((z - 1) / d))")},
          {"background.pressure", pressure}};
}

const std::vector<Twin> twins{
    {"rt_single",
     {{"thickness", 0.15}, {"amplitude", 0.01}, {"pressure", 10.}},
     of_layers("0.01 * cos(2 * pi * (x - lx / 2) / lx) * cos(2 * pi * (y - ly / 2) / ly)", 10.),
     2},
    {"rt_multi",
     {{"thickness", 0.15},
      {"amplitude", 0.01},
      {"modes", whole({2, 4})},
      {"seed", std::uint64_t{3}},
      {"pressure", 7.}},
     of_layers("0.01 * random(3, 2, 4)", 7.),
     2},
    {"hydrostatic", {{"thickness", 0.15}, {"pressure", 5.}}, of_layers("0", 5.), 2},
    {"hydrostatic",  // with a sharp interface between cells
     {{"pressure", 5.}},
     {{"background.density", text("z < 1 ? 1 / 3 : 1")}, {"background.pressure", 5.}},
     2},
    {"hydrostatic",
     {{"atwood", 0.}, {"profile", text("isothermal")}, {"pressure", 2.}},
     {{"background.density", text("exp(gravity * (z - 1) / 2)")}, {"background.pressure", 2.}},
     2},
    {"entropy_wave",
     {},
     {{"density", text("1 + 0.2 * sin(2 * pi * (x / lx + y / ly + z / lz - 1.5))")},
      {"velocity", along("1", "1", "1")},
      {"pressure", text("1 / gamma")}}},
    {"simple_wave",
     {{"direction", whole({2, 0, 0})}},
     {{"define", Texts{"v = 0.3 * sin(4 * pi * (x / lx - 0.5))", "c = 1 + 0.5 * (gamma - 1) * v"}},
      {"density", text("c ^ (2 / (gamma - 1))")},
      {"velocity", along("v")},
      {"pressure", text("c ^ (2 * gamma / (gamma - 1)) / gamma")}}},
    {"acoustic_wave",
     {{"direction", whole({0, 0, 1})}},
     {{"define", Texts{"v = 0.001 * sin(2 * pi * (z / lz - 0.5))", "c = 1 + 0.5 * (gamma - 1) * v"}},
      {"density", text("c ^ (2 / (gamma - 1))")},
      {"velocity", along("0", "0", "v")},
      {"pressure", text("c ^ (2 * gamma / (gamma - 1)) / gamma")}}},
    {"vortex",
     {},
     {{"define", Texts{"a = 2 * (x - 0.5)", "b = 2 * (y - 0.5)", "s = min(a^2 + b^2, 1)",
                       "turn = 0.5 * sqrt(13) * ((1 - s) / (1 - 1 / 13)) ^ 6",
                       "c2 = 1 - (gamma - 1) * turn^2 * (1 - s) / 26"}},
      {"density", text("c2 ^ (1 / (gamma - 1))")},
      {"velocity", along("0.5 - turn * b", "0.25 + turn * a")},
      {"pressure", text("c2 ^ (gamma / (gamma - 1)) / gamma")}}},
    {"shock_tube", {}, {{"density", text("x < 0.5 ? 1 : 0.125")}, {"pressure", text("x < 0.5 ? 1 : 0.1")}}},
    {"shu_osher",
     {},
     {{"define", Texts{"s = 10 * (x / lx - 0.5)", "behind = s < -4"}},
      {"density", text("behind ? 3.857143 : 1 + 0.2 * sin(5 * s)")},
      {"velocity", along("behind ? 2.629369 : 0")},
      {"pressure", text("behind ? 10.33333 : 1")}}},
    {"blast", {{"energy", 0.}, {"density", 2.}}, {{"density", text("2")}, {"pressure", text("1e-3")}}},
    {"kelvin_helmholtz",
     {},
     {{"define", Texts{"depth = 0.25 - abs(y / ly - 0.5)", "tail = 0.5 * exp(-abs(depth) / 0.025)",
                       "inner = depth < 0 ? tail : 1 - tail"}},
      {"density", text("1 + inner")},
      {"velocity", along("0.5 - inner", "0.01 * sin(4 * pi * x / lx)")},
      {"pressure", text("2.5")}}},
};

TEST(FormulaProblem, StartsAsAnyOtherProblemDoes) {
  for (const Twin& twin : twins) {
    const ProblemSetting setting = setting_of(twin.name, {12, 16, 20}, {1, 1, twin.upper_z});
    const auto problem = make_problem(twin.name, setting, twin.keys);
    const auto formula = make_problem("formula", setting, twin.formula);
    double worst = 0;
    const auto compare = [&](double expected, double found) {
      worst = std::max(worst, std::abs(found - expected) / std::max(1., std::abs(expected)));
    };
    for (int z = 0; z < 20; ++z) {
      const Background rest = problem->background(setting.grid.centre(2, z));
      const Background found = formula->background(setting.grid.centre(2, z));
      if (rest.density > 0) {
        compare(rest.density, found.density);
        compare(rest.pressure, found.pressure);
      }
      for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 12; ++x) {
          const Point point = setting.grid.point(x, y, z);
          const Primitive expected = problem->initial(point), gas = formula->initial(point);
          compare(expected.density, gas.density);
          compare(expected.pressure, gas.pressure);
          for (int i = 0; i < 3; ++i) compare(expected.velocity[i], gas.velocity[i]);
        }
    }
    EXPECT_LT(worst, 2e-14) << twin.name;
  }
}

std::string refusal_of(const Keys& keys) {
  return refusal("formula", setting_of("formula", {8, 8, 8}), keys);
}

TEST(FormulaProblem, NamesTheExpressionAndThePlaceInIt) {
  EXPECT_THAT(refusal_of({{"density", text("1 +* 2")}}), AllOf(::testing::StartsWith("density: in '1 +* 2'"),
                                                               HasSubstr("\"*\""), HasSubstr("position 3")));
  EXPECT_THAT(refusal_of({{"velocity", along("0", "swirl", "0")}}),
              AllOf(::testing::StartsWith("velocity: in 'swirl'"), HasSubstr("\"swirl\"")));
  EXPECT_THAT(refusal_of({{"define", Texts{"a = 1", "b = a +"}}}),
              ::testing::StartsWith("define: in 'b = a +'"));
}

TEST(FormulaProblem, RefusesNamesThatMeanNothingOrSomethingElse) {
  EXPECT_THAT(refusal_of({{"define", Texts{"1 + 2"}}}), HasSubstr("'1 + 2' defines nothing"));
  EXPECT_THAT(refusal_of({{"define", Texts{"rho(z) = z"}}}), HasSubstr("defines nothing"));
  EXPECT_THAT(refusal_of({{"define", Texts{"a = 1", "a = 2"}}}), HasSubstr("'a' has a meaning already"));
  EXPECT_THAT(refusal_of({{"define", Texts{"2a = 1"}}}), HasSubstr("defines nothing"));
  for (const char* taken : {"x", "pi", "sin", "random"})
    EXPECT_THAT(refusal_of({{"define", Texts{taken + std::string(" = 1")}}}),
                HasSubstr("has a meaning already"));
}

TEST(FormulaProblem, RefusesABackgroundThatIsNoneOrVariesSideways) {
  EXPECT_THAT(refusal_of({{"background.density", text("1 + x")}}), HasSubstr("may depend on z alone"));
  EXPECT_THAT(refusal_of({{"background.density", text("z - 0.5")}}),
              ::testing::StartsWith("background.density"));
  ProblemSetting heavy = setting_of("formula", {8, 8, 8});
  heavy.gravity = -10;
  EXPECT_THAT(refusal("formula", heavy, {{"background.density", text("1")}}),
              ::testing::StartsWith("background.pressure"));
}

TEST(FormulaProblem, RefusesNoiseThatTheGridCannotHold) {
  EXPECT_THAT(refusal_of({{"density", text("2 + random(1, 2, 5)")}}), HasSubstr("5 waves along x"));
  EXPECT_THAT(refusal_of({{"density", text("2 + random(1, 3, 2)")}}),
              HasSubstr("the lowest must come first"));
  EXPECT_THAT(refusal_of({{"density", text("2 + random(0.5, 1, 2)")}}), HasSubstr("whole numbers"));
}

}  // namespace
}  // namespace tayra::testing
