// run.json read back, by the YAML library: JSON is YAML.
#include "io/run_attempts.hpp"

#include <yaml-cpp/yaml.h>

#include <cstdint>

#include "io/json_file.hpp"
#include "io/run_record.hpp"
#include "io/text_file.hpp"

namespace tayra {
namespace {

/// Nothing where there is no file, or none of ours.
YAML::Node read(const std::string& record) {
  if (!other_than_file(record).empty()) return YAML::Node(YAML::NodeType::Map);
  try {
    const YAML::Node node = YAML::LoadFile(record);
    return node.IsMap() ? node : YAML::Node(YAML::NodeType::Map);
  } catch (const YAML::Exception&) {
    return YAML::Node(YAML::NodeType::Map);
  }
}

/// Undefined where there is no such key, or what should have it is damaged and no map.
YAML::Node part_of(const YAML::Node& node, const char* key) {
  const YAML::Node none(YAML::NodeType::Map);
  return node && node.IsMap() ? node[key] : none[key];
}

Json summary_of(const YAML::Node& record) {
  const std::string status = record["status"].as<std::string>("");
  const bool untold = status == name_of(RunStatus::running);
  const YAML::Node machine = part_of(record, "machine"), slabs = part_of(machine, "slab_planes"),
                   from = part_of(part_of(record, "resumed_from"), "step");
  return Json::object()
      .set("started", json_of(record["started"]))
      .set("ended", json_of(record["ended"]))
      .set("ranks", json_of(part_of(machine, "ranks")))
      .set("slabs", slabs ? Json(slabs.size()) : Json())
      .set("from_step", from ? json_of(from) : Json(0))
      .set("status", untold ? name_of(RunStatus::lost) : status)
      .set("message",
           untold ? Json("killed, or its machine was lost, or its disk was full: its end was not recorded")
                  : json_of(record["message"]));
}

}  // namespace

Json attempts_until_now(const std::string& path) {
  const YAML::Node record = read(path);
  const YAML::Node earlier = record["attempts"];
  Json attempts = Json::array();
  if (!record["status"]) return attempts;
  if (earlier && earlier.IsSequence())
    for (const auto& attempt : earlier) attempts.push(json_of(attempt));
  return attempts.push(summary_of(record));
}

std::string status_of_attempt(const std::string& record) {
  return read(record)["status"].as<std::string>("");
}

std::optional<StepClock> end_of_attempt(const std::string& record) {
  const YAML::Node totals = read(record)["totals"];
  if (!totals || !totals.IsMap()) return std::nullopt;
  StepClock end;
  end.step = totals["steps"].as<std::int64_t>(0);
  end.time = totals["time"].as<double>(0);
  return end;
}

std::int64_t step_gone_on_from(const std::string& record) {
  return part_of(read(record)["resumed_from"], "step").as<std::int64_t>(-1);
}

std::optional<std::int64_t> first_step(const std::string& path) {
  const YAML::Node record = read(path), earlier = record["attempts"];
  if (!record["status"]) return std::nullopt;
  const bool has_earlier = earlier && earlier.IsSequence() && earlier.size() > 0;
  return (has_earlier ? part_of(earlier[0], "from_step") : part_of(record["resumed_from"], "step"))
      .as<std::int64_t>(0);
}

std::vector<std::string> missing_rows_told(const std::string& record) {
  const YAML::Node texts = read(record)["missing_rows"];
  std::vector<std::string> told;
  if (texts && texts.IsSequence())
    for (const auto& text : texts) told.push_back(text.as<std::string>(""));
  return told;
}

std::int64_t last_right_audit(const std::string& record) {
  return read(record)["last_right_audit"].as<std::int64_t>(INT64_MAX);
}

std::optional<ErrantGpu> gpu_that_erred(const std::string& path) {
  const YAML::Node record = read(path), gpu = record["gpu_that_erred"];
  if (!gpu) return std::nullopt;
  return ErrantGpu{gpu.as<int>(0), record["machine"]["ranks"].as<int>(1)};
}

void note_lost_attempt(const std::string& path, const std::string& why) {
  const YAML::Node record = read(path);
  if (!record["status"] || status_of_attempt(path) == name_of(RunStatus::lost)) return;
  Json closed = json_of(record);
  closed.set("status", name_of(RunStatus::lost)).set("message", why).set("ended", utc_now());
  write_text_file(path, closed.text() + "\n");
}

}  // namespace tayra
