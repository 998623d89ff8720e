// The GPU's engine: steps are enqueued on streams and never wait for the host. Included once per precision,
// so that both compile side by side.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/cuda_launch.cuh"
#include "core/cuda_queue.hpp"
#include "core/cuda_signal.cuh"
#include "physics/schemes.hpp"
#include "solver/cell_sums.hpp"
#include "solver/engine.hpp"
#include "solver/next_cell.cuh"
#include "solver/set_aside.cuh"

namespace tayra {

/// Compiled for each scheme by itself (cmake/schemes.cmake).
template <class Scheme, Positivity positivity, class Real>
void launch_sweep(const Sweep<Real>& sweep, int multiprocessors, cudaStream_t stream);

namespace cuda {

inline constexpr int steps_in_flight = 1024;
inline constexpr int reduction_threads = 256;

/// When a slab's work was under way in a step, in nanoseconds of its GPU.
struct StepTimes {
  Interval rim[stages], core[stages];
  unsigned long long landed[stages] = {
      0, 0, 0};  // the neighbours' planes that a stage sent; zero: none were awaited
  unsigned long long end = 0;
};

/// What the GPU notes of a step, in a ring that the host reads late.
struct DeviceNote {
  StepNote note;
  StepTimes times;
};

static __global__ void until_kernel(StepClock* clock, double until) {
  clock->until = until;
  plan_step(*clock);
}

static __global__ void landing_kernel(StepTimes* times, int stage) { times->landed[stage] = nanoseconds(); }

static __global__ void post_kernel(const StepClock* clock, Mailbox mailbox, int place) {
  post_report(*clock, mailbox, place);
}

/// In one queue. Planes for which no march had to wait had landed when the sweep began; the last stage's have
/// when all letters have come.
__device__ inline void note_landings(StepTimes& times, unsigned long long last) {
  for (int stage = 0; stage + 1 < stages; ++stage)
    if (times.landed[stage] == 0) times.landed[stage] = times.rim[stage + 1].begin;
  times.landed[stages - 1] = last;
}

/// Read before anything is written: one wait for memory instead of twenty.
struct StepSoFar {
  StepClock clock;
  StepTimes times;
};

__device__ inline void turn(StepSoFar step, const SlabReport& report, StepClock* clock, StepTimes* times,
                            DeviceNote* notes) {
  DeviceNote& place = notes[step.clock.turn % steps_in_flight];
  step.times.end = nanoseconds();
  place = {end_step(step.clock, report), step.times};
  *clock = step.clock;
  *times = StepTimes();
}

__device__ inline void merge_lanes(SlabReport& report) {
  for (int lane = warp_threads / 2; lane > 0; lane /= 2)
    merge(report,
          {__shfl_down_sync(~0u, report.signal_rate, lane), __shfl_down_sync(~0u, report.bad_cell, lane),
           __shfl_down_sync(~0u, report.limited_faces, lane)});
}

/// One warp: there may be a report for every GPU of a cluster.
static __global__ void turn_kernel(StepClock* clock, Mailbox mailbox, StepTimes* times, DeviceNote* notes) {
  const StepSoFar step{*clock, *times};
  SlabReport report = sum_reports(mailbox, step.clock.turn, threadIdx.x, warp_threads);
  merge_lanes(report);
  if (threadIdx.x == 0) turn(step, report, clock, times, notes);
}

/// Writes a letter to a slab and reads that slab's; false when it did not come in time.
__device__ inline bool exchange_letters(const LetterRound& letters, int slab, unsigned turn,
                                        SlabReport& report) {
  Letter& out = letters.boxes[slab][letters.place(turn, letters.slab)];
  out.report = report;
  store_released(&out.turn, turn + 1);
  const Letter& in = letters.boxes[letters.slab][letters.place(turn, slab)];
  const bool has_come = wait_until([&] { return load_acquired(&in.turn) == turn + 1; }, letters.patience);
  const volatile SlabReport& read = in.report;  // another GPU has just written it
  report = {read.signal_rate, read.bad_cell, read.limited_faces};
  return has_come;
}

/// One warp, a lane for each slab.
static __global__ void post_and_turn_kernel(StepClock* clock, const __grid_constant__ LetterRound letters,
                                            bool in_one_queue, StepTimes* times, DeviceNote* notes) {
  static_assert(most_letterboxes == warp_threads);
  // Nothing waits to begin beside a kernel that waits for other GPUs (decision 0307).
  if (letters.slabs == 1) let_kernel_behind_start();
  await_kernel_ahead();
  const int slab = threadIdx.x;
  StepSoFar step{*clock, *times};
  SlabReport report = step.clock.found;
  bool lost = false;
  if (slab >= letters.slabs) report = {};
  if (slab < letters.slabs && slab != letters.slab && !step.clock.given_up)
    lost = !exchange_letters(letters, slab, step.clock.turn, report);
  if (lost) *letters.lost_slab = slab + 1;
  if (letters.slabs > 1) merge_lanes(report);
  lost = __any_sync(~0u, lost);
  if (slab > 0) return;
  if (in_one_queue && letters.slabs > 1) note_landings(step.times, nanoseconds());
  if (lost) give_up(step.clock);
  turn(step, report, clock, times, notes);
}

template <class Real>
__global__ void signal_rate_kernel(Slab<Real> slab, FlowConstants<Real> flow, const Real* u,
                                   StepClock* clock) {
  double rate = 0;
  for (std::size_t i = threadIdx.x; i < slab.layout.variable_stride(); i += blockDim.x) {
    const Cell<Real> cell =
        make_cell(state_at(slab.layout, u, blockIdx.x, i), slab.background[blockIdx.x].pressure, flow.gas);
    rate = fmax(rate, static_cast<double>(signal_rate(cell, slab.spacing.crossed)));
  }
  report_signal_rate(clock, rate);
}

/// One block a plane; a fixed tree, so that the sums are the same for any number of slabs.
template <class Real>
__global__ void plane_sums_kernel(const __grid_constant__ FlowView<Real> flow, Sums which, Layers layers,
                                  PlaneSums* out) {
  __shared__ PlaneSums sums[reduction_threads];
  PlaneSums mine;
  for (std::size_t i = threadIdx.x; i < flow.slab.layout.variable_stride(); i += reduction_threads)
    if (which == Sums::all)
      combine(mine, sums_of_cell(flow, static_cast<int>(blockIdx.x), i, layers));
    else
      add_mass(mine, state_at(flow.slab.layout, flow.u, static_cast<int>(blockIdx.x), i), i);
  sums[threadIdx.x] = mine;
  for (int half = reduction_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) combine(sums[threadIdx.x], sums[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

inline constexpr int field_threads = 256;

/// A few blocks saturate the link to the host and leave the rest of the GPU to the flow; fields that go into
/// the GPU's own memory are stored so fast that they may take all of it.
constexpr int field_blocks(Memory targets, int multiprocessors) {
  constexpr int a_multiprocessor_holds = 2048 / field_threads;
  return targets == Memory::pinned ? 32 : a_multiprocessor_holds * multiprocessors;
}

template <class Real, class Number>
__global__ void fields_kernel(const __grid_constant__ FieldWork<Real, Number> work) {
  for (int i = 0; i < work.count; ++i)
    for (int row = blockIdx.x; row < work.rows(); row += gridDim.x)
      put_row(work, work.targets[i], row, threadIdx.x, blockDim.x);
}

/// Length of the union of intervals, in nanoseconds.
inline double covered(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  double sum = 0;
  unsigned long long reached = 0;
  for (const Interval& one : intervals) {
    const unsigned long long from = std::max(one.begin, reached);
    if (one.end > from) sum += static_cast<double>(one.end - from);
    reached = std::max(reached, one.end);
  }
  return sum;
}

/// Exposed is what is left of the exchanges when the time in which sweeps were under way is taken away.
inline SlabTimes slab_times(const StepTimes& times) {
  std::vector<Interval> sweeps, exchanges;
  for (int stage = 0; stage < stages; ++stage) {
    for (const Interval& sweep : {times.rim[stage], times.core[stage]})
      if (sweep.end > sweep.begin) sweeps.push_back(sweep);
    if (times.landed[stage] > times.rim[stage].end)
      exchanges.push_back({times.rim[stage].end, times.landed[stage]});
  }
  std::vector<Interval> all = sweeps;
  all.insert(all.end(), exchanges.begin(), exchanges.end());
  constexpr double to_milliseconds = 1e-6;
  const double busy = covered(sweeps);
  return {busy * to_milliseconds, covered(exchanges) * to_milliseconds,
          (covered(all) - busy) * to_milliseconds};
}

inline unsigned long long first_begin(const StepTimes& times) {
  return std::min(times.rim[0].begin, times.core[0].begin);
}

template <class Real>
class CudaEngine final : public Engine<Real> {
 public:
  explicit CudaEngine(const EngineChoice& choice)
      : choice_(choice),
        rim_(choice.device, Priority::high),
        core_(choice.device),
        landing_(choice.device),
        landed_(choice.device),
        clock_(choice.device, 1),
        times_(choice.device, 1),
        notes_(choice.device, steps_in_flight),
        notes_host_(choice.device, steps_in_flight, Memory::pinned) {
    check_cuda(
        cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, choice.device.number),
        "counting multiprocessors");
    const StepTimes none;
    core_.copy(times_.data(), &none, sizeof none);
    if (choice.positivity == Positivity::on) make_bits_set_aside();
    set_clock(StepClock());
  }

  const Queue& queue(SlabPart part) const override { return part == SlabPart::rim ? rim_ : core_; }
  std::vector<const Queue*> queues() const override { return {&core_, &rim_, &landing_}; }
  StepClock* clock() override { return clock_.data(); }

  void set_clock(const StepClock& clock) override {
    core_.copy(clock_.data(), &clock, sizeof clock);
    core_.synchronize();
    first_note_ = clock.turn;
  }

  StepClock read_clock() override {
    StepClock clock;
    core_.copy(&clock, clock_.data(), sizeof clock);
    core_.synchronize();
    return clock;
  }

  void set_until(double until) override {
    const UseDevice use(choice_.device.number);
    until_kernel<<<1, 1, 0, stream_of(core_)>>>(clock_.data(), until);
    check_cuda(cudaGetLastError(), "setting the end time");
  }

  void find_signal_rate(const Slab<Real>& slab, const FlowConstants<Real>& flow, const Real* u) override {
    const UseDevice use(choice_.device.number);
    signal_rate_kernel<<<slab.layout.nz, reduction_threads, 0, stream_of(core_)>>>(slab, flow, u,
                                                                                   clock_.data());
    check_cuda(cudaGetLastError(), "finding the fastest signal");
  }

  void sweep(Sweep<Real> sweep, SlabPart part, int stage) override {
    const UseDevice use(choice_.device.number);
    sweep.busy = (part == SlabPart::rim ? times_.data()->rim : times_.data()->core) + stage;
    if (stage > 0) sweep.landed = times_.data()->landed + stage - 1;
    sweep.bits_set_aside = bits_set_aside_.data();
    sweep_by_number(sweep, stream_of(queue(part)), std::make_index_sequence<scheme_count>());
  }

  void begin_exchange() override {}
  void end_exchange() override {}

  /// Beside the rim's queue, which goes on without it.
  void note_landing(int stage) override {
    const UseDevice use(choice_.device.number);
    landed_.record(rim_);
    landing_.wait(landed_);
    landing_kernel<<<1, 1, 0, stream_of(landing_)>>>(times_.data(), stage);
    check_cuda(cudaGetLastError(), "noting a landing");
  }

  void post(const Mailbox& mailbox, int place) override {
    const UseDevice use(choice_.device.number);
    gather(queues());
    post_kernel<<<1, 1, 0, stream_of(core_)>>>(clock_.data(), mailbox, place);
    check_cuda(cudaGetLastError(), "posting a slab's report");
  }

  void turn(const Mailbox& mailbox) override {
    const UseDevice use(choice_.device.number);
    turn_kernel<<<1, warp_threads, 0, stream_of(core_)>>>(clock_.data(), mailbox, times_.data(),
                                                          notes_.data());
    check_cuda(cudaGetLastError(), "ending a step");
  }

  void post_and_turn(const LetterRound& letters, std::optional<SlabPart> whole_step) override {
    const UseDevice use(choice_.device.number);
    if (!whole_step) gather(queues());
    launch_early(post_and_turn_kernel, {dim3(1), warp_threads},
                 stream_of(queue(whole_step.value_or(SlabPart::core))), "ending a step", clock_.data(),
                 letters, whole_step.has_value(), times_.data(), notes_.data());
  }

  std::int64_t capacity() const override { return steps_in_flight; }
  bool goes_on() const override { return true; }

  std::vector<SlabStep> collect(std::int64_t steps) override {
    for (std::int64_t i = 0; i < steps;) {
      const auto at = static_cast<std::int64_t>((first_note_ + i) % steps_in_flight);
      const auto run = std::min<std::int64_t>(steps - i, steps_in_flight - at);  // to the end of the ring
      core_.copy(notes_host_.data() + at, notes_.data() + at, run * sizeof(DeviceNote));
      i += run;
    }
    core_.synchronize();
    std::vector<SlabStep> done;
    unsigned long long begin = 0;
    for (std::int64_t i = 0; i < steps; ++i) {
      const DeviceNote& noted = notes_host_.data()[first_note_++ % steps_in_flight];
      if (noted.note.dt == 0) continue;
      if (done.empty()) begin = first_begin(noted.times);
      done.push_back(
          {noted.note, static_cast<double>(noted.times.end - begin) * 1e-6, slab_times(noted.times)});
      begin = noted.times.end;
    }
    return done;
  }

  std::vector<PlaneSums> sum_planes(const FlowView<Real>& flow, Sums which,
                                    const std::optional<Layers>& layers) override {
    const UseDevice use(choice_.device.number);
    const std::size_t planes = flow.slab.layout.nz;
    if (plane_sums_.size() < planes) plane_sums_ = Buffer<PlaneSums>(choice_.device, planes);
    plane_sums_kernel<<<planes, reduction_threads, 0, stream_of(core_)>>>(
        flow, which, layers.value_or(Layers{}), plane_sums_.data());
    check_cuda(cudaGetLastError(), "summing planes");
    std::vector<PlaneSums> sums(planes);
    core_.copy(sums.data(), plane_sums_.data(), planes * sizeof(PlaneSums));
    core_.synchronize();
    return sums;
  }

  void put_fields(const FieldWork<Real, float>& work, Memory targets, const Queue& queue) override {
    put_rows(work, targets, queue);
  }
  void put_fields(const FieldWork<Real, double>& work, Memory targets, const Queue& queue) override {
    put_rows(work, targets, queue);
  }

 private:
  void make_bits_set_aside() {
    const UseDevice use(choice_.device.number);
    bits_set_aside_ = Buffer<unsigned>(choice_.device, mask_count(choice_.layout));
    check_cuda(cudaMemsetAsync(bits_set_aside_.data(), 0, bits_set_aside_.bytes(), stream_of(core_)),
               "clearing a field of bits");
  }

  template <class Number>
  void put_rows(const FieldWork<Real, Number>& work, Memory targets, const Queue& queue) {
    const UseDevice use(choice_.device.number);
    fields_kernel<<<field_blocks(targets, multiprocessors_), field_threads, 0, stream_of(queue)>>>(work);
    check_cuda(cudaGetLastError(), "computing fields");
  }

  template <std::size_t... I>
  void sweep_by_number(const Sweep<Real>& sweep, cudaStream_t on, std::index_sequence<I...>) {
    ((int(I) == choice_.scheme &&
      (choice_.positivity == Positivity::on
           ? launch_sweep<std::tuple_element_t<I, Schemes>, Positivity::on>(sweep, multiprocessors_, on)
           : launch_sweep<std::tuple_element_t<I, Schemes>, Positivity::off>(sweep, multiprocessors_, on),
       true)),
     ...);
  }

  EngineChoice choice_;
  Queue rim_, core_, landing_;
  Event landed_;
  Buffer<StepClock> clock_;
  Buffer<StepTimes> times_;
  Buffer<DeviceNote> notes_;
  Buffer<DeviceNote> notes_host_;
  Buffer<PlaneSums> plane_sums_;
  Buffer<unsigned> bits_set_aside_;
  int multiprocessors_ = 0;
  unsigned first_note_ = 0;  // that collect() has not seen
};

}  // namespace cuda

template <class Real>
std::unique_ptr<Engine<Real>> make_cuda_engine(const EngineChoice& choice) {
  return std::make_unique<cuda::CudaEngine<Real>>(choice);
}

}  // namespace tayra
