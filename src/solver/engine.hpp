// What a device does for one slab. One implementation a kind of device; the physics they run is the same.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/device.hpp"
#include "halo/reduction.hpp"
#include "solver/output_fields.hpp"
#include "solver/plane_counts.hpp"
#include "solver/plane_waves.hpp"
#include "solver/profiles.hpp"
#include "solver/simulation.hpp"
#include "solver/sweep.hpp"

namespace tayra {

/// A step of one slab, as its device noted it.
struct SlabStep {
  StepNote note;
  double wall_ms;
  SlabTimes times;
};

template <class Real>
class Engine : public StepEnd {
 public:
  virtual const Queue& queue(SlabPart part) const = 0;
  /// All queues that work for the slab, the interior's first.
  virtual std::vector<const Queue*> queues() const = 0;
  virtual StepClock* clock() = 0;  // in the memory of the device
  virtual void set_clock(const StepClock& clock) = 0;
  /// Waits for all that is enqueued in the interior's queue.
  virtual StepClock read_clock() = 0;
  virtual void set_until(double until) = 0;

  /// For each of a step's three stages.
  virtual void sweep(Sweep<Real> sweep, SlabPart part, int stage) = 0;
  /// The scalars', after the flow's.
  virtual void carry(Sweep<Real> sweep, SlabPart part, int stage) = 0;
  /// What an exchange has taken of the host.
  virtual void note_exchange(double /*milliseconds*/) {}
  /// Call when the boundary's queue has been told to wait for the neighbours' planes of a stage.
  virtual void note_arrival(int /*stage*/) {}

  /// If all of a step but its copies is in one queue, publish_and_end_step() is, too.
  virtual void use_one_queue(std::optional<SlabPart> /*part*/) {}
  const Queue& end_queue() const final { return queue(SlabPart::interior); }

  /// Steps that may be enqueued before collect() has to be called.
  virtual std::int64_t capacity() const = 0;
  /// False once nothing is left to do before `until`. A GPU works behind the host and always returns true.
  virtual bool goes_on() const { return true; }
  /// Waits; what the device noted of the steps enqueued since the last call, those that did nothing left out.
  virtual std::vector<SlabStep> collect(std::int64_t steps) = 0;

  /// Of the branches that the slab's rows make up: [plane][branch].
  virtual std::vector<PlaneSums> sum_planes(const FlowView<Real>& flow, Sums which, const Layers& layers) = 0;
  /// Over planes, [plane][profile], or over their tiles, [plane][tile][profile].
  virtual std::vector<double> sum_profiles(const FlowView<Real>& flow, const Layers& layers,
                                           ProfilesOf what) = 0;
  /// Of a plane's waves, which one plan sorts at every call: [item][shell].
  virtual std::vector<double> sum_waves(const PlanesView<Real>& view, const WavePlan& plan,
                                        const std::vector<WaveItem>& items) = 0;
  /// Cells of planes, which count from the slab's first: [bin].
  virtual std::vector<std::int64_t> count_cells(const PlanesView<Real>& view, const CountedField& what,
                                                const std::vector<int>& planes) = 0;

  /// Enqueues the work, whose targets lie in the device's memory, or in pinned host memory that it stores to.
  virtual void put_fields(const FieldWork<Real>& work, Memory targets, const Queue& queue) = 0;
};

struct EngineChoice {
  Device device;
  int scheme;  // position in Schemes
  Positivity positivity;
  Layout layout;  // of the slab
};

int cpu_threads();

template <class Real>
std::unique_ptr<Engine<Real>> make_cpu_engine(const EngineChoice& choice);
template <class Real>
std::unique_ptr<Engine<Real>> make_cuda_engine(const EngineChoice& choice);

}  // namespace tayra
