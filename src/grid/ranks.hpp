// The processes that share a run: one alone, or those that mpirun or srun started. They may wait for each
// other without a limit of their own: a watchdog ends a rank that has waited for too long.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "grid/rank_work.hpp"

namespace tayra {

class Watchdog;

/// Bytes to or from another rank.
struct Parcel {
  int rank;
  std::byte* bytes;
  std::size_t size;
};

/// Merges a part's bytes into a sum's.
using Merge = std::function<void(void* sum, const void* part)>;

class Ranks {
 public:
  virtual ~Ranks();

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool is_first() const { return rank_ == 0; }
  int rank_on_node() const { return rank_on_node_; }
  int size_of_node() const { return size_of_node_; }
  /// Nodes that the ranks are spread over.
  int nodes() const { return nodes_; }

  /// Every rank's bytes, one rank after the other; all give the same number of them.
  virtual void gather_to_all(const void* mine, std::size_t bytes, void* all) = 0;
  /// Every rank's bytes, one rank after the other, for the first rank alone; all give the same number of
  /// them.
  virtual void gather_to_first(const void* mine, std::size_t bytes, void* all) = 0;
  /// All ranks' bytes merged into each rank's, in whatever order and grouping. Of many ranks none gets to see
  /// more than the logarithm of their number.
  virtual void merge_on_all(void* mine, std::size_t bytes, const Merge& merge) = 0;
  /// One rank's bytes, to all.
  virtual void broadcast(void* data, std::size_t bytes, int from = 0) = 0;
  /// To others and from them, at once; those that are named must call it together.
  virtual void swap(const std::vector<Parcel>& leaving, const std::vector<Parcel>& arriving) = 0;
  /// What every rank that fails has to say, as a number; empty if some do not come within so many seconds.
  virtual std::vector<std::size_t> gather_failures(std::size_t mine, double seconds) = 0;
  /// Ends all ranks at once.
  [[noreturn]] virtual void abort(ExitCode code) = 0;

  /// Whether this rank is the first of its node that asks.
  bool take_the_word() { return works_.begin()->second->take_the_word(); }
  Watchdog& watchdog() { return *watchdog_; }
  /// Where this rank says what it is at.
  RankWork& work() { return *work_; }

  std::vector<std::string> gather_texts(const std::string& mine);
  /// Every rank's text for the first rank alone; nothing for the others.
  std::vector<std::string> gather_texts_to_first(std::string mine);
  /// Every rank's lines, one rank after the other.
  std::vector<std::string> gather_lines(const std::vector<std::string>& mine);
  template <class T>
  T from_first(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    broadcast(&value, sizeof value);
    return value;
  }
  std::string from(int rank, std::string text);
  std::string from_first(std::string text) { return from(0, std::move(text)); }
  std::vector<std::string> from_first(std::vector<std::string> texts);
  template <class T>
  std::vector<T> gather_values(const T& mine) {
    std::vector<T> all(static_cast<std::size_t>(size_));
    gather_to_all(&mine, sizeof mine, all.data());
    return all;
  }
  /// All ranks' values as one, to the same bits on all: `merge(sum, part)` has to give the same in whatever
  /// order and grouping, as maxima and sums of whole numbers do.
  template <class T, class MergeValues>
  T merged(T mine, MergeValues merge) {
    static_assert(std::is_trivially_copyable_v<T>);
    merge_on_all(&mine, sizeof mine, [merge](void* sum, const void* part) {
      T whole, other;  // bytes on their way need not be aligned
      std::memcpy(&whole, sum, sizeof whole);
      std::memcpy(&other, part, sizeof other);
      merge(whole, other);
      std::memcpy(sum, &whole, sizeof whole);
    });
    return mine;
  }
  template <class T>
  T greatest(T mine) {
    return merged(mine, [](T& sum, const T& part) { sum = std::max(sum, part); });
  }
  /// What all ranks' values come to, merged by `|`.
  template <class T>
  T join(const T& mine) {
    return merged(mine, [](T& sum, const T& part) { sum = sum | part; });
  }

 protected:
  /// Call once all ranks have come so far.
  void start_watchdog();

  int rank_ = 0, size_ = 1, rank_on_node_ = 0, size_of_node_ = 1, nodes_ = 1;
  RankWork own_work_;
  RankWork* work_ = &own_work_;
  std::map<int, RankWork*> works_{{0, work_}};  // of the ranks of this node, by rank

 private:
  std::unique_ptr<Watchdog> watchdog_;  // the last: it looks at the works
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

/// This rank waits for others for as long as this lives: not for longer than the watchdog allows.
class Awaiting {
 public:
  explicit Awaiting(int rank = some_rank) : before_(ranks().work().wait_since(nanoseconds_now())) {
    name(rank);
  }
  ~Awaiting() { ranks().work().wait_since(before_); }
  Awaiting(const Awaiting&) = delete;
  Awaiting& operator=(const Awaiting&) = delete;

  void name(int rank) const { ranks().work().await(rank); }

 private:
  std::int64_t before_;
};

/// Until all that is enqueued on a GPU is done, or an event there has happened.
template <class Work>
void await_done(const Work& work) {
  const Awaiting awaiting(own_gpu);
  work.synchronize();
}

// ranks_no_mpi.cpp stands in for ranks_mpi.cpp in builds without MPI.
bool built_with_mpi();
std::unique_ptr<Ranks> start_mpi_ranks();
/// Makes MPI usable in a process that no launcher started, for a backend that insists on it; why not, or "".
std::string start_mpi();

}  // namespace tayra
