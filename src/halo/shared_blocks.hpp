// One block of memory a slab, as the GPUs of all slabs on a node can address it: by its own address within a
// process, opened by CUDA IPC across processes.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "core/device.hpp"

namespace tayra {

class SharedBlocks {
 public:
  /// `mine` belong to the slabs of this process, which follow `first_slab`. All ranks must construct it
  /// together.
  SharedBlocks(const std::vector<int>& rank_of_slab, int first_slab, std::vector<void*> mine);
  /// All ranks destroy it together, too: none gives its memory back while another has it open, but where an
  /// error is on its way.
  ~SharedBlocks();
  SharedBlocks(SharedBlocks&& other) noexcept = default;
  SharedBlocks& operator=(SharedBlocks&&) = delete;

  void* of_slab(int slab, Device reached_from) const;

 private:
  int first_slab_;
  std::vector<void*> mine_;
  std::vector<MemoryHandle> handles_;                    // by slab of the box
  mutable std::map<std::pair<int, int>, void*> opened_;  // by slab and GPU that reaches it
};

}  // namespace tayra
