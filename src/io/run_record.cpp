// run.json from the config, the machine and the steps, and back.
#include "io/run_record.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <utility>

#include "core/error.hpp"
#include "core/process.hpp"
#include "core/spread.hpp"
#include "io/file.hpp"
#include "tayra_version.hpp"

namespace tayra {
namespace {

Json grid_json(const Grid& grid) {
  Json boundary = Json::array();
  for (const Boundary kind : grid.boundary) boundary.push(name_of(kind));
  return Json::object()
      .set("cells", grid.cells)
      .set("lower", grid.lower)
      .set("upper", grid.upper)
      .set("boundary", boundary);
}

Json trials_json(const std::vector<HaloTrial>& trials) {
  Json all = Json::array();
  for (const HaloTrial& trial : trials)
    all.push(Json::object()
                 .set("halo", trial.halo)
                 .set("step_ms", trial.step_ms)
                 .set("exposed_ms", trial.exposed_ms));
  return all;
}

Json trials_json(const std::vector<CutTrial>& trials) {
  Json all = Json::array();
  for (const CutTrial& trial : trials)
    all.push(Json::object().set("cut_y", trial.cut_y).set("step_ms", trial.step_ms));
  return all;
}

Json machine_json(const SimulationFacts& facts, DeviceKind device, const std::vector<CutTrial>& cut_trials) {
  return Json::object()
      .set("host", host_name())
      .set("device", device == DeviceKind::cuda ? "cuda" : "cpu")
      .set("devices", facts.devices)
      .set("links", facts.links)
      .set("threads", facts.threads)
      .set("slab_planes", facts.slab_planes)
      .set("cut_y", facts.cut_y)
      .set("cut_trials", trials_json(cut_trials))
      .set("ranks", facts.ranks)
      .set("nodes", facts.nodes)
      .set("halo", facts.halo)
      .set("halo_path", facts.halo_path)
      .set("step_end", facts.step_end)
      .set("halo_trials", trials_json(facts.halo_trials))
      .set("bytes_per_exchange", facts.bytes_per_exchange)
      .set("memory_bytes", facts.memory_bytes);
}

Json numerics_json(const SimulationFacts& facts, const SolverSettings& settings) {
  return Json::object()
      .set("scheme", facts.scheme)
      .set("precision", name_of(settings.precision))
      .set("positivity", settings.positivity)
      .set("cfl", settings.cfl)
      .set("dt", settings.fixed_dt ? Json(*settings.fixed_dt) : Json());
}

Json resumed_json(const std::optional<Resumption>& resumed) {
  if (!resumed) return {};
  return Json::object().set("checkpoint", resumed->checkpoint).set("step", resumed->position.clock.step);
}

constexpr off_t bytes_of_room = 1 << 16;

std::string folder_of(const std::string& path) {
  return std::filesystem::absolute(path).parent_path().string();
}

double median(const std::vector<float>& values) {
  return values.empty() ? 0 : spread_of({values.begin(), values.end()}).median;
}

/// Null where there is no file, or none of ours.
Json read(const std::string& record) {
  constexpr std::size_t most_mebibytes = 4;  // some 40 bytes a slab: 100,000 of them
  try {
    return read_json_file(record, most_mebibytes);
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

const char* name_of(RunStatus status) {
  constexpr std::array names{"running", "finished", "stopped", "failed", "lost"};
  return names[static_cast<std::size_t>(status)];
}

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

RunRecord::RunRecord(std::string path, const Config& config, SimulationFacts facts, const RunOrigin& origin)
    : path_(std::move(path)),
      room_(folder_of(path_), O_TMPFILE | O_WRONLY),
      started_(std::chrono::steady_clock::now()) {
  if (origin.resumed) {
    step_ = origin.resumed->position.clock.step;
    time_ = origin.resumed->position.clock.time;
  }
  cells_ = config.solver.grid.cell_count();
  json_.set("tayra", Json::object().set("version", version).set("commit", commit))
      .set("command", origin.command_line)
      .set("config", config.file)
      .set("status", name_of(RunStatus::running))
      .set("message", "")
      .set("resumed_from", resumed_json(origin.resumed))
      .set("attempts", origin.attempts)
      .set("missing_rows", Json::array())
      .set("started", utc_now())
      .set("ended", Json())
      .set("problem", config.problem)
      .set("derived", Json::object({config.derived.begin(), config.derived.end()}))
      .set("grid", grid_json(config.solver.grid))
      .set("numerics", numerics_json(facts, config.solver))
      .set("machine", machine_json(facts, config.solver.device, origin.cut_trials))
      .set("totals", totals(0));
  write();
  // Keeps room for end() on a disk that fills up; some file systems can't.
  if (room_.id() >= 0) static_cast<void>(posix_fallocate(room_.id(), 0, bytes_of_room));
}

void RunRecord::add(std::span<const StepRecord> records) {
  for (const StepRecord& record : records) step_ms_.push_back(static_cast<float>(record.wall_ms));
  if (records.empty()) return;
  step_ = records.back().step;
  time_ = records.back().time;
}

void RunRecord::note_missing_rows(const std::vector<std::string>& told) {
  json_.set("missing_rows", told);
  write();
}

void RunRecord::note_fingerprint(std::uint64_t fingerprint) {
  fingerprint_ = fmt::format("{:016x}", fingerprint);
}

void RunRecord::note_audits(const AuditTally& tally) { audits_ = tally; }

void RunRecord::note_fault(const AuditFault& fault, std::int64_t last_right) {
  json_.set("last_right_audit", last_right);
  if (fault.gpu) json_.set("gpu_that_erred", *fault.gpu);
}

void RunRecord::end(RunStatus status, const std::string& message) {
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - started_;
  json_.set("status", name_of(status))
      .set("message", message)
      .set("ended", utc_now())
      .set("totals", totals(wall.count()));
  room_.close();
  write();
}

Json RunRecord::totals(double wall_seconds) const {
  const auto steps = static_cast<std::int64_t>(step_ms_.size());
  Json totals = Json::object();
  totals.set("steps", step_)
      .set("time", time_)
      .set("wall_seconds", wall_seconds)
      .set("cell_steps_per_second", wall_seconds > 0 ? cells_ * static_cast<double>(steps) / wall_seconds : 0)
      .set("median_step_ms", median(step_ms_))
      .set("fingerprint", fingerprint_);
  if (audits_)
    totals.set("audits", Json::object()
                             .set("steps", audits_->steps)
                             .set("planes", audits_->planes)
                             .set("seconds", audits_->seconds));
  return totals;
}

void RunRecord::write() const { write_text_file(path_, json_.text() + "\n"); }

PastRun read_past_run(const std::string& path) {
  const Json record = read(path), &earlier = record["attempts"], &from = record["resumed_from"]["step"];
  PastRun past{.status = text_in(record["status"]),
               .from_step = from.integer().value_or(-1),
               .last_right_audit = record["last_right_audit"].integer().value_or(INT64_MAX),
               .gpu_that_erred = record["gpu_that_erred"].integer(),
               .ranks = record["machine"]["ranks"].integer().value_or(1),
               .cut_y = record["machine"]["cut_y"].integer().value_or(1)};
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
