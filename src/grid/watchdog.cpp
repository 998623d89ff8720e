// Makes no calls of MPI, which may hang, and waits for nothing without a limit.
#include "grid/watchdog.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <future>
#include <memory>
#include <utility>

#include "core/error.hpp"
#include "core/printable.hpp"

namespace tayra {
namespace {

double seconds_since(std::int64_t time, const Watch& watch) {
  return 1e-9 * static_cast<double>(watch.now - std::max(time, watch.from));
}

bool waits_too_long(const SeenWork& work, const Watch& watch) {
  return work.waits_since != 0 && work.phase != Phase::at_files &&
         seconds_since(work.waits_since, watch) > watch.timeout;
}

std::string name_of_awaited(int awaited) {
  if (awaited == own_gpu) return "its GPU";
  return awaited == some_rank ? "the other ranks" : fmt::format("rank {}", awaited);
}

/// Waits for so long at most; what the act still does then ends with the process.
void attempt_for(std::chrono::seconds limit, const std::function<void()>& act) {
  const auto done = std::make_shared<std::promise<void>>();
  std::thread([act, done] {
    try {
      act();
    } catch (const std::exception&) {  // the run is lost anyway
    }
    done->set_value();
  }).detach();
  done->get_future().wait_for(limit);
}

/// Signals are for the other threads: it takes none.
std::thread thread_without_signals(const std::function<void()>& work) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(work);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace

std::optional<std::string> reason_to_give_up(const Watch& watch, const std::map<int, SeenWork>& node) {
  const SeenWork& own = node.at(watch.rank);
  std::string reason, others;
  if (waits_too_long(own, watch))
    reason = fmt::format("rank {} has waited for {} for {:g} s in vain ({})", watch.rank,
                         name_of_awaited(own.awaited), watch.timeout, description(own, watch.now));
  for (const auto& [rank, work] : node) {
    if (rank == watch.rank || work.is_over) continue;
    const double silence = seconds_since(work.heartbeat, watch);
    const bool silent = silence > watch.timeout / 2;  // many heartbeats were due
    if (silence > watch.timeout && reason.empty())
      reason = fmt::format("nothing was heard of rank {} for {:g} s", rank, watch.timeout);
    if (silent || work.waits_since == 0)
      others += fmt::format("\n  rank {} {} {}", rank, silent ? "does not answer: it has been" : "has been",
                            description(work, watch.now));
  }
  if (reason.empty()) return std::nullopt;
  return reason + ": the run is given up" + others;
}

Watchdog::Watchdog(int rank, std::map<int, RankWork*> node)
    : rank_(rank), node_(std::move(node)), thread_(thread_without_signals([this] { watch(); })) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  ends_.notify_one();
  thread_.join();
  node_.at(rank_)->end();
}

void Watchdog::set_timeout(double seconds) {
  const std::lock_guard lock(mutex_);
  timeout_ = seconds;
  ends_.notify_one();  // the pauses are others from now on
}

void Watchdog::note_problem(const std::string& problem) {
  const std::lock_guard lock(mutex_);
  problem_ = problem;
}

void Watchdog::set_last_act(std::function<void(const std::string&)> act) {
  const std::lock_guard lock(mutex_);
  last_act_ = std::move(act);
}

void Watchdog::watch() {
  constexpr double looks_in_timeout = 20, longest_pause = 1;
  Watch watch{.rank = rank_, .from = nanoseconds_now(), .now = nanoseconds_now()};
  for (std::unique_lock lock(mutex_); !is_over_;) {
    watch.timeout = timeout_;
    const std::int64_t last = std::exchange(watch.now, nanoseconds_now());
    // This process itself was stopped, or its machine: nobody else is to blame.
    if (seconds_since(last, watch) > timeout_ / 2) watch.from = watch.now;
    node_.at(rank_)->beat();
    std::map<int, SeenWork> seen;
    for (const auto& [rank, work] : node_) seen[rank] = work->look();
    if (const auto reason = reason_to_give_up(watch, seen)) give_up(*reason);
    const double pause = std::min(timeout_ / looks_in_timeout, longest_pause);
    ends_.wait_for(lock, std::chrono::duration<double>(pause));
  }
}

// The launcher ends all other ranks when one does: first comes the one that speaks.
void Watchdog::give_up(const std::string& reason) {
  constexpr std::chrono::seconds for_last_act(2), for_who_speaks(4);
  if (node_.begin()->second->take_the_word()) {
    const std::string before = problem_.empty() ? "" : "\n  what failed here before: " + problem_;
    std::fprintf(stderr, "tayra: %s\n", printable(reason + before).c_str());
    if (node_.contains(0)) attempt_for(for_last_act, [act = last_act_, reason] { act(reason); });
  } else {
    std::this_thread::sleep_for(for_who_speaks);
  }
  _exit(static_cast<int>(ExitCode::lost));
}

}  // namespace tayra
