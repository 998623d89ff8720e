// Tests of the table of keys and of the JSON schema made from it.
#include "io/config_schema.hpp"

#include <gmock/gmock.h>
#include <yaml-cpp/yaml.h>

#include "io/config_json_schema.hpp"
#include "io/temporary_directory.hpp"
#include "solver/simulation.hpp"

namespace tayra {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

TEST(ConfigSchema, HoldsTheKeysOfTheProblem) {
  const ConfigSchema schema(*find_problem("rt_single"));
  ASSERT_NE(schema.find("problem.atwood"), nullptr);
  EXPECT_EQ(ConfigSchema().find("problem.atwood"), nullptr);
  EXPECT_TRUE(schema.is_section("output.snapshots"));
  EXPECT_FALSE(schema.is_section("numerics.cfl"));
  EXPECT_THAT(schema.names_in("grid"), ElementsAre("cells", "lower", "upper", "boundary"));
}

TEST(ConfigSchema, SaysWhatEveryKeyMeans) {
  for (const auto& problem : problem_registry()) {
    const ConfigSchema schema(problem);
    for (const auto& key : schema.keys()) EXPECT_THAT(key.meaning, Not(IsEmpty())) << key.name;
  }
}

TEST(ConfigSchema, HasDefaultsWithinTheirOwnLimits) {
  for (const auto& problem : problem_registry()) {
    const ConfigSchema schema(problem);
    for (const auto& key : schema.keys()) {
      if (const auto* number = std::get_if<double>(&key.fallback)) {
        EXPECT_TRUE(!key.range.above || *number > *key.range.above) << key.name;
        EXPECT_TRUE(!key.range.at_least || *number >= *key.range.at_least) << key.name;
        EXPECT_TRUE(!key.range.below || *number < *key.range.below) << key.name;
        EXPECT_TRUE(!key.range.at_most || *number <= *key.range.at_most) << key.name;
      }
    }
  }
}

TEST(ConfigSchema, DescribesWhatAKeyExpects) {
  const ConfigSchema schema;
  EXPECT_EQ(expectation(*schema.find("numerics.cfl")), "a number above 0 and at most 1");
  EXPECT_EQ(expectation(*schema.find("run.device")), "one of: auto, cpu, cuda");
  EXPECT_EQ(expectation(*schema.find("grid.cells")),
            "a list of 3 whole numbers, each at least 4 and at most 65536");
}

// All JSON is YAML.
YAML::Node json_schema() { return YAML::Load(config_json_schema()); }

TEST(ConfigJsonSchema, AllowsNoOtherKeyInAnySection) {
  const YAML::Node schema = json_schema();
  EXPECT_FALSE(schema["additionalProperties"].as<bool>());
  for (const char* section : {"grid", "physics", "numerics", "run", "output"})
    EXPECT_FALSE(schema["properties"][section]["additionalProperties"].as<bool>()) << section;
}

TEST(ConfigJsonSchema, HasTheLimitsDefaultsAndChoicesOfTheTable) {
  const YAML::Node numerics = json_schema()["properties"]["numerics"]["properties"];
  EXPECT_EQ(numerics["cfl"]["exclusiveMinimum"].as<double>(), 0);
  EXPECT_EQ(numerics["cfl"]["maximum"].as<double>(), 1);
  EXPECT_EQ(numerics["scheme"]["default"].as<std::string>(), "muscl");
  EXPECT_EQ(numerics["scheme"]["enum"].as<std::vector<std::string>>(), scheme_names());
}

TEST(ConfigJsonSchema, ListsTheKeysOfEveryProblem) {
  const YAML::Node cases = json_schema()["properties"]["problem"]["allOf"];
  ASSERT_EQ(cases.size(), problem_registry().size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& problem = problem_registry()[i];
    EXPECT_EQ(cases[i]["if"]["properties"]["name"]["const"].as<std::string>(), problem.name);
    for (const auto& key : problem.keys)
      EXPECT_TRUE(cases[i]["then"]["properties"][key.name.substr(0, key.name.find('.'))]) << key.name;
  }
}

TEST(ConfigJsonSchema, IsTheOneThatShips) {
  EXPECT_EQ(text_of(TAYRA_SOURCE_DIR "/configs/schema.json"), config_json_schema())
      << "write it anew: tayra check --schema > configs/schema.json";
}

}  // namespace
}  // namespace tayra
