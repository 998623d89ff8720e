// One queue, one thread: files appear in the order in which they were due.
#include "io/writer_thread.hpp"

#include <omp.h>

#include <algorithm>
#include <utility>

namespace tayra {

WriterThread::WriterThread(std::size_t memory, OnWriteError on_error)
    : memory_(memory), on_error_(on_error), thread_([this] { work(); }) {}

WriterThread::~WriterThread() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::size_t WriterThread::piece_bytes(std::size_t wanted) const {
  constexpr std::size_t least = 1u << 20;
  return std::clamp(memory_ / 4, least, wanted);
}

std::shared_ptr<void> WriterThread::reserve(std::size_t bytes) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return reserved_ == 0 || reserved_ + bytes <= memory_; });
  reserved_ += bytes;
  lock.unlock();
  return {this, [this, bytes](void*) {
            {
              const std::lock_guard guard(mutex_);
              reserved_ -= bytes;
            }
            changed_.notify_all();
          }};
}

void WriterThread::run(Task task) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_.size() < most_waiting; });
    waiting_.push_back(std::move(task));
  }
  changed_.notify_all();
  if (memory_ == 0) wait();
}

void WriterThread::run_if_sound(Task task) {
  run([this, task = std::move(task)] {
    if (!failed_ || on_error_ == OnWriteError::warn) task();
  });
}

void WriterThread::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_.empty() && !busy_; });
}

std::vector<Error> WriterThread::take_failures() {
  const std::lock_guard lock(mutex_);
  return std::exchange(failures_, {});
}

void WriterThread::work() {
  if (memory_ > 0) omp_set_num_threads(1);  // of this thread: the others belong to the flow
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return ends_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    Task next = std::move(waiting_.front());
    waiting_.pop_front();
    busy_ = true;
    lock.unlock();
    run_one(next);
    next = nullptr;  // what it holds is given back
    lock.lock();
    busy_ = false;
    changed_.notify_all();
  }
}

void WriterThread::run_one(const Task& task) {
  try {
    task();
  } catch (const std::exception& failure) {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    failures_.push_back(as_error(failure));
  }
}

}  // namespace tayra
