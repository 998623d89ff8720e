// Tests of the keys of a config and of the JSON schema made from them.
#include <gmock/gmock.h>
#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <fstream>
#include <regex>

#include "core/error.hpp"
#include "io/config.hpp"
#include "io/config_keys.hpp"
#include "io/config_reading.hpp"
#include "io/generated_file.hpp"
#include "io/json.hpp"
#include "io/temporary_directory.hpp"
#include "solver/simulation.hpp"

namespace tayra {
namespace {

using testing::IsEmpty;
using testing::Not;

/// act(path, key) for every key of every problem and of a part.
template <class Act>
void for_all_keys(const Act& act) {
  for (const ProblemEntry& entry : problem_registry()) {
    Config config = config_of_documents();
    config.problem_keys = entry.keys();
    for_each_key(config_keys(config), act);
  }
}

TEST(ConfigKeys, SayWhatTheyMean) {
  for_all_keys([](const std::string& path, const Key& key) {
    EXPECT_THAT(key.meaning, Not(IsEmpty())) << path;
    EXPECT_TRUE(!key.rules.derived || key.meaning.find(". Default: ") != std::string::npos) << path;
  });
}

/// What a file would hold of a value.
ConfigEntry entry_of(const std::string& key, const Json& value) {
  return {key, *parse_yaml(value.text(), [](int) { return ""; }), "the default"};
}

TEST(ConfigKeys, HaveDefaultsThatTheyTake) {
  for_all_keys([](const std::string& path, const Key& key) {
    if (!has_default(key)) return;
    EXPECT_EQ(read_value(key, entry_of(path, json_value(key))), key.get()) << path;
  });
}

TEST(ConfigKeys, HoldWhatTheyAreSetTo) {
  Config config;
  const Key keys = config_keys(config);
  keys.find("output")->find("on_write_error")->set({std::string("warn")});
  keys.find("grid")->find("upper")->set({1., 2., 3.});
  keys.find("run")->find("steps")->set({std::int64_t{7}});
  EXPECT_EQ(config.on_write_error, OnWriteError::warn);
  EXPECT_EQ(config.solver.grid.upper, (Vec3{1, 2, 3}));
  EXPECT_EQ(config.limits.steps, 7);
  EXPECT_EQ(json_value(*keys.find("grid")->find("upper")).text(), "[1, 2, 3]");
  EXPECT_TRUE(keys.find("run")->find("time")->get().empty()) << "unset";
}

TEST(ConfigKeys, DescribeWhatTheyExpect) {
  Config config;
  const Key keys = config_keys(config);
  EXPECT_EQ(expectation(*keys.find("numerics")->find("cfl")), "a number above 0 and at most 1");
  EXPECT_EQ(expectation(*keys.find("run")->find("device")), "one of: auto, cpu, cuda");
  EXPECT_EQ(expectation(*keys.find("grid")->find("cells")),
            "a list of 3 whole numbers, each at least 1 and at most 65536");
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
    const auto own = problem.keys();
    const ProblemSetting setting;
    for (const Key& key : own->keys(setting))
      EXPECT_TRUE(cases[i]["then"]["properties"][key.name]) << key.name;
  }
}

/// Whether a config with this line and no mistake beside it is read.
bool loader_takes(const std::string& line, const std::string& problem = "{name: rt_multi}") {
  const TemporaryDirectory folder;
  std::ofstream(folder.path("a.yaml"))
      << "problem: " + problem + "\ngrid: {cells: [16, 16, 16]}\n"
      << (line.starts_with("run:") ? "" : "run: {steps: 1}\n") << line << "\n";
  try {
    load_config(folder.path("a.yaml"), {});
    return true;
  } catch (const Error&) {
    return false;
  }
}

TEST(ConfigJsonSchema, KnowsTheNamesOfPartsThatTheLoaderTakes) {
  const YAML::Node parts = json_schema()["properties"]["output"]["properties"]["parts"];
  const std::regex pattern(parts["propertyNames"]["pattern"].as<std::string>());
  for (char character = 1; character < 127; ++character) {
    if (character == '.') continue;  // which is not a name's to the loader, but a key that is not nested
    const std::string name{'a', character};
    const bool taken = loader_takes("output: {parts: {" + json_quoted(name) + ": {every_steps: 1}}}");
    EXPECT_EQ(std::regex_search(name, pattern), taken) << "character " << int(character);
  }
  EXPECT_FALSE(std::regex_search("a.b", pattern));
  EXPECT_FALSE(loader_takes("output: {parts: {\"a.b\": {}}}"));
  EXPECT_FALSE(std::regex_search("", pattern));
  EXPECT_FALSE(loader_takes("output: {parts: {\"\": {}}}"));
}

TEST(ConfigJsonSchema, RefusesAFieldNamedTwiceAsTheLoaderDoes) {
  const YAML::Node output = json_schema()["properties"]["output"]["properties"];
  EXPECT_TRUE(output["snapshots"]["properties"]["fields"]["uniqueItems"].as<bool>());
  EXPECT_TRUE(output["parts"]["additionalProperties"]["properties"]["fields"]["uniqueItems"].as<bool>());
  EXPECT_TRUE(loader_takes("output: {snapshots: {fields: [density, pressure]}}"));
  EXPECT_FALSE(loader_takes("output: {snapshots: {fields: [density, density]}}"));
  EXPECT_FALSE(json_schema()["properties"]["grid"]["properties"]["cells"]["uniqueItems"]);
}

TEST(ConfigJsonSchema, RefusesAnEmptyDirectoryAsTheLoaderDoes) {
  const YAML::Node directory = json_schema()["properties"]["output"]["properties"]["directory"];
  EXPECT_EQ(directory["minLength"].as<int>(), 1);
  EXPECT_TRUE(loader_takes("output: {directory: a}"));
  EXPECT_FALSE(loader_takes("output: {directory: \"\"}"));
}

TEST(ConfigJsonSchema, TakesADirectoryThatYamlReadsAsANumber) {
  const YAML::Node types = json_schema()["properties"]["output"]["properties"]["directory"]["type"];
  const auto names = types.as<std::vector<std::string>>();
  for (const auto& [value, type] : {std::pair{"2024", "number"}, {"true", "boolean"}, {"a", "string"}}) {
    EXPECT_TRUE(loader_takes(std::string("output: {directory: ") + value + "}"));
    EXPECT_THAT(names, testing::Contains(type));
  }
}

TEST(ConfigJsonSchema, TakesWholeNumbersAsFarAsTheLoaderDoes) {
  const auto most = json_schema()["properties"]["run"]["properties"]["steps"]["maximum"].as<std::int64_t>();
  EXPECT_TRUE(loader_takes("run: {steps: " + std::to_string(most) + "}"));
  EXPECT_FALSE(loader_takes("run: {steps: " + std::to_string(most + 1) + "}"));
  EXPECT_TRUE(loader_takes("", "{name: rt_multi, seed: " + std::to_string(most) + "}"));
  EXPECT_FALSE(loader_takes("", "{name: rt_multi, seed: " + std::to_string(most + 1) + "}"));
}

/// Those of each element, where it is a list.
YAML::Node limits_of(const YAML::Node& key) { return key["items"] ? key["items"] : key; }

TEST(ConfigJsonSchema, HasALimitBothWaysForEveryWholeNumber) {
  for (const YAML::Node& one : json_schema()["properties"]["problem"]["allOf"])
    for (const auto& key : one["then"]["properties"]) {
      const YAML::Node limits = limits_of(key.second);
      if (!limits["type"].IsScalar() || limits["type"].as<std::string>() != "integer") continue;
      EXPECT_TRUE(limits["minimum"]) << key.first;
      EXPECT_TRUE(limits["maximum"]) << key.first;
    }
}

TEST(ConfigJsonSchema, IsTheOneThatShips) {
  expect_generated(TAYRA_SOURCE_DIR "/configs/schema.json", config_json_schema());
}

}  // namespace
}  // namespace tayra
