// The CPU's engine: everything is done at once, by OpenMP threads.
#include <omp.h>

#include <chrono>
#include <cstdint>
#include <utility>

#include "core/host_memory.hpp"
#include "physics/schemes.hpp"
#include "solver/carry.hpp"
#include "solver/cell_sums.hpp"
#include "solver/engine.hpp"
#include "solver/gas_row.hpp"
#include "solver/plane_counts_cpu.hpp"
#include "solver/plane_waves_cpu.hpp"
#include "solver/profiles_cpu.hpp"

namespace tayra {
namespace {

/// A step goes through three fields.
template <class Real>
Writes writes_to(const Layout& layout) {
  const std::size_t fields = 3 * layout.size() * sizeof(Real);
  return fields > last_level_cache_bytes() ? Writes::past_caches : Writes::through_caches;
}

double milliseconds_now() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Boundary and interior share one queue, and nothing hides an exchange: all that it takes of the thread is
/// exposed.
template <class Real>
class CpuEngine final : public Engine<Real> {
 public:
  explicit CpuEngine(const EngineChoice& choice) : choice_(choice), queue_(choice.device) {}

  const Queue& queue(SlabPart) const override { return queue_; }
  std::vector<const Queue*> queues() const override { return {&queue_}; }
  StepClock* clock() override { return &clock_; }
  void set_clock(const StepClock& clock) override { clock_ = clock; }
  StepClock read_clock() override { return clock_; }
  void set_until(double until) override {
    clock_.until = until;
    plan_step(clock_);
    step_begin_ = milliseconds_now();
  }

  void sweep(Sweep<Real> sweep, SlabPart, int) override {
    const double begin = milliseconds_now();
    sweep_on_cpu(sweep, choice_.scheme, choice_.positivity, writes_to<Real>(sweep.slab.layout));
    times_.compute_ms += milliseconds_now() - begin;
  }

  void carry(Sweep<Real> sweep, SlabPart, int) override {
    const double begin = milliseconds_now();
    carry_on_cpu<Real>({sweep, flux_multiple_of(choice_.scheme)});
    times_.compute_ms += milliseconds_now() - begin;
  }

  void note_exchange(double milliseconds) override {
    times_.comm_ms += milliseconds;
    times_.exposed_ms = times_.comm_ms;
  }

  void publish(const ReportTable& table, int place) override { tayra::publish(clock_, table, place); }

  void end_step(const ReportTable& table) override {
    const StepNote note = tayra::end_step(clock_, merged_reports(table, clock_.epoch));
    const double now = milliseconds_now();
    if (note.dt > 0) steps_.push_back({note, now - step_begin_, times_});
    step_begin_ = now;
    times_ = {};
  }

  void publish_and_end_step(const ReportSlots&) override {}  // flags are for GPUs

  std::int64_t capacity() const override { return INT64_MAX; }
  bool goes_on() const override { return clock_.dt > 0; }
  std::vector<SlabStep> collect(std::int64_t) override { return std::exchange(steps_, {}); }

  std::vector<PlaneSums> sum_planes(const FlowView<Real>& flow, Sums which, const Layers& layers) override {
    const RowGroups groups(flow.slab.y.first, flow.slab.layout.ny);
    const int planes = flow.slab.layout.nz, branches = groups.branches();
    std::vector<PlaneSums> sums(static_cast<std::size_t>(planes) * branches);
#pragma omp parallel for
    for (int k = 0; k < planes; ++k) {
      PlaneSums* out = sums.data() + static_cast<std::size_t>(k) * branches;
      groups.for_each_branch([&](int first, int terms) {
        TreeSum<PlaneSums> tree;
        for (int group = first; group < first + terms; ++group)
          tree.add(group, 1, sums_of_group(flow, k, group - groups.first, which, layers));
        *out++ = tree.whole();
      });
    }
    return sums;
  }

  std::vector<double> sum_profiles(const FlowView<Real>& flow, const Layers& layers,
                                   ProfilesOf what) override {
    const int apart = what == ProfilesOf::tiles ? profile_count : 0;
    const std::size_t of_plane = apart > 0 ? ProfileTiles(flow.slab.layout).count() * apart : profile_count;
    std::vector<double> sums(flow.slab.layout.nz * of_plane);
#pragma omp parallel for
    for (int z = 0; z < flow.slab.layout.nz; ++z)
      add_profiles(flow, layers, z, sums.data() + z * of_plane, apart);
    return sums;
  }

  std::vector<double> sum_waves(const PlanesView<Real>& view, const WavePlan& plan,
                                const std::vector<WaveItem>& items) override {
    return wave_sums(view, plan, items);
  }
  std::vector<std::int64_t> count_cells(const PlanesView<Real>& view, const CountedField& what,
                                        const std::vector<int>& planes) override {
    return counts_of_planes(view, what, planes);
  }

  void put_fields(const FieldWork<Real>& work, Memory, const Queue&) override {
    work.precision == Precision::single ? put_rows<float>(work) : put_rows<double>(work);
  }

 private:
  /// Group of the slab's rows.
  static PlaneSums sums_of_group(const FlowView<Real>& flow, int k, int group, Sums which,
                                 const Layers& layers) {
    const Layout& layout = flow.slab.layout;
    const int begin = group * rows_of_group, end = std::min(begin + rows_of_group, layout.ny);
    const std::size_t first = static_cast<std::size_t>(begin) * layout.nx,
                      last = static_cast<std::size_t>(end) * layout.nx;
    PlaneSums sum;
    if (which == Sums::density) {
      const Real* density = flow.u + layout.plane_start(k);
      for (std::size_t i = first; i < last; ++i) sum.density += double(density[i]);
      return sum;
    }
    if (which == Sums::mass) {
      for (std::size_t i = first; i < last; ++i) add_mass(sum, flow, k, i);
      return sum;
    }
    for (std::size_t i = first; i < last; ++i) combine(sum, sums_of_cell_alone(flow, k, i, layers));
    RowAmongOthers row(layout.nx);
    for (int y = begin; y < end; ++y) row.add(sum, flow, y, k);
    return sum;
  }

  template <class Number>
  static void put_rows(const FieldWork<Real>& work) {
    for (int i = 0; i < work.count; ++i)
#pragma omp parallel for
      for (int row = 0; row < work.rows(); ++row) put_row<Number>(work, work.targets[i], row, 0, 1);
  }

  EngineChoice choice_;
  Queue queue_;
  StepClock clock_;
  std::vector<SlabStep> steps_;
  SlabTimes times_;
  double step_begin_ = 0;
};

}  // namespace

int cpu_threads() { return omp_get_max_threads(); }

template <class Real>
std::unique_ptr<Engine<Real>> make_cpu_engine(const EngineChoice& choice) {
  return std::make_unique<CpuEngine<Real>>(choice);
}
template std::unique_ptr<Engine<float>> make_cpu_engine(const EngineChoice&);
template std::unique_ptr<Engine<double>> make_cpu_engine(const EngineChoice&);

}  // namespace tayra
