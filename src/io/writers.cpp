// Only the ranks' own threads talk to each other; writer threads leave word for them.
#include "io/writers.hpp"

#include <algorithm>
#include <cstring>
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

Writers::Writers(std::size_t memory, OnWriteError on_error, Device device)
    : pool_(device, memory), heard_(ranks().size()), thread_(memory, on_error) {}

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

void Writers::note_part(WrittenPart part) {
  const std::lock_guard lock(mutex_);
  parts_.push_back(std::move(part));
}

void Writers::publish(Publication publication) {
  awaited_.push_back(ranks().is_first() ? std::move(publication) : Publication());
  if (ranks().size() > 1) return;
  thread_.run_if_sound([this, alone = std::move(awaited_.front())] { alone(take_part()); });
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
      heard_[rank].pop_front();
      if (whole.problem.empty() && !part.problem.empty())
        whole.problem = part.problem + " on rank " + std::to_string(rank);
      whole.facts.insert(whole.facts.end(), part.facts.begin(), part.facts.end());
    }
    if (!ranks().is_first()) continue;
    thread_.run_if_sound([publication = std::move(awaited_.front()), whole] { publication(whole); });
  }
}

void Writers::finish() {
  thread_.wait();
  meet();
  thread_.wait();
}

}  // namespace tayra
