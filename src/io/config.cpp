// From a document to the members that keys are bound to, and back to YAML.
#include "io/config.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <set>

#include "io/config_document.hpp"
#include "io/config_keys.hpp"
#include "io/config_reading.hpp"
#include "solver/audit.hpp"
#include "solver/placement.hpp"
#include "solver/profiles.hpp"

namespace tayra {
namespace {

/// Other sections say where the flow is computed and what is written.
bool decides_flow(const std::string& section) {
  return section == "problem" || section == "grid" || section == "physics" || section == "numerics";
}

/// Whose rules there are for what older versions did not write down.
enum class Version { this_one, older };

/// What is derived comes last, of a problem behind all others: it may follow from any of them.
void fill(const Key& keys, const std::set<std::string>& given, Version version = Version::this_one) {
  for (const int turn : {0, 1, 2})
    for_each_key(keys, [&](const std::string& path, const Key& key) {
      const Rules& rules = key.rules;
      const int own_turn = !lies_in(path, "problem") ? 0 : rules.derived ? 2 : 1;
      if (own_turn != turn || given.contains(path)) return;
      const bool as_formerly = version == Version::older && rules.formerly;
      const auto& of_now = rules.derived ? rules.derived : rules.adapted;
      if (const auto& fill = as_formerly ? rules.formerly : of_now) fill();
    });
}

bool has_value(const Key& key) {
  return key.is_section() ? std::any_of(key.keys.begin(), key.keys.end(), has_value)
                          : !key.get().empty() || !key.word.empty();
}

void write_section(YAML::Emitter& yaml, const Key& section) {
  yaml << YAML::BeginMap;
  for (const Key& key : section.keys) {
    if (!has_value(key)) continue;
    yaml << YAML::Key << key.name << YAML::Value;
    key.is_section() ? write_section(yaml, key) : write_value(yaml, key);
  }
  yaml << YAML::EndMap;
}

std::string to_yaml(const Key& keys) {
  YAML::Emitter yaml;
  write_section(yaml, keys);
  return std::string(yaml.c_str()) + "\n";
}

std::string flow_to_yaml(Key keys) {
  std::erase_if(keys.keys, [](const Key& section) { return !decides_flow(section.name); });
  return to_yaml(keys);
}

/// The part that decides the flow of a config that an older version may have resolved, with the values that
/// keys have which it did not know or did not write. Nothing where there is no config of a flow.
std::optional<std::string> completed_flow(const std::string& resolved) {
  try {
    ConfigDocument document = read_config_text(resolved, "");
    rename_old_keys(document);
    Config config;
    const Key keys = keys_for(document, config);
    fill(keys, read_given("", document, keys), Version::older);
    return flow_to_yaml(keys);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// A run that goes on keeps what followed from other keys of its problem. Where it was another flow, whoever
/// compares the two says so.
void keep_derived(ConfigDocument& document, const std::string& continued, const Config& config,
                  const Key& keys) {
  const auto flow = completed_flow(continued);
  if (!flow) return;
  const ConfigDocument before = read_config_text(*flow, "");
  for_each_key(keys, [&](const std::string& path, const Key& key) {
    if (!key.rules.derived || !lies_in(path, "problem") || config.places.contains(path)) return;
    if (const ConfigEntry* entry = find_entry(before, path)) document.push_back(*entry);
  });
}

DeviceKind resolve_device(const Config& config) {
  const int gpus = config.solver.gpus;
  if (config.device == "cpu" && gpus > 1)
    throw config_error(
        config, ExitCode::bad_input, "run.gpus",
        fmt::format("{} GPUs, with device cpu: set run.device to cuda, or run.gpus to 1", gpus));
  const bool none_needed = config.device == "auto" && gpus == 1 && cuda_devices().empty();
  return config.device == "cpu" || none_needed ? DeviceKind::cpu : DeviceKind::cuda;
}

void require_devices(const Config& config) {
  const std::string missing = missing_devices(config.solver);
  if (!missing.empty())
    throw config_error(config, ExitCode::unavailable, config.solver.gpus > 1 ? "run.gpus" : "run.device",
                       missing);
}

std::string text_of(const YamlNode& node) {
  if (node.is_null()) return "null";
  if (node.is_scalar()) return node.text;
  std::vector<std::string> texts;
  for (const YamlNode& item : node.items) texts.push_back(text_of(item));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

/// Resolved configs spell equal values alike.
std::map<std::string, std::string> values_of_flow(const std::string& text) {
  std::map<std::string, std::string> values;
  for (const ConfigEntry& entry : read_config_text(text, "the config to go on from"))
    if (!entry.value.is_section() && decides_flow(entry.key.substr(0, entry.key.find('.'))))
      values[entry.key] = text_of(entry.value);
  return values;
}

std::unique_ptr<Problem> unchecked_problem(const Config& config) {
  try {
    return config.problem_keys->make(config.solver);
  } catch (const Error& error) {  // a problem doesn't know where its keys were written
    const std::string message = error.what();
    const auto colon = message.find(": ");
    if (error.code() != ExitCode::bad_input || colon == std::string::npos) throw;
    const std::string key = message.substr(0, colon);  // one of the problem's, or physics.KEY
    throw config_error(config, ExitCode::bad_input, key.starts_with("physics.") ? key : "problem." + key,
                       message.substr(colon + 2));
  }
}

}  // namespace

void write_value(YAML::Emitter& yaml, const Key& key) {
  const Value value = key.get();
  if (value.empty()) {
    yaml << key.word;
    return;
  }
  const bool is_table = key.may_vary && value.size() > 1;
  if (key.is_list || is_table) yaml << YAML::Flow << YAML::BeginSeq;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (is_table && i % 2 == 0) yaml << YAML::BeginSeq;
    std::visit(
        [&](const auto& held) {
          if constexpr (std::floating_point<std::decay_t<decltype(held)>>)
            yaml << fmt::format("{}", held);  // every bit
          else
            yaml << held;
        },
        value[i]);
    if (is_table && i % 2 == 1) yaml << YAML::EndSeq;
  }
  if (key.is_list || is_table) yaml << YAML::EndSeq;
}

Json json_value(const Key& key) {
  Json list = Json::array();
  for (const Scalar& scalar : key.get()) {
    const Json value = std::visit([](const auto& held) { return Json(held); }, scalar);
    if (!key.is_list) return value;
    list.push(value);
  }
  return list;
}

Config load_config(const std::string& file, const std::vector<Override>& overrides, Devices devices,
                   const std::string& continued) {
  ConfigDocument document = read_config_file(file, overrides);
  Config config;
  config.file = file;
  config.renamed = rename_old_keys(document);
  for (const ConfigEntry& entry : document)
    if (!entry.is_removed) config.places[entry.key] = entry.place;
  const Key keys = keys_for(document, config);
  keep_derived(document, continued, config, keys);
  fill(keys, read_given(file, document, keys));
  for_each_key(keys, [&](const std::string& path, const Key& key) {
    if (key.rules.derived && lies_in(path, "problem") && !config.places.contains(path) && has_value(key))
      config.derived[path] = json_value(key);
  });
  if (config.statistics.are_wanted()) config.solver.rows_apart = profile_rows;
  const auto can_be_audited = [&](const SolverSettings& cut) {
    return !config.audit_every_steps || has_auditable_planes(cut);
  };
  config.solver.cut_y = config.cut_y ? *config.cut_y : likely_cut(config.solver, can_be_audited);
  check_together(config);
  config.solver.device = resolve_device(config);
  if (devices == Devices::here) require_devices(config);
  config.device = config.solver.device == DeviceKind::cuda ? "cuda" : "cpu";
  config.resolved_yaml = to_yaml(keys);
  config.flow_yaml = flow_to_yaml(keys);
  return config;
}

std::vector<std::string> differing_keys(const std::string& there, const std::string& here) {
  auto before = values_of_flow(completed_flow(there).value_or(there)), now = values_of_flow(here);
  for (const auto& [key, value] : now) before.try_emplace(key, "not given");
  std::vector<std::string> differing;
  for (const auto& [key, old] : before)
    if (const auto& value = now.try_emplace(key, "not given").first->second; value != old)
      differing.push_back(fmt::format("{} is {} there, {} here", key, old, value));
  return differing;
}

bool gravity_changes(const std::string& there, const Config& here) {
  const auto differing = differing_keys(there, here.flow_yaml);
  if (differing.size() != 1 || !differing.front().starts_with("physics.gravity is ")) return false;
  const ConfigDocument document = read_config_text(there, "the config to go on from");
  Config before;
  read_given("", document, keys_for(document, before));
  return here.solver.gravity_course.varies() && before.solver.gravity == here.solver.gravity;
}

std::unique_ptr<Problem> make_problem(const Config& config) {
  auto problem = unchecked_problem(config);
  check_statistics(config, *problem);
  return problem;
}

std::vector<const PartSettings*> parts_in_files(const Config& config) {
  std::vector<const PartSettings*> parts;
  for (const PartSettings& part : config.parts)
    if (!part.second.one_file) parts.push_back(&part);
  return parts;
}

std::vector<const PartSettings*> parts_in_one_file(const Config& config) {
  std::vector<const PartSettings*> parts;
  for (const PartSettings& part : config.parts)
    if (part.second.one_file) parts.push_back(&part);
  return parts;
}

Error config_error(const Config& config, ExitCode code, const std::string& key, const std::string& problem) {
  const auto given = config.places.find(key);
  const std::string& place = given == config.places.end() ? config.file : given->second;
  return Error(code, fmt::format("{}: {}: {}", place, key, problem));
}

}  // namespace tayra
