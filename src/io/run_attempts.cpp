// run.json read back.
#include "io/run_attempts.hpp"

#include <cstdint>
#include <optional>

#include "io/json_file.hpp"
#include "io/run_record.hpp"
#include "io/text_file.hpp"

namespace tayra {
namespace {

/// Null where there is no file, or none of ours.
Json read(const std::string& record) {
  try {
    return read_json_file(record);
  } catch (const Error&) {
    return {};
  }
}

std::string status_in(const Json& record) {
  const std::string* status = record["status"].string();
  return status == nullptr ? "" : *status;
}

Json summary_of(const Json& record) {
  const bool untold = status_in(record) == name_of(RunStatus::running);
  const Json &machine = record["machine"], *slabs = machine.find("slab_planes"),
             *from = record["resumed_from"].find("step");
  return Json::object()
      .set("started", record["started"])
      .set("ended", record["ended"])
      .set("ranks", machine["ranks"])
      .set("slabs", slabs ? Json(slabs->elements().size()) : Json())
      .set("from_step", from ? *from : Json(0))
      .set("status", untold ? name_of(RunStatus::lost) : status_in(record))
      .set("message",
           untold ? Json("killed, or its machine was lost, or its disk was full: its end was not recorded")
                  : record["message"]);
}

}  // namespace

Json attempts_until_now(const std::string& path) {
  const Json record = read(path);
  Json attempts = Json::array();
  if (!record.find("status")) return attempts;
  for (const Json& attempt : record["attempts"].elements()) attempts.push(attempt);
  return attempts.push(summary_of(record));
}

std::string status_of_attempt(const std::string& record) { return status_in(read(record)); }

std::optional<StepClock> end_of_attempt(const std::string& path) {
  const Json record = read(path), &totals = record["totals"];
  const auto steps = totals["steps"].integer();
  if (!steps) return std::nullopt;
  StepClock end;
  end.step = *steps;
  end.time = totals["time"].number().value_or(0);
  return end;
}

std::int64_t step_gone_on_from(const std::string& record) {
  return read(record)["resumed_from"]["step"].integer().value_or(-1);
}

std::optional<std::int64_t> first_step(const std::string& path) {
  const Json record = read(path);
  if (!record.find("status")) return std::nullopt;
  const auto earlier = record["attempts"].elements();
  const Json& from = earlier.empty() ? record["resumed_from"]["step"] : earlier.front()["from_step"];
  return from.integer().value_or(0);
}

std::vector<std::string> missing_rows_told(const std::string& path) {
  std::vector<std::string> told;
  const Json record = read(path);
  for (const Json& text : record["missing_rows"].elements())
    told.push_back(text.string() ? *text.string() : "");
  return told;
}

std::int64_t last_right_audit(const std::string& record) {
  return read(record)["last_right_audit"].integer().value_or(INT64_MAX);
}

std::optional<ErrantGpu> gpu_that_erred(const std::string& path) {
  const Json record = read(path);
  const auto gpu = record["gpu_that_erred"].integer(), ranks = record["machine"]["ranks"].integer();
  if (!gpu) return std::nullopt;
  return ErrantGpu{static_cast<int>(*gpu), static_cast<int>(ranks.value_or(1))};
}

void note_lost_attempt(const std::string& path, const std::string& why) {
  Json record = read(path);
  if (!record.find("status") || status_in(record) == name_of(RunStatus::lost)) return;
  record.set("status", name_of(RunStatus::lost)).set("message", why).set("ended", utc_now());
  write_text_file(path, record.text() + "\n");
}

}  // namespace tayra
