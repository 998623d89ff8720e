// One queue, one thread: files appear in the order in which they were due. Only the ranks' own threads talk
// to each other; writer threads leave word for them.
#include "io/writers.hpp"

#include <omp.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "grid/ranks.hpp"

namespace tayra {
namespace {

void append(std::string& text, const WrittenPart& part) {
  const std::size_t count = part.facts.size();
  text += part.problem + '\0';
  text.append(reinterpret_cast<const char*>(&count), sizeof(count));
  text.append(reinterpret_cast<const char*>(part.facts.data()), count * sizeof(PlaneFacts));
}

WrittenPart take_first(std::string_view& text) {
  WrittenPart part{text.data(), {}};
  text.remove_prefix(part.problem.size() + 1);
  std::size_t count = 0;
  std::memcpy(&count, text.data(), sizeof(count));
  text.remove_prefix(sizeof(count));
  part.facts.resize(count);
  std::memcpy(part.facts.data(), text.data(), count * sizeof(PlaneFacts));
  text.remove_prefix(count * sizeof(PlaneFacts));
  return part;
}

}  // namespace

std::shared_ptr<std::byte> MemoryPool::take(std::size_t bytes) {
  std::unique_lock lock(mutex_);
  given_back_.wait(lock, [&] { return taken_ == 0 || taken_ + bytes <= most_; });
  const auto buffer = std::make_shared<Buffer<std::byte>>(find(std::max<std::size_t>(bytes, 1)));
  taken_ += bytes;
  return {buffer->data(), [this, bytes, buffer](std::byte*) {
            {
              const std::lock_guard guard(mutex_);
              taken_ -= bytes;
              free_.push_back(std::move(*buffer));
            }
            given_back_.notify_all();
          }};
}

void MemoryPool::stock(std::size_t bytes, std::size_t pieces) {
  if (device_.kind == DeviceKind::cpu || bytes == 0) return;
  const std::lock_guard lock(mutex_);
  const auto fits = [bytes](const Buffer<std::byte>& buffer) { return buffer.size() == bytes; };
  for (std::size_t ready = std::count_if(free_.begin(), free_.end(), fits);
       ready < pieces && held_ + bytes <= most_; ++ready, held_ += bytes)
    free_.emplace_back(device_, bytes, Memory::pinned);
}

std::size_t MemoryPool::held() const {
  const std::lock_guard lock(mutex_);
  return held_;
}

/// One of that very size, or a new one in place of others: a larger one would be memory that nobody counted.
Buffer<std::byte> MemoryPool::find(std::size_t bytes) {
  const auto fitting = std::find_if(free_.begin(), free_.end(), [bytes](const Buffer<std::byte>& buffer) {
    return buffer.size() == bytes;
  });
  if (fitting != free_.end()) {
    Buffer<std::byte> found = std::move(*fitting);
    free_.erase(fitting);
    return found;
  }
  for (; !free_.empty() && held_ + bytes > most_; free_.erase(free_.begin())) held_ -= free_.front().size();
  Buffer<std::byte> fresh(device_, bytes, Memory::pinned);
  held_ += bytes;
  return fresh;
}

Writers::Writers(std::size_t memory, OnWriteError on_error, Device device)
    : memory_(ranks().merged(memory,
                             [](std::size_t& least, std::size_t other) { least = std::min(least, other); })),
      on_error_(on_error),
      pool_(device, memory_),
      heard_(ranks().size()),
      thread_([this] { work(); }) {}

Writers::~Writers() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::size_t Writers::piece_bytes(std::size_t wanted) const {
  constexpr std::size_t least = 1u << 20;
  return std::clamp(memory_ / 4, least, wanted);
}

void Writers::run(Task task) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_.size() < most_waiting; });
    waiting_.push_back(std::move(task));
  }
  changed_.notify_all();
  if (memory_ == 0) wait();
}

void Writers::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_.empty() && !busy_; });
}

std::vector<Error> Writers::take_failures() {
  const std::lock_guard lock(mutex_);
  return std::exchange(failures_, {});
}

void Writers::work() {
  if (memory_ > 0) omp_set_num_threads(1);  // of this thread: the others belong to the flow
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return ends_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    Task next = std::move(waiting_.front());
    waiting_.pop_front();
    busy_ = true;
    lock.unlock();
    changed_.notify_all();  // there is room for another
    std::optional<Error> failure;
    try {
      next();
    } catch (const std::exception& thrown) {
      failure = as_error(thrown);
    }
    next = nullptr;  // what it holds is given back
    lock.lock();
    if (failure) failures_.push_back(*failure);
    failed_ = failed_ || failure;
    busy_ = false;
    changed_.notify_all();
  }
}

void Writers::run_if_sound(Task task) {
  run([this, task = std::move(task)] {
    if (!failed_ || on_error_ == OnWriteError::warn) task();
  });
}

void Writers::note_part(WrittenPart part) {
  const std::lock_guard lock(mutex_);
  parts_.push_back(std::move(part));
}

void Writers::publish(Publication publication) {
  awaited_.push_back(ranks().is_first() ? std::move(publication) : Publication());
  if (ranks().size() > 1) return;
  run_if_sound([this, alone = std::move(awaited_.front())] { alone(take_part()); });
  awaited_.pop_front();
}

WrittenPart Writers::take_part() {
  const std::lock_guard lock(mutex_);
  WrittenPart part = std::move(parts_.front());
  parts_.pop_front();
  return part;
}

void Writers::meet() {
  if (ranks().size() == 1) return;
  std::string mine;
  {
    const std::lock_guard lock(mutex_);
    for (; !parts_.empty(); parts_.pop_front()) append(mine, parts_.front());
  }
  const auto all = ranks().gather_texts(mine);
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    for (std::string_view rest = all[rank]; !rest.empty();) heard_[rank].push_back(take_first(rest));
  publish_whole_files();
}

void Writers::publish_whole_files() {
  const auto all_heard = [&] {
    return std::none_of(heard_.begin(), heard_.end(), [](const auto& rank) { return rank.empty(); });
  };
  for (; !awaited_.empty() && all_heard(); awaited_.pop_front()) {
    WrittenPart whole;
    for (std::size_t rank = 0; rank < heard_.size(); ++rank) {
      const WrittenPart part = std::move(heard_[rank].front());
      heard_[rank].erase(heard_[rank].begin());
      if (whole.problem.empty() && !part.problem.empty())
        whole.problem = part.problem + " on rank " + std::to_string(rank);
      whole.facts.insert(whole.facts.end(), part.facts.begin(), part.facts.end());
    }
    if (!ranks().is_first()) continue;
    run_if_sound([publication = std::move(awaited_.front()), whole] { publication(whole); });
  }
}

void Writers::finish() {
  wait();
  meet();
  wait();
}

}  // namespace tayra
