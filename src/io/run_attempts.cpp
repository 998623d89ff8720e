// run.json read back.
#include "io/run_attempts.hpp"

#include "core/error.hpp"
#include "io/file.hpp"
#include "io/run_record.hpp"

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

std::string text_in(const Json& value) { return value.string() ? *value.string() : ""; }

Json summary_of(const Json& record) {
  const std::string status = text_in(record["status"]);
  const bool untold = status == name_of(RunStatus::running);
  const Json &machine = record["machine"], *slabs = machine.find("slab_planes"),
             *from = record["resumed_from"].find("step");
  return Json::object()
      .set("started", record["started"])
      .set("ended", record["ended"])
      .set("ranks", machine["ranks"])
      .set("slabs", slabs ? Json(slabs->elements().size()) : Json())
      .set("from_step", from ? *from : Json(0))
      .set("status", untold ? name_of(RunStatus::lost) : status)
      .set("message",
           untold ? Json("killed, or its machine was lost, or its disk was full: its end was not recorded")
                  : record["message"]);
}

}  // namespace

PastRun read_past_run(const std::string& path) {
  const Json record = read(path), &earlier = record["attempts"], &from = record["resumed_from"]["step"];
  PastRun past{.status = text_in(record["status"]),
               .from_step = from.integer().value_or(-1),
               .last_right_audit = record["last_right_audit"].integer().value_or(INT64_MAX),
               .gpu_that_erred = record["gpu_that_erred"].integer(),
               .ranks = record["machine"]["ranks"].integer().value_or(1)};
  if (const auto steps = record["totals"]["steps"].integer()) {
    past.end.emplace().step = *steps;
    past.end->time = record["totals"]["time"].number().value_or(0);
  }
  for (const Json& text : record["missing_rows"].elements()) past.missing_rows_told.push_back(text_in(text));
  if (!record.find("status")) return past;
  past.attempts = earlier.elements();
  past.attempts.push(summary_of(record));
  past.first = past.attempts.elements().front()["from_step"].integer().value_or(0);
  return past;
}

void note_lost_attempt(const std::string& path, const std::string& why) {
  Json record = read(path);
  if (!record.find("status") || text_in(record["status"]) == name_of(RunStatus::lost)) return;
  record.set("status", name_of(RunStatus::lost)).set("message", why).set("ended", utc_now());
  write_text_file(path, record.text() + "\n");
}

}  // namespace tayra
