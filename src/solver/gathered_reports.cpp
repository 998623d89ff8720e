// Room for as many posts on every GPU as the fullest has slabs, and a round of gathering.
#include "solver/gathered_reports.hpp"

#include <algorithm>

#include "grid/ranks.hpp"

namespace tayra {
namespace {

Buffer<SlabReport> empty_reports(const Queue& queue, std::size_t count) {
  const std::vector<SlabReport> none(count);
  Buffer<SlabReport> reports(queue.device(), count);
  queue.copy(reports.data(), none.data(), reports.bytes());
  queue.synchronize();
  return reports;
}

}  // namespace

GatheredReports::GatheredReports(const std::vector<const Queue*>& queues, int gpus_of_all_ranks) {
  std::size_t most_slabs = 0;
  for (const Queue* queue : queues) {
    const int number = queue->device().number;
    Gpu& gpu = gpus_[number];
    slabs_.push_back({number, static_cast<int>(gpu.queues.size())});
    gpu.queues.push_back(queue);
    most_slabs = std::max(most_slabs, gpu.queues.size());
  }
  const auto of_ranks = ranks().gather_values(most_slabs);
  const std::size_t places = *std::max_element(of_ranks.begin(), of_ranks.end());
  for (auto& [number, gpu] : gpus_) {
    gpu.posts = empty_reports(*gpu.queues.front(), places);
    gpu.posts_of_all = empty_reports(*gpu.queues.front(), places * gpus_of_all_ranks);
  }
}

void GatheredReports::gather_by(Halo& halo) const {
  std::vector<GatherPart> parts;
  for (const auto& [number, gpu] : gpus_) {
    gather(gpu.queues);
    parts.push_back({gpu.queues.front(), gpu.posts.data(), gpu.posts_of_all.data(), gpu.posts.bytes()});
  }
  halo.gather_to_all(parts);
  for (const auto& [number, gpu] : gpus_) fork(gpu.queues);
}

}  // namespace tayra
