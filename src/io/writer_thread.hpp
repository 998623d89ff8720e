// A thread that writes files while the flow goes on, with as much waiting for it as the config allows.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/error.hpp"
#include "io/config.hpp"

namespace tayra {

class WriterThread {
 public:
  using Task = std::function<void()>;
  /// Small files take hardly any memory, and without end a run would be minutes ahead of what it has written.
  static constexpr std::size_t most_waiting = 1024;

  /// Without memory the caller waits for everything.
  WriterThread(std::size_t memory, OnWriteError on_error);
  /// Finishes what is waiting.
  ~WriterThread();
  WriterThread(const WriterThread&) = delete;
  WriterThread& operator=(const WriterThread&) = delete;

  /// How large a piece of data may be, so that reading and writing overlap.
  std::size_t piece_bytes(std::size_t wanted) const;
  /// How many pieces may wait at once.
  std::size_t pieces_of(std::size_t bytes) const { return memory_ / bytes; }
  /// Waits for `bytes` to become free: back-pressure. More than the whole memory gets through alone. They are
  /// free again once nobody holds what is returned.
  std::shared_ptr<void> reserve(std::size_t bytes);
  /// Runs the task after all before it; waits where too many do.
  void run(Task task);
  /// Leaves the task out when one before it has failed and that stops the run.
  void run_if_sound(Task task);
  /// Until nothing is waiting.
  void wait();
  /// What failed since the last call.
  std::vector<Error> take_failures();

 private:
  void work();
  void run_one(const Task& task);

  std::size_t memory_;
  OnWriteError on_error_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> waiting_;
  std::size_t reserved_ = 0;
  bool busy_ = false;
  bool failed_ = false;
  bool ends_ = false;
  std::vector<Error> failures_;
  std::thread thread_;
};

}  // namespace tayra
