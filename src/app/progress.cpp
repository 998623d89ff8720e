// Lines on a terminal or in a log file.
#include "app/progress.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "app/units.hpp"
#include "core/printable.hpp"
#include "solver/placement.hpp"
#include "tayra_version.hpp"

namespace tayra {
namespace {

using Seconds = std::chrono::duration<double>;

std::string devices_text(const SimulationFacts& facts, DeviceKind kind) {
  std::map<std::string, int> slabs;
  for (const auto& device : facts.devices) ++slabs[device];
  std::vector<std::string> parts;
  for (const auto& [device, count] : slabs)
    parts.push_back(fmt::format("{} slab{} on {}", count, count == 1 ? "" : "s", device));
  const std::string threads = fmt::format(", {} thread{}", facts.threads, facts.threads == 1 ? "" : "s");
  return fmt::format("{}{}", fmt::join(parts, ", "), kind == DeviceKind::cpu ? threads : "");
}

std::string step_text(const SolverSettings& settings) {
  return settings.fixed_dt ? fmt::format("dt {}", *settings.fixed_dt) : fmt::format("cfl {}", settings.cfl);
}

}  // namespace

ProgressStyle progress_style_of(std::FILE* out) {
  return isatty(fileno(out)) ? ProgressStyle::live : ProgressStyle::log;
}

Progress::Progress(const Config& config, ProgressStyle style, std::FILE* out,
                   std::function<WallClock::time_point()> now)
    : config_(config), style_(style), out_(out), now_(std::move(now)) {}

void Progress::show_start(const SimulationFacts& facts, std::int64_t step, double time) {
  started_ = shown_ = now_();
  started_step_ = shown_step_ = step;
  started_share_ = share(step, time);
  if (is_quiet()) return;
  const SolverSettings& settings = config_.solver;
  fmt::print(out_, "tayra {}: {}, {} cells, {}, {}, {}\n", version, config_.problem,
             fmt::join(settings.grid.cells, " x "), facts.scheme, name_of(settings.precision),
             step_text(settings));
  fmt::print(out_, "{}, halo {}, {} of memory on each device\n", devices_text(facts, settings.device),
             facts.halo, bytes_text(facts.memory_bytes));
  const int meant = slabs_meant_for_a_gpu(settings);
  if (settings.device == DeviceKind::cuda && facts.most_slabs_of_a_device > meant)
    fmt::print(out_,
               "{} slabs share a GPU instead of {}: start fewer ranks, or let each see GPUs of its own\n",
               facts.most_slabs_of_a_device, meant);
  flush();
}

void Progress::note(const std::string& line) {
  if (is_quiet()) return;
  show(line);
  if (style_ == ProgressStyle::live) fmt::print(out_, "\n");
  flush();
}

void Progress::advise(const std::string& doubt) {
  if (!is_quiet()) warn(doubt);
}

void Progress::warn(const std::string& problem) {
  if (style_ == ProgressStyle::silent) return;
  if (style_ == ProgressStyle::live) fmt::print(out_, "\n");
  flush();
  std::fprintf(stderr, "tayra: warning: %s\n", printable(problem).c_str());
}

void Progress::update(std::int64_t step, double time, double dt) {
  if (is_quiet()) return;
  const double pause = style_ == ProgressStyle::live ? 0.2 : 5;  // seconds between lines
  if (Seconds(now_() - shown_).count() >= pause) show(status(step, time, dt));
}

void Progress::show_end(std::int64_t step, double time, const std::string& results) {
  if (is_quiet()) return;
  const double seconds = Seconds(now_() - started_).count();
  const double rate =
      config_.solver.grid.cell_count() * static_cast<double>(step - started_step_) / std::max(seconds, 1e-9);
  show(fmt::format("step {}, time {:.6g} in {}: {:.3g} cell-steps/s", step, time, duration_text(seconds),
                   rate));
  if (style_ == ProgressStyle::live) fmt::print(out_, "\n");
  fmt::print(out_, "results in {}\n", printable(results));
  flush();
}

void Progress::show(const std::string& line) {
  constexpr const char* rewrite = "\r\x1b[K";  // back to the start of the line, clear it
  if (style_ == ProgressStyle::live)
    fmt::print(out_, "{}{}", rewrite, printable(line));
  else
    fmt::print(out_, "{}\n", printable(line));
  flush();
}

// No run is lost for the lines that tell of it.
void Progress::flush() {
  if (std::fflush(out_) == 0) return;
  const int reason = errno;
  std::clearerr(out_);  // it ends as it would with --quiet
  if (is_quiet()) return;
  std::fprintf(stderr, "tayra: warning: cannot write to standard output (%s): the run goes on in silence\n",
               std::strerror(reason));
  style_ = ProgressStyle::quiet;
}

std::string Progress::status(std::int64_t step, double time, double dt) {
  const auto now = now_();
  const double rate = config_.solver.grid.cell_count() * static_cast<double>(step - shown_step_) /
                      std::max(Seconds(now - shown_).count(), 1e-9);
  shown_ = now;
  shown_step_ = step;
  const double done = share(step, time);
  const double gained = done - started_share_;
  const double left = gained > 0 ? Seconds(now - started_).count() * (1 - done) / gained : 0;
  return fmt::format("step {}  time {:.5g}  dt {:.3g}  {:.3g} cell-steps/s  {:.1f} %  ETA {}", step, time, dt,
                     rate, 100 * done, gained > 0 ? duration_text(left) : "unknown");
}

double Progress::share(std::int64_t step, double time) const {
  const RunLimits& limits = config_.limits;
  const double of_time = limits.time ? time / *limits.time : 0;
  const double of_steps = limits.steps ? static_cast<double>(step) / static_cast<double>(*limits.steps) : 0;
  return std::min(1., std::max(of_time, of_steps));
}

}  // namespace tayra
