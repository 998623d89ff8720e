// Only the ranks' own threads talk to each other; writer threads leave word for them.
#include "io/writers.hpp"

#include <algorithm>
#include <utility>

#include "grid/ranks.hpp"
#include "io/hdf5_ranks.hpp"

namespace tayra {

Writers::Writers(std::size_t memory, OnWriteError on_error, Device device)
    : pool_(device, memory), heard_(ranks().size()), thread_(memory, on_error) {
  h5::ranks_share_files();
}

std::shared_ptr<std::byte> Writers::take(std::size_t bytes) {
  struct Piece {
    std::shared_ptr<void> reservation;  // goes after the memory
    std::shared_ptr<std::byte> memory;
  };
  auto piece = std::make_shared<Piece>(thread_.reserve(bytes), nullptr);
  piece->memory = pool_.take(std::max<std::size_t>(bytes, 1));
  std::byte* const memory = piece->memory.get();
  return {std::move(piece), memory};
}

void Writers::stock(std::size_t bytes, std::size_t pieces) {
  if (bytes > 0) pool_.stock(bytes, std::min(pieces, thread_.pieces_of(bytes)));
}

void Writers::note_part(const std::string& problem) {
  const std::lock_guard lock(mutex_);
  parts_.push_back(problem);
}

void Writers::publish(Publication publication) {
  awaited_.push_back(ranks().is_first() ? std::move(publication) : Publication());
  if (ranks().size() > 1) return;
  thread_.run_if_sound([this, alone = std::move(awaited_.front())] { alone(take_part()); });
  awaited_.pop_front();
}

std::string Writers::take_part() {
  const std::lock_guard lock(mutex_);
  std::string problem = std::move(parts_.front());
  parts_.pop_front();
  return problem;
}

void Writers::meet() {
  if (ranks().size() == 1) return;
  std::string mine;
  {
    const std::lock_guard lock(mutex_);
    for (const std::string& problem : parts_) mine += problem + '\0';
    parts_.clear();
  }
  const auto all = ranks().gather_texts(mine);
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    for (std::size_t at = 0; at < all[rank].size(); at = all[rank].find('\0', at) + 1)
      heard_[rank].emplace_back(all[rank].c_str() + at);
  publish_whole_files();
}

void Writers::publish_whole_files() {
  const auto all_heard = [&] {
    return std::none_of(heard_.begin(), heard_.end(), [](const auto& rank) { return rank.empty(); });
  };
  for (; !awaited_.empty() && all_heard(); awaited_.pop_front()) {
    std::string problem;
    for (std::size_t rank = 0; rank < heard_.size(); ++rank) {
      const std::string one = std::move(heard_[rank].front());
      heard_[rank].pop_front();
      const bool says_more = problem.empty() || problem.starts_with(failed_elsewhere);
      if (says_more && !one.empty()) problem = one + " on rank " + std::to_string(rank);
    }
    if (!ranks().is_first()) continue;
    thread_.run_if_sound([publication = std::move(awaited_.front()), problem] { publication(problem); });
  }
}

void Writers::finish() {
  thread_.wait();
  meet();
  thread_.wait();
}

}  // namespace tayra
