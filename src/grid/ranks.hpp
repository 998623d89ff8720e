// The processes that share a run: one alone, or those that mpirun or srun started. Only waits that end: a
// rank that is silent for longer than the patience is named, and the run is given up.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "grid/rank_work.hpp"

namespace tayra {

bool built_with_mpi();

/// Seconds after which a silent rank is taken for lost, unless told otherwise.
inline constexpr double usual_patience = 60;

/// What is heard of a rank when all are called.
struct RankAnswer {
  bool came = false;
  std::string said;
  std::string seen;  // what it is at, as another rank of its node sees it; empty: nobody does
};

class Ranks {
 public:
  virtual ~Ranks() = default;

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool is_first() const { return rank_ == 0; }
  int rank_on_node() const { return rank_on_node_; }
  int size_of_node() const { return size_of_node_; }
  /// Nodes that the ranks are spread over.
  int nodes() const { return nodes_; }

  /// Every rank's bytes, one rank after the other; all give the same number of them.
  virtual void gather_to_all(const void* mine, std::size_t bytes, void* all) = 0;
  /// One rank's bytes, to all.
  virtual void broadcast(void* data, std::size_t bytes, int from = 0) = 0;
  /// Bytes of rank `from` to rank `to`, which has room for them in `data`; the others need not call.
  virtual void carry(int from, int to, void* data, std::size_t bytes) = 0;
  /// What every rank has to say, or was at, as far as it comes within some seconds. For when something is
  /// wrong.
  virtual std::vector<RankAnswer> call_roll(const std::string& mine, double seconds) = 0;
  /// After a roll call: gives others the time to hear what this rank has said.
  virtual void be_heard(double seconds) = 0;
  /// Ends all ranks at once.
  [[noreturn]] virtual void abort(ExitCode code) = 0;
  /// Seconds after which a rank that owes something is taken for lost, unless it is at its files.
  virtual void set_patience(double seconds) = 0;
  /// To be called again and again while this rank waits, from `since` on, for files of its own: the others
  /// hear that it lives. Throws Error(lost) when one of them is silent for longer than the patience.
  virtual void stay_in_touch(std::chrono::steady_clock::time_point since) = 0;
  /// Does what this rank has to do with files, however long the disk takes, and stays in touch.
  void at_files(const std::function<void()>& work);
  /// Likewise; what the work found.
  template <class Work>
  auto from_files(Work work) {
    std::optional<decltype(work())> found;
    at_files([&] { found.emplace(work()); });
    return *std::move(found);
  }
  /// Where this rank says what it is at.
  RankWork& work() { return *work_; }

  std::vector<std::string> gather_texts(const std::string& mine);
  /// Every rank's lines, one rank after the other.
  std::vector<std::string> gather_lines(const std::vector<std::string>& mine);
  template <class T>
  T from_first(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    broadcast(&value, sizeof value);
    return value;
  }
  std::string from_first(std::string text);
  std::vector<std::string> from_first(std::vector<std::string> texts);
  template <class T>
  std::vector<T> gather_values(const T& mine) {
    std::vector<T> all(static_cast<std::size_t>(size_));
    gather_to_all(&mine, sizeof mine, all.data());
    return all;
  }
  /// What all ranks' values come to, merged by `|`.
  template <class T>
  T join(const T& mine) {
    T joined = mine;
    for (const T& one : gather_values(mine)) joined = joined | one;
    return joined;
  }

 protected:
  int rank_ = 0, size_ = 1, rank_on_node_ = 0, size_of_node_ = 1, nodes_ = 1;
  RankWork own_work_;
  RankWork* work_ = &own_work_;
};

/// Those of this process; MPI is started at the first call when a launcher started several.
Ranks& ranks();

/// This rank is at something for as long as this lives.
class Doing {
 public:
  explicit Doing(Phase phase) : before_(ranks().work().begin(phase)) {}
  ~Doing() { ranks().work().begin(before_); }
  Doing(const Doing&) = delete;
  Doing& operator=(const Doing&) = delete;

 private:
  Phase before_;
};

/// Makes MPI usable in a process that no launcher started, for a backend that insists on it; why not, or "".
std::string start_mpi();

}  // namespace tayra
