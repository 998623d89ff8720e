// How slabs come to know, at the end of a step, what all have found in it: then every clock ticks alike.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "halo/report.hpp"
#include "halo/shared_blocks.hpp"

namespace tayra {

struct HaloSite;
struct TransportTraits;

/// The end of a slab's step, on its device.
class StepEnd {
 public:
  virtual ~StepEnd() = default;
  /// In whose order it happens, unless a whole step is in another queue.
  virtual const Queue& end_queue() const = 0;
  /// Publishes what the slab found in the step. Comes after all its sweeps.
  virtual void publish(const ReportTable& table, int place) = 0;
  /// Ends the step by what all have found, and plans the next one.
  virtual void end_step(const ReportTable& table) = 0;
  /// Both in one, without events or the host.
  virtual void publish_and_end_step(const ReportSlots& slots) = 0;
};

/// What carries the reports.
enum class ReductionWay {
  flags,     // in the memory of GPUs that reach each other
  table,     // in host memory that all devices of the one process reach
  gathered,  // by the transport, on the queues of the GPUs
  hosts      // a table in each process; the hosts merge
};

const char* name_of(ReductionWay way);

class Reduction {
 public:
  /// Of these slabs. All ranks must construct it together.
  explicit Reduction(const HaloSite& site);

  /// The quickest beside a transport.
  ReductionWay way(const TransportTraits& transport) const;
  /// Enqueues what needs no host; a graph may hold it. Not for those that the transport gathers.
  void enqueue(ReductionWay way) const;
  /// What is left to the hosts once all slabs of this rank have published: ranks merge their reports. Time
  /// and step length are the same on all ranks to the last bit, as maxima and whole sums don't depend on the
  /// order.
  void end_by_hosts(unsigned epoch) const;

 private:
  class Slots;

  void publish() const;
  void end_step() const;
  ReportTable table() const { return {reports_.data(), static_cast<int>(slabs_.size())}; }

  std::vector<StepEnd*> slabs_;
  Buffer<SlabReport> reports_;  // two rows with a place for each slab here
  std::vector<Event> published_;
  std::shared_ptr<Slots> slots_;  // null: not all GPUs reach each other
};

}  // namespace tayra
