// The CPU's engine: everything is done at once, by OpenMP threads.
#include <omp.h>

#include <chrono>
#include <cstdint>

#include "solver/engine.hpp"
#include "solver/plane_sums.hpp"

namespace tayra {
namespace {

double milliseconds_now() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

template <class Real>
State<Real> state_at(const Layout& layout, const Real* u, int z, std::size_t cell) {
  const Real* plane = u + layout.plane_start(z) + cell;
  const std::size_t word = layout.variable_stride();
  return {plane[0], {{plane[word], plane[2 * word], plane[3 * word]}}, plane[4 * word]};
}

template <class Real>
class CpuEngine final : public Engine<Real> {
 public:
  explicit CpuEngine(const EngineChoice& choice) : choice_(choice), queue_(choice.device) {}

  const Queue& queue() const override { return queue_; }
  Clock* clock() override { return &clock_; }
  void set_clock(const Clock& clock) override { clock_ = clock; }
  void set_until(double until) override { clock_.until = until; }

  void find_signal_rate(const Slab<Real>& slab, const FlowConstants<Real>& flow, const Real* u) override {
    double rate = clock_.signal_rate;
    const std::size_t cells = slab.layout.variable_stride();
#pragma omp parallel for reduction(max : rate)
    for (int z = 0; z < slab.layout.nz; ++z)
      for (std::size_t i = 0; i < cells; ++i) {
        const Cell<Real> cell =
            make_cell(state_at(slab.layout, u, z, i), slab.background[z].pressure, flow.gas);
        rate = std::max(rate, double(signal_rate(cell, slab.inverse_spacing)));
      }
    clock_.signal_rate = rate;
  }

  void sweep(const Sweep<Real>& sweep) override { sweep_on_cpu(sweep, choice_.scheme, choice_.positivity); }

  void start_step() override { tayra::start_step(clock_); }

  void end_step() override { tayra::end_step(clock_); }

  void mark(Mark point) override {
    const double now = milliseconds_now();
    if (point == Mark::step_begin) {
      begin_ = now;
      exchange_ms_ = 0;
    } else if (point == Mark::exchange_begin) {
      exchange_begin_ = now;
    } else if (point == Mark::exchange_end) {
      exchange_ms_ += now - exchange_begin_;
    } else {
      record_step(now - begin_);
    }
  }

  std::int64_t capacity() const override { return INT64_MAX; }
  bool goes_on() const override { return clock_.dt > 0; }

  Clock collect(std::vector<StepRecord>& records) override {
    records.insert(records.end(), records_.begin(), records_.end());
    records_.clear();
    return clock_;
  }

  std::vector<PlaneSums> sum_planes(const Slab<Real>& slab, const FlowConstants<Real>& flow, const Real* u,
                                    const std::optional<Layers>& layers) override {
    std::vector<PlaneSums> sums(slab.layout.nz);
    const FractionScale scale = fraction_scale(layers);
    const std::size_t cells = slab.layout.variable_stride();
#pragma omp parallel for
    for (int z = 0; z < slab.layout.nz; ++z) {
      PlaneTally tally;
      for (std::size_t i = 0; i < cells; ++i)
        combine(tally, tally_cell(state_at(slab.layout, u, z, i), double(slab.background[z].pressure),
                                  double(flow.gas.gamma), scale));
      sums[z] = plane_sums_of(tally);
    }
    return sums;
  }

 private:
  /// Nothing hides an exchange on the CPU: all of it is exposed.
  void record_step(double wall_ms) {
    StepRecord record;
    record.step = clock_.step;
    record.time = clock_.time;
    record.dt = clock_.dt;
    record.wall_ms = wall_ms;
    record.comm_ms = record.exposed_ms = exchange_ms_;
    record.compute_ms = wall_ms - exchange_ms_;
    record.limited_faces = clock_.limited_faces;
    if (clock_.bad_cell != no_cell) record.bad_cell = clock_.bad_cell;
    records_.push_back(record);
  }

  EngineChoice choice_;
  Queue queue_;
  Clock clock_;
  std::vector<StepRecord> records_;
  double begin_ = 0;
  double exchange_begin_ = 0;
  double exchange_ms_ = 0;
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
