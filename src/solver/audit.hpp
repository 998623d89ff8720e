// An audit of silent corruption: some planes of a step are computed a second time on another device, and
// every bit is compared. Also: the total mass is what it was.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/placement.hpp"
#include "solver/sweep.hpp"

namespace tayra {

/// Computed a second time at once. Up to 12 of them are lost to the open ends: fewer would waste more, more
/// would cost a noticeable part of a step.
inline constexpr int most_recomputed_planes = 32;

/// Every stage reads so many planes beyond those it computes, so a step gets as many beside an open end
/// wrong.
inline constexpr int planes_a_step_reads = stages * ghost_planes;

/// What one rank audits of a step.
struct AuditedPlanes {
  int first = 0;    // of those that are recomputed; of a periodic box they may reach beyond its ends
  PlaneRange kept;  // of them, planes of one slab that the open ends leave right; none: nothing is audited
};

/// Of the layers of a rank those that it can audit: all but six beside each layer of other ranks.
PlaneRange auditable_planes(const Grid& grid, const SlabRange& of_layers);
/// Whether any rank has some.
bool has_auditable_planes(const SolverSettings& settings);
/// A function of the step and the rank alone, so that a resumed run audits the same.
AuditedPlanes planes_to_audit(const Grid& grid, const Placement& placement, int rank, std::int64_t step);

/// By how much round-off may change the total mass in so many steps, as a part of it.
double mass_roundoff(const SolverSettings& settings, std::int64_t steps);

/// Bytes that audits take on each device. All ranks must call it together.
std::uint64_t audit_memory(const SolverSettings& settings);

struct AuditFault {
  std::string what;
  std::optional<int> gpu = {};  // that erred, by its number in its process, where that is known
};

/// What this process has audited.
struct AuditTally {
  std::int64_t steps = 0;
  std::int64_t planes = 0;  // of all ranks
  double seconds = 0;       // that the flow waited here
};

class Recomputation;

/// All ranks make and call it together.
class Audit {
 public:
  Audit(const SolverSettings& settings, const Problem& problem, Simulation& simulation);
  ~Audit();

  /// Mass is compared from here on: before the first step.
  void note_mass();
  /// The next step is audited.
  void before_step();
  /// Nothing where all is right or no step was possible; else the same on all ranks.
  std::optional<AuditFault> after_step();

  const AuditTally& tally() const { return tally_; }
  const AuditedPlanes& planes() const { return planes_; }  // of the step audited last
  /// The step of the last audit that found nothing, or from which mass is compared.
  std::int64_t last_right() const { return last_right_; }

 private:
  using Bytes = std::vector<std::byte>;

  /// Where a slab lies.
  struct Place {
    int slab, rank;
    std::string host;
    Device device;
    std::string device_name;
  };

  void copy_before();
  void plant_flip() const;
  std::optional<int> first_wrong_plane(const std::vector<PlaneSums>& masses);
  AuditFault diagnose_together(std::optional<int> plane);
  AuditFault diagnose(int plane, const Bytes& flow, const std::vector<Place>& places);
  AuditFault blame(int plane, const Place& place, const Bytes& flow, const Bytes& second);
  std::string difference(int plane, const Bytes& flow, const Bytes& second) const;
  std::string mass_fault(double mass) const;

  int device_of(int slab) const;
  int device_beside(int layer) const;
  Recomputation& second() const { return *recomputations_[second_]; }
  std::vector<Place> places_of_slabs() const;
  Bytes plane_of_flow(std::optional<int> plane) const;
  Bytes again(Recomputation& on, int plane) const;

  SolverSettings settings_;
  const Problem& problem_;
  Simulation& simulation_;
  Placement placement_;
  int count_;                                                   // of planes computed once more
  std::vector<std::unique_ptr<Recomputation>> recomputations_;  // one a device of this rank
  int second_ = 0;            // of them, where the audited planes are computed once more
  Buffer<std::byte> shared_;  // planes on their way there, where other ranks have rows of them
  AuditedPlanes planes_;
  std::vector<Arrival> arrivals_;
  std::int64_t before_ = 0;
  double mass_ = 0;
  std::int64_t last_right_ = 0;
  AuditTally tally_;
};

}  // namespace tayra
