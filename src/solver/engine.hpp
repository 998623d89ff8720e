// What a device does for the solver. One implementation a kind of device; the physics they run is the same.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/device.hpp"
#include "solver/simulation.hpp"
#include "solver/sweep.hpp"

namespace tayra {

/// Times of a step are taken at these points; see StepRecord.
enum class Mark { step_begin, exchange_begin, exchange_end, step_end };

template <class Real>
class Engine {
 public:
  virtual ~Engine() = default;

  virtual const Queue& queue() const = 0;
  virtual Clock* clock() = 0;  // in the memory of the device
  virtual void set_clock(const Clock& clock) = 0;

  /// Finds the fastest signal of a field before the first step.
  virtual void find_signal_rate(const Slab<Real>& slab, const FlowConstants<Real>& flow, const Real* u) = 0;
  virtual void set_until(double until) = 0;
  virtual void sweep(const Sweep<Real>& sweep) = 0;
  virtual void start_step() = 0;
  virtual void end_step() = 0;
  virtual void mark(Mark point) = 0;

  /// Steps that may be enqueued before collect() has to be called.
  virtual std::int64_t capacity() const = 0;
  /// False once nothing more is to be done before `until`; a device that runs behind the host just says true.
  virtual bool goes_on() const = 0;
  /// Waits; appends a record for every step that did something and returns the clock.
  virtual Clock collect(std::vector<StepRecord>& records) = 0;

  virtual std::vector<PlaneSums> sum_planes(const Slab<Real>& slab, const FlowConstants<Real>& flow,
                                            const Real* u, const std::optional<Layers>& layers) = 0;
};

struct EngineChoice {
  Device device;
  int scheme;  // position in Schemes
  Positivity positivity;
};

int cpu_threads();

template <class Real>
std::unique_ptr<Engine<Real>> make_cpu_engine(const EngineChoice& choice);
template <class Real>
std::unique_ptr<Engine<Real>> make_cuda_engine(const EngineChoice& choice);

}  // namespace tayra
