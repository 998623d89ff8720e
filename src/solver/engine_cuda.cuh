// The GPU's engine: steps are enqueued on one stream and never wait for the host. Included once per
// precision, so that both compile side by side.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "solver/engine.hpp"
#include "solver/plane_sums.hpp"
#include "solver/sweep_cuda.cuh"

namespace tayra {
namespace cuda {

inline constexpr int steps_in_flight = 1024;
inline constexpr int reduction_threads = 256;

/// What the device notes of a step.
struct StepNote {
  Clock clock;  // after the step; dt zero: nothing was done
};

static __global__ void until_kernel(Clock* clock, double until) { clock->until = until; }
static __global__ void start_step_kernel(Clock* clock) { start_step(*clock); }
static __global__ void end_step_kernel(Clock* clock, StepNote* note) {
  if (clock->dt > 0) end_step(*clock);
  note->clock = *clock;
}

template <class Real>
__device__ State<Real> state_at(const Layout& layout, const Real* u, int z, std::size_t cell) {
  const Real* plane = u + layout.plane_start(z) + cell;
  const std::size_t word = layout.variable_stride();
  return {plane[0], {{plane[word], plane[2 * word], plane[3 * word]}}, plane[4 * word]};
}

template <class Real>
__global__ void signal_rate_kernel(Slab<Real> slab, FlowConstants<Real> flow, const Real* u, Clock* clock) {
  double rate = 0;
  for (std::size_t i = threadIdx.x; i < slab.layout.variable_stride(); i += blockDim.x) {
    const Cell<Real> cell =
        make_cell(state_at(slab.layout, u, blockIdx.x, i), slab.background[blockIdx.x].pressure, flow.gas);
    rate = fmax(rate, static_cast<double>(signal_rate(cell, slab.inverse_spacing)));
  }
  report(clock, {rate, no_cell, 0});
}

/// One block a plane; a fixed tree, so that the sums are the same for any number of slabs.
template <class Real>
__global__ void plane_sums_kernel(Slab<Real> slab, double gamma, const Real* u, FractionScale scale,
                                  PlaneTally* out) {
  __shared__ PlaneTally tallies[reduction_threads];
  PlaneTally mine;
  for (std::size_t i = threadIdx.x; i < slab.layout.variable_stride(); i += reduction_threads)
    combine(mine, tally_cell(state_at(slab.layout, u, blockIdx.x, i),
                             static_cast<double>(slab.background[blockIdx.x].pressure), gamma, scale));
  tallies[threadIdx.x] = mine;
  for (int half = reduction_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) combine(tallies[threadIdx.x], tallies[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) out[blockIdx.x] = tallies[0];
}

class Event {
 public:
  Event() { check_cuda(cudaEventCreate(&event_), "creating an event"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record(cudaStream_t stream) { check_cuda(cudaEventRecord(event_, stream), "recording an event"); }
  double milliseconds_since(const Event& earlier) const {
    float elapsed = 0;
    check_cuda(cudaEventElapsedTime(&elapsed, earlier.event_, event_), "reading a step's time");
    return elapsed;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// A step's marks: its begin and end, and the begin and end of each of its three exchanges.
struct StepEvents {
  static constexpr int most_exchanges = 6;
  Event begin, end;
  std::array<Event, most_exchanges> exchange_begin, exchange_end;
  int exchanges = 0;
};

template <class Real>
class CudaEngine final : public Engine<Real> {
 public:
  explicit CudaEngine(const EngineChoice& choice)
      : choice_(choice),
        device_(choice.device.number),
        queue_(choice.device),
        clock_(choice.device, 1),
        notes_(choice.device, steps_in_flight),
        notes_host_(choice.device, steps_in_flight, Memory::pinned),
        events_(std::make_unique<StepEvents[]>(steps_in_flight)) {
    check_cuda(
        cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, choice.device.number),
        "counting multiprocessors");
  }

  const Queue& queue() const override { return queue_; }
  Clock* clock() override { return clock_.data(); }

  void set_clock(const Clock& clock) override {
    queue_.copy(clock_.data(), &clock, sizeof clock);
    queue_.synchronize();
    last_ = clock;
  }

  void set_until(double until) override {
    until_kernel<<<1, 1, 0, stream()>>>(clock_.data(), until);
    check_cuda(cudaGetLastError(), "setting the end time");
  }

  void find_signal_rate(const Slab<Real>& slab, const FlowConstants<Real>& flow, const Real* u) override {
    signal_rate_kernel<<<slab.layout.nz, reduction_threads, 0, stream()>>>(slab, flow, u, clock_.data());
    check_cuda(cudaGetLastError(), "finding the fastest signal");
  }

  void sweep(const Sweep<Real>& sweep) override {
    sweep_by_number(sweep, std::make_index_sequence<scheme_count>());
  }

  void start_step() override {
    start_step_kernel<<<1, 1, 0, stream()>>>(clock_.data());
    check_cuda(cudaGetLastError(), "starting a step");
  }

  void end_step() override {
    end_step_kernel<<<1, 1, 0, stream()>>>(clock_.data(), notes_.data() + enqueued_);
    check_cuda(cudaGetLastError(), "ending a step");
  }

  void mark(Mark point) override {
    StepEvents& events = events_[enqueued_];
    if (point == Mark::step_begin) {
      events.exchanges = 0;
      events.begin.record(stream());
    } else if (point == Mark::exchange_begin) {
      events.exchange_begin[events.exchanges].record(stream());
    } else if (point == Mark::exchange_end) {
      events.exchange_end[events.exchanges++].record(stream());
    } else {
      events.end.record(stream());
      ++enqueued_;
    }
  }

  std::int64_t capacity() const override { return steps_in_flight - enqueued_; }
  bool goes_on() const override { return true; }

  Clock collect(std::vector<StepRecord>& records) override {
    if (enqueued_ > 0) queue_.copy(notes_host_.data(), notes_.data(), enqueued_ * sizeof(StepNote));
    queue_.synchronize();
    for (int i = 0; i < enqueued_; ++i) {
      last_ = notes_host_.data()[i].clock;
      if (last_.dt > 0) records.push_back(record_of(last_, events_[i]));
    }
    enqueued_ = 0;
    return last_;
  }

  std::vector<PlaneSums> sum_planes(const Slab<Real>& slab, const FlowConstants<Real>& flow, const Real* u,
                                    const std::optional<Layers>& layers) override {
    const std::size_t planes = slab.layout.nz;
    if (tallies_.size() < planes) tallies_ = Buffer<PlaneTally>(choice_.device, planes);
    plane_sums_kernel<<<planes, reduction_threads, 0, stream()>>>(slab, static_cast<double>(flow.gas.gamma),
                                                                  u, fraction_scale(layers), tallies_.data());
    check_cuda(cudaGetLastError(), "summing planes");
    std::vector<PlaneTally> tallies(planes);
    queue_.copy(tallies.data(), tallies_.data(), planes * sizeof(PlaneTally));
    queue_.synchronize();
    std::vector<PlaneSums> sums(planes);
    std::transform(tallies.begin(), tallies.end(), sums.begin(), plane_sums_of);
    return sums;
  }

 private:
  cudaStream_t stream() const { return static_cast<cudaStream_t>(queue_.stream()); }

  template <std::size_t... I>
  void sweep_by_number(const Sweep<Real>& sweep, std::index_sequence<I...>) {
    ((int(I) == choice_.scheme &&
      (choice_.positivity == Positivity::on
           ? launch_sweep<std::tuple_element_t<I, Schemes>, Positivity::on>(sweep, multiprocessors_, stream())
           : launch_sweep<std::tuple_element_t<I, Schemes>, Positivity::off>(sweep, multiprocessors_,
                                                                             stream()),
       true)),
     ...);
  }

  /// One stream does everything in turn, so an exchange is exposed in full.
  static StepRecord record_of(const Clock& clock, const StepEvents& events) {
    StepRecord record;
    record.step = clock.step;
    record.time = clock.time;
    record.dt = clock.dt;
    record.wall_ms = events.end.milliseconds_since(events.begin);
    for (int i = 0; i < events.exchanges; ++i)
      record.comm_ms += events.exchange_end[i].milliseconds_since(events.exchange_begin[i]);
    record.exposed_ms = record.comm_ms;
    record.compute_ms = record.wall_ms - record.comm_ms;
    record.limited_faces = clock.limited_faces;
    if (clock.bad_cell != no_cell) record.bad_cell = clock.bad_cell;
    return record;
  }

  EngineChoice choice_;
  UseDevice device_;  // stays current for the life of the engine
  Queue queue_;
  Buffer<Clock> clock_;
  Buffer<StepNote> notes_;
  Buffer<StepNote> notes_host_;
  std::unique_ptr<StepEvents[]> events_;
  Buffer<PlaneTally> tallies_;
  Clock last_;
  int multiprocessors_ = 0;
  int enqueued_ = 0;
};

}  // namespace cuda

template <class Real>
std::unique_ptr<Engine<Real>> make_cuda_engine(const EngineChoice& choice) {
  return std::make_unique<cuda::CudaEngine<Real>>(choice);
}

}  // namespace tayra
