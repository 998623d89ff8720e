// The GPU's engine: steps are enqueued on streams and never wait for the host.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/cuda_launch.cuh"
#include "core/cuda_queue.hpp"
#include "core/cuda_signal.cuh"
#include "physics/schemes.hpp"
#include "solver/carry_cuda.cuh"
#include "solver/cell_sums.hpp"
#include "solver/engine.hpp"
#include "solver/plane_counts_cuda.cuh"
#include "solver/plane_waves_cuda.cuh"
#include "solver/profiles_cuda.cuh"
#include "solver/sweep_tile.cuh"

namespace tayra {

/// Compiled for each scheme by itself (cmake/schemes.cmake).
template <class Scheme, Positivity positivity, class Real>
void launch_sweep(const Sweep<Real>& sweep, const GpuShape& gpu, cudaStream_t stream);

namespace {

constexpr int steps_in_flight = 1024;
constexpr int reduction_threads = 256;

/// When a slab's work was under way in a step, in nanoseconds of its GPU.
struct StepTimes {
  Interval boundary[stages], interior[stages];
  unsigned long long arrived[stages] = {
      0, 0, 0};  // the neighbours' planes that a stage sent; zero: none were awaited
  unsigned long long end = 0;
};

/// What the GPU notes of a step, in a ring that the host reads late.
struct DeviceNote {
  StepNote note;
  StepTimes times;
};

__global__ void until_kernel(StepClock* clock, double until) {
  clock->until = until;
  plan_step(*clock);
}

__global__ void arrival_kernel(StepTimes* times, int stage) { times->arrived[stage] = nanoseconds(); }

__global__ void publish_kernel(const StepClock* clock, ReportTable table, int place) {
  publish(*clock, table, place);
}

/// In one queue. Planes for which no block had to wait had arrived when the sweep began; the last stage's
/// have when all flags have.
__device__ void note_arrivals(StepTimes& times, unsigned long long last) {
  for (int stage = 0; stage + 1 < stages; ++stage)
    if (times.arrived[stage] == 0) times.arrived[stage] = times.boundary[stage + 1].begin;
  times.arrived[stages - 1] = last;
}

/// Read before anything is written: one wait for memory instead of twenty.
struct StepSoFar {
  StepClock clock;
  StepTimes times;
};

__device__ void end_and_note(StepSoFar step, const SlabReport& report, StepClock* clock, StepTimes* times,
                             DeviceNote* notes) {
  DeviceNote& place = notes[step.clock.epoch % steps_in_flight];
  step.times.end = nanoseconds();
  place = {end_step(step.clock, report), step.times};
  *clock = step.clock;
  *times = StepTimes();
}

__device__ void merge_lanes(SlabReport& report) {
  for (int lane = warp_threads / 2; lane > 0; lane /= 2)
    merge(report,
          {__shfl_down_sync(~0u, report.signal_rate, lane), __shfl_down_sync(~0u, report.bad_cell, lane),
           __shfl_down_sync(~0u, report.limited_faces, lane)});
}

/// One warp: there may be a report for every GPU of a cluster.
__global__ void end_step_kernel(StepClock* clock, ReportTable table, StepTimes* times, DeviceNote* notes) {
  const StepSoFar step{*clock, *times};
  SlabReport report = merged_reports(table, step.clock.epoch, threadIdx.x, warp_threads);
  merge_lanes(report);
  if (threadIdx.x == 0) end_and_note(step, report, clock, times, notes);
}

/// Publishes a report to a slab and reads that slab's.
__device__ void exchange_reports(const ReportSlots& slots, int slab, unsigned epoch, SlabReport& report) {
  ReportSlot& out = slots.of_slab[slab][slots.place(epoch, slots.slab)];
  out.report = report;
  store_released(&out.epoch, epoch + 1);
  const ReportSlot& in = slots.of_slab[slots.slab][slots.place(epoch, slab)];
  wait_until([&] { return load_acquired(&in.epoch) == epoch + 1; });
  const volatile SlabReport& read = in.report;  // another GPU has just written it
  report = {read.signal_rate, read.bad_cell, read.limited_faces};
}

/// One warp, a lane for each slab.
__global__ void publish_and_end_step_kernel(StepClock* clock, const __grid_constant__ ReportSlots slots,
                                            bool in_one_queue, StepTimes* times, DeviceNote* notes) {
  static_assert(most_report_slots == warp_threads);
  // Nothing waits to begin beside a kernel that waits for other GPUs (decision 0307).
  if (slots.slabs == 1) trigger_launch_completion();
  grid_dependency_synchronize();
  const int slab = threadIdx.x;
  StepSoFar step{*clock, *times};
  SlabReport report = step.clock.found;
  if (slab >= slots.slabs) report = {};
  if (slab < slots.slabs && slab != slots.slab) exchange_reports(slots, slab, step.clock.epoch, report);
  if (slots.slabs > 1) merge_lanes(report);
  if (slab > 0) return;
  if (in_one_queue && slots.slabs > 1) note_arrivals(step.times, nanoseconds());
  end_and_note(step, report, clock, times, notes);
}

/// Blocks: groups of the slab's rows, by plane. out: [plane][group].
template <class Real>
__global__ void group_sums_kernel(const __grid_constant__ FlowView<Real> flow, int first_plane, Sums which,
                                  Layers layers, PlaneSums* out) {
  __shared__ PlaneSums sums[reduction_threads];
  const Layout& layout = flow.slab.layout;
  const int k = first_plane + static_cast<int>(blockIdx.y), begin = blockIdx.x * rows_of_group;
  const unsigned end = static_cast<unsigned>(min(begin + rows_of_group, layout.ny)) * layout.nx;
  PlaneSums mine;
  for (unsigned i = begin * layout.nx + threadIdx.x; i < end; i += reduction_threads)
    if (which == Sums::all)
      combine(mine, sums_of_cell(flow, k, i, layers));
    else if (which == Sums::density)
      mine.density += double(flow.u[layout.plane_start(k) + i]);
    else
      add_mass(mine, flow, k, i);
  sums[threadIdx.x] = mine;
  for (int half = reduction_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) combine(sums[threadIdx.x], sums[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) out[blockIdx.y * gridDim.x + blockIdx.x] = sums[0];
}

/// A thread a plane. out: [plane][branch].
__global__ void branch_sums_kernel(const PlaneSums* of_groups, RowGroups groups, int planes, int branches,
                                   PlaneSums* out) {
  const int plane = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (plane >= planes) return;
  const PlaneSums* in = of_groups + static_cast<std::size_t>(plane) * groups.count();
  out += static_cast<std::size_t>(plane) * branches;
  groups.for_each_branch([&](int first, int terms) {
    TreeSum<PlaneSums> tree;
    for (int group = first; group < first + terms; ++group) tree.add(group, 1, in[group - groups.first]);
    *out++ = tree.whole();
  });
}

constexpr int field_threads = 256;

/// A few blocks saturate the link to the host and leave the rest of the GPU to the flow; fields that go into
/// the GPU's own memory are stored so fast that they may take all of it.
constexpr int field_blocks(Memory targets, int multiprocessors) {
  constexpr int a_multiprocessor_holds = 2048 / field_threads;
  return targets == Memory::pinned ? 32 : a_multiprocessor_holds * multiprocessors;
}

template <class Real, class Number>
__global__ void fields_kernel(const __grid_constant__ FieldWork<Real> work) {
  for (int i = 0; i < work.count; ++i)
    for (int row = blockIdx.x; row < work.rows(); row += gridDim.x)
      put_row<Number>(work, work.targets[i], row, threadIdx.x, blockDim.x);
}

/// Length of the union of intervals, in nanoseconds.
double covered(std::vector<Interval> intervals) {
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
SlabTimes slab_times(const StepTimes& times) {
  std::vector<Interval> sweeps, exchanges;
  for (int stage = 0; stage < stages; ++stage) {
    for (const Interval& sweep : {times.boundary[stage], times.interior[stage]})
      if (sweep.end > sweep.begin) sweeps.push_back(sweep);
    if (times.arrived[stage] > times.boundary[stage].end)
      exchanges.push_back({times.boundary[stage].end, times.arrived[stage]});
  }
  std::vector<Interval> all = sweeps;
  all.insert(all.end(), exchanges.begin(), exchanges.end());
  constexpr double to_milliseconds = 1e-6;
  const double busy = covered(sweeps);
  return {busy * to_milliseconds, covered(exchanges) * to_milliseconds,
          (covered(all) - busy) * to_milliseconds};
}

unsigned long long first_begin(const StepTimes& times) {
  return std::min(times.boundary[0].begin, times.interior[0].begin);
}

template <class Real>
class CudaEngine final : public Engine<Real> {
 public:
  explicit CudaEngine(const EngineChoice& choice)
      : choice_(choice),
        gpu_(gpu_shape(choice.device.number)),
        boundary_(choice.device, Priority::high),
        interior_(choice.device),
        arrival_(choice.device),
        clock_(choice.device, 1),
        times_(choice.device, 1),
        notes_(choice.device, steps_in_flight),
        notes_host_(choice.device, steps_in_flight, Memory::pinned) {
    const StepTimes none;
    interior_.copy(times_.data(), &none, sizeof none);
    if (choice.positivity == Positivity::on) make_deferred_bits();
    set_clock(StepClock());
  }

  const Queue& queue(SlabPart part) const override {
    return part == SlabPart::boundary ? boundary_ : interior_;
  }
  std::vector<const Queue*> queues() const override { return {&interior_, &boundary_, &arrival_}; }
  StepClock* clock() override { return clock_.data(); }

  void set_clock(const StepClock& clock) override {
    interior_.copy(clock_.data(), &clock, sizeof clock);
    interior_.synchronize();
    first_note_ = clock.epoch;
  }

  StepClock read_clock() override {
    StepClock clock;
    interior_.copy(&clock, clock_.data(), sizeof clock);
    interior_.synchronize();
    return clock;
  }

  void set_until(double until) override {
    launch(until_kernel, 1, 1, interior_, "setting the end time", clock_.data(), until);
  }

  void sweep(Sweep<Real> sweep, SlabPart part, int stage) override {
    const UseDevice use(choice_.device.number);
    sweep.busy = time_of(part, stage);
    if (stage > 0) sweep.arrived = times_.data()->arrived + stage - 1;
    sweep.deferred_bits = deferred_bits_.data() + first_mask(choice_.layout, part);
    const cudaStream_t on = stream_of(queue(part));
    with_scheme(choice_.scheme, [&]<class Scheme>() {
      choice_.positivity == Positivity::on ? launch_sweep<Scheme, Positivity::on>(sweep, gpu_, on)
                                           : launch_sweep<Scheme, Positivity::off>(sweep, gpu_, on);
    });
  }

  void carry(Sweep<Real> sweep, SlabPart part, int stage) override {
    sweep.busy = time_of(part, stage);
    const Carry<Real> carry{sweep, flux_multiple_of(choice_.scheme)};
    for (int scalar = 0; scalar < sweep.slab.layout.scalars; ++scalar)
      launch(carry_kernel<Real>, CarryShape::blocks(sweep.slab.layout, sweep.planes), CarryShape::threads,
             queue(part), "carrying scalars", carry, scalar);
  }

  /// Beside the boundary's queue, which goes on without it.
  void note_arrival(int stage) override {
    arrival_.follow(boundary_);
    launch(arrival_kernel, 1, 1, arrival_, "noting an arrival", times_.data(), stage);
  }

  void publish(const ReportTable& table, int place) override {
    gather(queues());
    launch(publish_kernel, 1, 1, interior_, "publishing a slab's report", clock_.data(), table, place);
  }

  void end_step(const ReportTable& table) override {
    launch(end_step_kernel, 1, warp_threads, interior_, "ending a step", clock_.data(), table, times_.data(),
           notes_.data());
  }

  void use_one_queue(std::optional<SlabPart> part) override { one_queue_ = part; }

  void publish_and_end_step(const ReportSlots& slots) override {
    const UseDevice use(choice_.device.number);
    if (!one_queue_) gather(queues());
    launch_early(publish_and_end_step_kernel, {dim3(1), warp_threads},
                 stream_of(queue(one_queue_.value_or(SlabPart::interior))), "ending a step", clock_.data(),
                 slots, one_queue_.has_value(), times_.data(), notes_.data());
  }

  std::int64_t capacity() const override { return steps_in_flight; }

  std::vector<SlabStep> collect(std::int64_t steps) override {
    for (std::int64_t i = 0; i < steps;) {
      const auto at = static_cast<std::int64_t>((first_note_ + i) % steps_in_flight);
      const auto run = std::min<std::int64_t>(steps - i, steps_in_flight - at);  // to the end of the ring
      interior_.copy(notes_host_.data() + at, notes_.data() + at, run * sizeof(DeviceNote));
      i += run;
    }
    interior_.synchronize();
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

  std::vector<PlaneSums> sum_planes(const FlowView<Real>& flow, Sums which, const Layers& layers) override {
    const RowGroups groups(flow.slab.y.first, flow.slab.layout.ny);
    const int planes = flow.slab.layout.nz, branches = groups.branches();
    constexpr int most_at_once = 64;
    const int at_once = std::min(planes, most_at_once);
    const std::size_t count = static_cast<std::size_t>(planes) * branches;
    if (branch_sums_.size() < count) {
      group_sums_ = Buffer<PlaneSums>(choice_.device, static_cast<std::size_t>(at_once) * groups.count());
      branch_sums_ = Buffer<PlaneSums>(choice_.device, count);
    }
    for (int first = 0; first < planes; first += at_once) {
      const int some = std::min(at_once, planes - first);
      launch(group_sums_kernel<Real>, dim3(groups.count(), some), reduction_threads, interior_,
             "summing planes", flow, first, which, layers, group_sums_.data());
      launch(branch_sums_kernel, (some + 31) / 32, 32, interior_, "summing planes", group_sums_.data(),
             groups, some, branches, branch_sums_.data() + static_cast<std::size_t>(first) * branches);
    }
    std::vector<PlaneSums> sums(count);
    interior_.copy(sums.data(), branch_sums_.data(), count * sizeof(PlaneSums));
    interior_.synchronize();
    return sums;
  }

  std::vector<double> sum_profiles(const FlowView<Real>& flow, const Layers& layers,
                                   ProfilesOf what) override {
    const Layout& layout = flow.slab.layout;
    const int rows_beside = layout.other_rows > 0 ? 1 : 0;
    const int tiles = ProfileTiles(layout).count();
    const std::size_t numbers = static_cast<std::size_t>(layout.nz) * profile_count;
    const std::size_t beside = static_cast<std::size_t>(rows_beside) * layout.nx;
    const std::size_t cells = layout.cells_of_plane() + 2 * beside;
    const int at_once = std::min(profile_planes_at_once(cells), layout.nz);
    if (profiles_of_tiles_.size() < numbers * tiles) {
      slope_numbers_ = Buffer<double>(choice_.device, slope_numbers_size(cells, at_once));
      profiles_of_tiles_ = Buffer<double>(choice_.device, numbers * tiles);
      profiles_ = Buffer<double>(choice_.device, numbers);
    }
    for (int first = 0; first < layout.nz; first += at_once) {
      const SlopePlanes planes{slope_numbers_.data() + beside, cells, first,
                               std::min(first + at_once, layout.nz), rows_beside};
      const unsigned count = planes.end - first;
      launch(slope_numbers_kernel<Real>,
             dim3(static_cast<unsigned>((cells + slope_threads - 1) / slope_threads), count + 2),
             slope_threads, interior_, "summing profiles", flow, layers, planes);
      launch(profile_tiles_kernel<Real>, count * tiles, profile_columns, interior_, "summing profiles", flow,
             layers, planes, profiles_of_tiles_.data());
    }
    if (what == ProfilesOf::tiles) return on_host(profiles_of_tiles_, numbers * tiles);
    launch(profile_planes_kernel, layout.nz, profile_count, interior_, "summing profiles",
           profiles_of_tiles_.data(), tiles, profiles_.data());
    return on_host(profiles_, numbers);
  }

  std::vector<double> sum_waves(const PlanesView<Real>& view, const WavePlan& plan,
                                const std::vector<WaveItem>& items) override {
    if (!waves_) waves_.emplace(choice_.device, interior_, plan);
    std::vector<double> sums(items.size() * plan.shells);
    for (std::size_t first = 0; first < items.size(); first += planes_at_once(plan.cells())) {
      const std::size_t count = std::min(planes_at_once(plan.cells()), items.size() - first);
      interior_.copy(waves_->items.data(), items.data() + first, count * sizeof(WaveItem));
      const Complex* planes = transform(view, plan, static_cast<unsigned>(count));
      launch(shell_sums_kernel, dim3(plan.shells, static_cast<unsigned>(count)), wave_lanes, interior_,
             "summing waves", planes, waves_->waves.data(), waves_->first_wave.data(), plan.nx, plan.cells(),
             plan.shells, waves_->sums.data());
      interior_.copy(sums.data() + first * plan.shells, waves_->sums.data(),
                     count * plan.shells * sizeof(double));
    }
    interior_.synchronize();
    return sums;
  }

  std::vector<std::int64_t> count_cells(const PlanesView<Real>& view, const CountedField& what,
                                        const std::vector<int>& planes) override {
    std::vector<std::int64_t> counts(what.bins.count);
    if (planes.empty()) return counts;
    if (counts_.size() == 0) counts_ = Buffer<unsigned long long>(choice_.device, most_bins);
    if (counted_.size() == 0) counted_ = Buffer<int>(choice_.device, choice_.layout.nz);
    interior_.copy(counted_.data(), planes.data(), planes.size() * sizeof(int));
    interior_.copy(counts_.data(), counts.data(), counts.size() * sizeof(std::int64_t));
    launch(plane_counts_kernel<Real>, static_cast<unsigned>(planes.size()) * count_parts, count_threads,
           interior_, "counting cells", view, what, counted_.data(), counts_.data());
    interior_.copy(counts.data(), counts_.data(), counts.size() * sizeof(std::int64_t));
    interior_.synchronize();
    return counts;
  }

  void put_fields(const FieldWork<Real>& work, Memory targets, const Queue& queue) override {
    launch(work.precision == Precision::single ? fields_kernel<Real, float> : fields_kernel<Real, double>,
           field_blocks(targets, gpu_.multiprocessors), field_threads, queue, "computing fields", work);
  }

 private:
  std::vector<double> on_host(const Buffer<double>& numbers, std::size_t count) const {
    std::vector<double> copied(count);
    interior_.copy(copied.data(), numbers.data(), count * sizeof(double));
    interior_.synchronize();
    return copied;
  }

  /// What spectra need on the GPU.
  struct Waves {
    Waves(Device device, const Queue& queue, const WavePlan& plan)
        : turns(device, plan.turns.size()),
          planes(device, planes_at_once(plan.cells()) * plan.cells()),
          scratch(device, planes_at_once(plan.cells()) * plan.cells()),
          waves(device, plan.waves.size()),
          first_wave(device, plan.first_wave.size()),
          items(device, planes_at_once(plan.cells())),
          sums(device, planes_at_once(plan.cells()) * plan.shells) {
      queue.copy(turns.data(), plan.turns.data(), turns.bytes());
      queue.copy(waves.data(), plan.waves.data(), waves.bytes());
      queue.copy(first_wave.data(), plan.first_wave.data(), first_wave.bytes());
    }
    Buffer<Complex> turns, planes, scratch;
    Buffer<int> waves, first_wave;
    Buffer<WaveItem> items;
    Buffer<double> sums;
  };

  /// The first items; where their waves then are.
  const Complex* transform(const PlanesView<Real>& view, const WavePlan& plan, unsigned items) {
    Complex *from = waves_->planes.data(), *to = waves_->scratch.data();
    const auto blocks = [&](int columns) {
      return dim3((static_cast<unsigned>(columns) * plan.ny + wave_threads - 1) / wave_threads, items);
    };
    launch(fill_waves_kernel<Real>, blocks(plan.nx), wave_threads, interior_, "reading planes", view,
           waves_->items.data(), from);
    for (const WavePass& pass : plan.passes) {
      launch(wave_pass_kernel, blocks(plan.columns(pass)), wave_threads, interior_, "transforming planes",
             pass, waves_->turns.data(), plan.nx, plan.cells(), plan.columns(pass), from, to);
      std::swap(from, to);
    }
    return from;
  }

  template <class... Parameters, class... Arguments>
  void launch(void (*kernel)(Parameters...), dim3 blocks, unsigned threads, const Queue& queue,
              const char* doing, const Arguments&... arguments) const {
    const UseDevice use(choice_.device.number);
    kernel<<<blocks, threads, 0, stream_of(queue)>>>(arguments...);
    check_cuda(cudaGetLastError(), doing);
  }

  Interval* time_of(SlabPart part, int stage) const {
    return (part == SlabPart::boundary ? times_.data()->boundary : times_.data()->interior) + stage;
  }

  void make_deferred_bits() {
    const UseDevice use(choice_.device.number);
    deferred_bits_ = Buffer<unsigned>(choice_.device, masks_of_slab(choice_.layout));
    check_cuda(cudaMemsetAsync(deferred_bits_.data(), 0, deferred_bits_.bytes(), stream_of(interior_)),
               "clearing a field of bits");
  }

  EngineChoice choice_;
  GpuShape gpu_;
  Queue boundary_, interior_, arrival_;
  std::optional<SlabPart> one_queue_;
  Buffer<StepClock> clock_;
  Buffer<StepTimes> times_;
  Buffer<DeviceNote> notes_;
  Buffer<DeviceNote> notes_host_;
  Buffer<PlaneSums> group_sums_, branch_sums_;
  Buffer<double> slope_numbers_, profiles_of_tiles_, profiles_;
  std::optional<Waves> waves_;
  Buffer<unsigned long long> counts_;
  Buffer<int> counted_;  // planes
  Buffer<unsigned> deferred_bits_;
  unsigned first_note_ = 0;  // that collect() has not seen
};

}  // namespace

template <class Real>
std::unique_ptr<Engine<Real>> make_cuda_engine(const EngineChoice& choice) {
  return std::make_unique<CudaEngine<Real>>(choice);
}
template std::unique_ptr<Engine<float>> make_cuda_engine(const EngineChoice&);
template std::unique_ptr<Engine<double>> make_cuda_engine(const EngineChoice&);

}  // namespace tayra
