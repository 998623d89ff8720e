// How GPUs end a step without the host where letterboxes don't serve, between nodes above all: a GPU's slabs
// post into its own memory, the halo backend gathers the posts of all GPUs on their queues, and every clock
// turns by the same reports.
#pragma once

#include <map>
#include <vector>

#include "halo/halo.hpp"
#include "solver/clock.hpp"

namespace tayra {

class GatheredReports {
 public:
  /// `queues`, by slab of this process: in their order slabs post and clocks turn. All ranks must construct
  /// it together.
  GatheredReports(const std::vector<const Queue*>& queues, int gpus_of_all_ranks);

  /// By slab of this process: where it posts, and where it then finds what all have posted.
  Mailbox posts(std::size_t slab) const { return mailbox(gpu_of(slab).posts); }
  int place(std::size_t slab) const { return slabs_[slab].place; }
  Mailbox posts_of_all(std::size_t slab) const { return mailbox(gpu_of(slab).posts_of_all); }

  /// Comes after all slabs' posts and before the turns of their clocks.
  void gather_by(Halo& halo) const;

 private:
  /// GPUs need not have equally many slabs: places that no slab posts into stay empty.
  struct Gpu {
    std::vector<const Queue*> queues;
    Buffer<SlabReport> posts, posts_of_all;
  };
  struct Place {
    int gpu, place;
  };

  const Gpu& gpu_of(std::size_t slab) const { return gpus_.at(slabs_[slab].gpu); }
  /// A slab posts again only after its clock has turned, and the next gathering awaits all posts.
  static Mailbox mailbox(const Buffer<SlabReport>& reports) {
    return {reports.data(), static_cast<int>(reports.size()), 1};
  }

  std::map<int, Gpu> gpus_;  // by number
  std::vector<Place> slabs_;
};

}  // namespace tayra
