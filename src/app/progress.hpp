// What a run tells the person who waits for it.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>

#include "io/config.hpp"

namespace tayra {

/// A terminal gets one line that is rewritten, a log file a line every few seconds. Who is quiet still warns,
/// who is silent says nothing.
enum class ProgressStyle { live, log, quiet, silent };

class Progress {
 public:
  using WallClock = std::chrono::steady_clock;

  Progress(const Config& config, ProgressStyle style, std::FILE* out = stdout,
           std::function<WallClock::time_point()> now = WallClock::now);

  /// What runs where, before the first step of this process.
  void show_start(const SimulationFacts& facts, std::int64_t step = 0, double time = 0);
  /// A line of its own.
  void note(const std::string& line);
  /// To stderr: what may not be as the user wants it.
  void advise(const std::string& doubt);
  /// To stderr, however quiet the run is: what went wrong, though the run goes on.
  void warn(const std::string& problem);
  void update(std::int64_t step, double time, double dt);
  /// The last state, then how long it took and where the results are.
  void show_end(std::int64_t step, double time, const std::string& results);

 private:
  bool is_quiet() const { return style_ == ProgressStyle::quiet || style_ == ProgressStyle::silent; }
  void show(const std::string& line);
  void flush();
  std::string status(std::int64_t step, double time, double dt);
  double share(std::int64_t step, double time) const;

  const Config& config_;
  ProgressStyle style_;
  std::FILE* out_;
  std::function<WallClock::time_point()> now_;
  WallClock::time_point started_ = now_();
  WallClock::time_point shown_ = started_;
  std::int64_t started_step_ = 0;
  double started_share_ = 0;
  std::int64_t shown_step_ = 0;
};

/// Live on a terminal, a log otherwise.
ProgressStyle progress_style_of(std::FILE* out);

}  // namespace tayra
