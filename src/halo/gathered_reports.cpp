// Room for as many reports on every GPU as the fullest has slabs.
#include "halo/gathered_reports.hpp"

#include <algorithm>
#include <map>

namespace tayra {
namespace {

Buffer<SlabReport> empty_reports(const Queue& queue, std::size_t count) {
  const std::vector<SlabReport> none(count);
  Buffer<SlabReport> reports(queue.device(), count);
  queue.copy(reports.data(), none.data(), reports.bytes());
  queue.synchronize();
  return reports;
}

/// A slab publishes again only after it has ended its step, and the next gathering awaits all of them.
ReportTable table(const Buffer<SlabReport>& reports) {
  return {reports.data(), static_cast<int>(reports.size()), 1};
}

}  // namespace

GatheredReports::GatheredReports(const std::vector<HaloSlab>& slabs, int gpus_of_all_ranks) {
  std::map<int, std::vector<StepEnd*>> by_gpu;
  for (const HaloSlab& slab : slabs) by_gpu[slab.queue->device().number].push_back(slab.end);
  std::size_t most_slabs = 0;
  for (const auto& [number, ends] : by_gpu) most_slabs = std::max(most_slabs, ends.size());
  const std::size_t places = ranks().greatest(most_slabs);
  for (const auto& [number, ends] : by_gpu) {
    Gpu& gpu = gpus_.emplace_back();
    gpu.slabs = ends;
    for (const StepEnd* end : ends) gpu.queues.push_back(&end->end_queue());
    gpu.published = empty_reports(*gpu.queues.front(), places);
    gpu.of_all = empty_reports(*gpu.queues.front(), places * gpus_of_all_ranks);
  }
}

void GatheredReports::publish() const {
  for (const Gpu& gpu : gpus_) {
    for (std::size_t i = 0; i < gpu.slabs.size(); ++i)
      gpu.slabs[i]->publish(table(gpu.published), static_cast<int>(i));
    gather(gpu.queues);
  }
}

void GatheredReports::end_step() const {
  for (const Gpu& gpu : gpus_) {
    fork(gpu.queues);
    for (StepEnd* slab : gpu.slabs) slab->end_step(table(gpu.of_all));
  }
}

}  // namespace tayra
