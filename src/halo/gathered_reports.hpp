// How GPUs end a step without the host where flags don't serve, between nodes above all: a GPU's slabs
// publish into its own memory, a transport gathers the reports of all GPUs on their queues, and every slab
// ends its step by the same ones.
#pragma once

#include <vector>

#include "halo/transport.hpp"

namespace tayra {

class GatheredReports {
 public:
  /// GPUs need not have equally many slabs: places that no slab publishes into stay empty.
  struct Gpu {
    std::vector<StepEnd*> slabs;
    QueueGroup queues;  // on the first of which reports are gathered
    Buffer<SlabReport> published, of_all;
  };

  /// All ranks must construct it together.
  GatheredReports(const std::vector<HaloSlab>& slabs, int gpus_of_all_ranks);

  const std::vector<Gpu>& gpus() const { return gpus_; }
  void publish() const;
  /// Comes after the gathering.
  void end_step() const;

 private:
  std::vector<Gpu> gpus_;
};

}  // namespace tayra
