// The exchange of ghost planes between slabs, behind four calls: make, send, wait, and goodbye.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "core/device.hpp"
#include "halo/plan.hpp"

namespace tayra {

inline constexpr int rotating_fields = 3;

/// What a backend is bound to: the plan, and where each slab keeps its fields.
struct HaloSite {
  ExchangePlan plan;
  std::vector<std::array<std::byte*, rotating_fields>> fields;  // by slab
  const Queue* queue;  // in whose order faces become valid and ghosts are read
};

/// Three fields rotate and no two exchanges in a row write the same ghosts, so a face may be overwritten as
/// soon as its ghosts have been read by the stage after: no acknowledgement travels back.
class Halo {
 public:
  virtual ~Halo() = default;
  /// Call when the rim planes of the field are enqueued: their copies to the neighbours' ghosts may start.
  virtual void send(int field) = 0;
  /// Call before enqueueing work that reads the field's ghosts.
  virtual void wait(int field) = 0;
};

/// A registry line.
struct HaloBackend {
  std::string name;
  std::string summary;
  std::unique_ptr<Halo> (*make)(HaloSite site);
};

const std::vector<HaloBackend>& halo_registry();

}  // namespace tayra
