// The solver over the slabs of this process, in step with those of others.
#include "solver/simulation.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/error.hpp"
#include "grid/together.hpp"
#include "grid/watchdog.hpp"
#include "halo/slab_gpus.hpp"
#include "physics/schemes.hpp"
#include "solver/halo_choice.hpp"
#include "solver/placement.hpp"
#include "solver/slab_flow.hpp"
#include "solver/step_runner.hpp"

namespace tayra {
namespace {

/// Steps as if neighbours had nothing to say: what is left of a step's time without any exchange.
class NoExchange final : public Transport {
 public:
  using Transport::Transport;
  TransportTraits traits() const override { return {.recordable = true, .ties_queues = false}; }

 private:
  void start_planes(int) override {}
  void finish_planes(int) override {}
};

template <class Real>
class SlabSimulation final : public Simulation {
 public:
  SlabSimulation(const SolverSettings& settings, const Problem& problem)
      : settings_(settings),
        placement_(place_slabs(settings)),
        layers_(problem.layers().value_or(Layers{})),
        background_(plane_backgrounds(problem, settings)) {
    if (settings.gravity_course.varies()) varying_.emplace(GravityInTime(settings.gravity_course));
    ranks().watchdog().set_timeout(settings.timeout);
    use_device(placement_.devices.front());  // MPI and its like work on the current GPU
    for (std::size_t i = 0; i < placement_.devices.size(); ++i)
      slabs_.emplace_back(settings, placement_.ranges[placement_.first_slab + i],
                          placement_.rows[i % placement_.rows.size()], placement_.devices[i]);
    double signal_rate = 0;
    do_together([&] {
      for (SlabFlow<Real>& slab : slabs_)
        signal_rate = std::max(signal_rate, slab.fill(problem, background_));
    });
    planes_of_ranks_ = placement_.planes_of_ranks();
    reduction_ = std::make_shared<const Reduction>(halo_site());
    runner_.emplace(slabs_, placement_.first_slab, *reduction_, varying_.has_value());
    // The first step's length follows from the start's fastest signal anywhere.
    clock_.last.signal_rate =
        ranks().merged(signal_rate, [](double& fastest, double rate) { fastest = std::max(fastest, rate); });
    set_clocks(clock_);
    restart_gravity_books({});
    fill_facts();
    end_here_unless_all_fail([&] { choose_halo(); });
  }

  void advance(std::int64_t count, double until) override {
    const Doing doing(Phase::computing);
    for (const SlabFlow<Real>& slab : slabs_) slab.engine().set_until(until);
    runner_->follow_all();
    count = std::min(count, slabs_.front().engine().capacity() - enqueued_);
    for (std::int64_t i = 0; i < count && slabs_.front().engine().goes_on();) {
      if (varying_) {
        if (!step_with_own_gravity()) return;
        ++i;
        continue;
      }
      const int steps = runner_->run(clock_.step + enqueued_ + 1, count - i);
      i += steps;
      enqueued_ += steps;
    }
  }

  std::vector<StepRecord> finish() override {
    const Doing doing(Phase::computing);
    runner_->await_flow();
    std::vector<std::vector<SlabStep>> steps;
    for (const SlabFlow<Real>& slab : slabs_) steps.push_back(slab.engine().collect(enqueued_));
    enqueued_ = 0;
    const auto times = times_of_slabs(steps);
    std::vector<StepRecord> records;
    for (std::size_t i = 0; i < steps.front().size(); ++i) {
      const SlabStep& first = steps.front()[i];
      records.push_back(record_of(first));
      records.back().slabs = times[i];
      clock_.time = first.note.time;
      clock_.dt = first.note.dt;
      clock_.step = first.note.step;
      clock_.last = first.note.report;
    }
    return records;
  }

  const SimulationFacts& facts() const override { return facts_; }

  std::vector<PlaneSums> plane_sums(Sums which) override {
    const auto branches =
        gathered([&](const SlabFlow<Real>& slab) { return slab.plane_sums(which, layers_); });
    std::vector<RowGroups> side_by_side;
    for (const RowRange& rows : placement_.rows) side_by_side.emplace_back(rows.first, rows.rows);
    std::vector<PlaneSums> sums;
    auto next = branches.begin();
    for (std::size_t slab = 0; slab < placement_.ranges.size(); slab += placement_.rows.size()) {
      std::size_t count = 0;
      for (const RowGroups& groups : side_by_side)
        count += groups.branches() * placement_.ranges[slab].planes;
      const auto planes = whole_planes({next, next + count}, side_by_side);
      sums.insert(sums.end(), planes.begin(), planes.end());
      next += count;
    }
    return sums;
  }

  std::vector<double> profiles() override {
    auto means = gathered([&](const SlabFlow<Real>& slab) { return slab.profile_sums(layers_); });
    const double cells = static_cast<double>(settings_.grid.cells[0]) * settings_.grid.cells[1];
    for (double& mean : means) mean /= cells;
    return means;
  }

  std::vector<double> plane_spectra(const WavePlan& plan, const std::vector<PlaneField>& fields,
                                    const std::vector<int>& planes) override {
    auto variances =
        gathered([&](const SlabFlow<Real>& slab) { return slab.wave_sums(plan, fields, planes, layers_); });
    const double cells = plan.cells();
    for (double& variance : variances) variance /= cells * cells;
    return variances;
  }

  std::vector<std::int64_t> plane_counts(const CountedField& what, const std::vector<int>& planes) override {
    const auto of_slabs =
        gathered([&](const SlabFlow<Real>& slab) { return slab.counts(what, planes, layers_); });
    std::vector<std::int64_t> counts(what.bins.count);
    for (std::size_t i = 0; i < of_slabs.size(); ++i) counts[i % counts.size()] += of_slabs[i];
    return counts;
  }

  void read_planes(int first, int count, std::span<double> out) override {
    const std::size_t plane = out.size() / static_cast<std::size_t>(count);
    for (int k = first; k < first + count; ++k) {
      double* to = out.data() + static_cast<std::size_t>(k - first) * plane;
      const int slab = placement_.slab_of(k);
      if (placement_.is_here(slab))
        for (const SlabFlow<Real>& of_layer : layer_here(slab)) of_layer.read_plane(k, background_[k], to);
      ranks().broadcast(to, plane * sizeof(double), placement_.rank_of_slab[slab]);
    }
  }

  const StepClock& clock() const override { return clock_; }
  const std::vector<SlabRange>& planes_of_ranks() const override { return planes_of_ranks_; }
  Device device() const override { return slabs_.front().device(); }
  std::size_t plane_bytes() const override { return slabs_.front().plane_bytes(); }

  Arrival start_copy(int first, int count, std::byte* out) override {
    std::vector<Arrival::Done> done;
    for (SlabFlow<Real>& slab : slabs_) {
      const int begin = std::max(first, slab.range().first), end = std::min(first + count, slab.end());
      if (begin < end)
        done.push_back(slab.start_copy(begin, end - begin, out + (begin - first) * plane_bytes()));
    }
    runner_->note_copies();
    return Arrival(std::move(done), device());
  }

  Arrival start_fields(const FieldChoice& choice, int first, int count, std::byte* out) override {
    std::vector<Arrival::Done> done;
    for (SlabFlow<Real>& slab : slabs_) {
      const PlaneRange share = planes_in(choice.axes[2], {first, first + count}, slab);
      if (share.count() > 0) done.push_back(slab.start_fields(choice, {first, first + count}, share, out));
    }
    runner_->note_copies();
    Arrival arrival(std::move(done), device());
    // Neighbours overwrite ghosts without asking.
    if (reads_neighbours(choice) && !slabs_.front().is_alone()) arrival.wait();
    return arrival;
  }

  void write_raw(int first, int count, const std::byte* in) override {
    for (int k = first; k < first + count; ++k, in += plane_bytes())
      for (const SlabFlow<Real>& slab : layer_here(placement_.slab_of(k))) slab.set_plane(k, in);
  }

  void restart(const StepClock& clock) override {
    clock_ = clock;
    set_clocks(clock_);
    runner_->exchange_start();
  }

  std::optional<GravityBooks> gravity_books() const override {
    if (!varying_) return std::nullopt;
    return GravityBooks{varying_->in_last_step, varying_->course.at(clock_.time), varying_->potential_energy};
  }

  void restart_gravity_books(std::optional<double> potential_energy) override {
    if (!varying_) return;
    varying_->moment = mass_moment();
    varying_->potential_energy = potential_energy.value_or(-settings_.gravity * varying_->moment);
  }

 private:
  struct VaryingGravity {
    explicit VaryingGravity(GravityInTime in_time) : course(std::move(in_time)) {}
    GravityInTime course;
    double in_last_step = 0;
    double moment = 0;  // of the mass, after it
    double potential_energy = 0;
  };

  /// The host must know when the step begins and how long it takes, so it waits for the one before. Gravity
  /// is its mean over the step in all three stages: then its work is that mean times what the step moves, to
  /// round-off, and no jump or pulse gets lost between stages. False where there is nothing left to do.
  bool step_with_own_gravity() {
    runner_->await_flow();
    const StepClock next = slabs_.front().engine().read_clock();
    if (next.dt == 0) return false;
    varying_->in_last_step = varying_->course.mean(next.time, next.dt);
    for (SlabFlow<Real>& slab : slabs_) slab.set_gravity(varying_->in_last_step);
    enqueued_ += runner_->run(clock_.step + enqueued_ + 1, 1);
    runner_->await_flow();
    const double moment = mass_moment();
    varying_->potential_energy -= varying_->in_last_step * (moment - varying_->moment);
    varying_->moment = moment;
    return true;
  }

  /// The integral of density times height.
  double mass_moment() {
    const Grid& grid = settings_.grid;
    const double cell = grid.spacing(0) * grid.spacing(1) * grid.spacing(2);
    double moment = 0;
    int z = 0;
    for (const PlaneSums& plane : plane_sums(Sums::density))
      moment += grid.centre(2, z++) * plane.density * cell;
    return moment;
  }

  /// Those of some chosen planes that lie in a slab.
  static PlaneRange planes_in(const AxisSelection& z, PlaneRange chosen, const SlabFlow<Real>& slab) {
    while (chosen.count() > 0 && z.at(chosen.begin) < slab.range().first) ++chosen.begin;
    while (chosen.count() > 0 && z.at(chosen.end - 1) >= slab.end()) --chosen.end;
    return chosen;
  }

  static bool reads_neighbours(const FieldChoice& choice) {
    return std::any_of(choice.fields.begin(), choice.fields.end(), [](int field) {
      return !is_scalar(field) && output_fields()[field].reads_neighbours;
    });
  }

  /// What `of` says of each slab here, of all slabs of the box one after the other.
  template <class Of>
  auto gathered(Of of) const {
    using Numbers = decltype(of(slabs_.front()));
    constexpr std::size_t bytes = sizeof(typename Numbers::value_type);
    std::string mine;
    for (const SlabFlow<Real>& slab : slabs_) {
      const Numbers numbers = of(slab);
      mine.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * bytes);
    }
    Numbers all;
    for (const std::string& part : ranks().gather_texts(mine)) {
      const std::size_t before = all.size();
      all.resize(before + part.size() / bytes);
      std::memcpy(static_cast<void*>(all.data() + before), part.data(), part.size());
    }
    return all;
  }

  /// From its first slab on.
  std::span<const SlabFlow<Real>> layer_here(int slab) const {
    return std::span(slabs_).subspan(slab - placement_.first_slab, placement_.rows.size());
  }

  /// The length of steps is the settings', also after a checkpoint.
  void set_clocks(StepClock& clock) {
    clock.cfl = settings_.cfl;
    clock.fixed_dt = settings_.fixed_dt.value_or(0);
    clock.epoch = runner_->epoch();
    ranks().work().begin_step(clock.step);
    for (const SlabFlow<Real>& slab : slabs_) slab.engine().set_clock(clock);
  }

  HaloSite halo_site() const {
    HaloSite site{exchange_plan(settings_), placement_.rank_of_slab, placement_.first_slab, {}};
    for (const SlabFlow<Real>& slab : slabs_) site.slabs.push_back(slab.halo_slab());
    site.gpu_aware_mpi = settings_.gpu_aware_mpi;
    site.reduction = reduction_;
    return site;
  }

  void choose_halo() {
    if (settings_.halo == without_exchange) {
      HaloSite site = halo_site();
      site.plan = {};
      return use_halo(without_exchange, std::make_unique<NoExchange>(std::move(site)));
    }
    if (settings_.halo != "auto") return use_halo(require_halo(settings_.halo, placement_.halo_place()));
    const auto candidates = available_halos(placement_.halo_place());
    if (facts_.bytes_per_exchange == 0 || candidates.size() == 1) return use_halo(*candidates.front());
    facts_.halo_trials = try_halos(
        candidates, [&](const HaloBackend& backend) { use_halo(backend); },
        [&] { return time_of_unchanging_steps(); });
    use_halo(require_halo(best_of(facts_.halo_trials).halo, placement_.halo_place()));
  }

  void use_halo(const HaloBackend& backend) {
    runner_->drop_transport();  // two at a time might want the same memory
    use_halo(backend.name, backend.parts.make(halo_site()));
  }

  void use_halo(const std::string& name, std::unique_ptr<Transport> transport) {
    runner_->use_transport(std::move(transport));
    facts_.halo = name;
    facts_.halo_path = runner_->traits().path;
    facts_.step_end = name_of(runner_->reduction());
    runner_->exchange_start();
  }

  /// They cost what all steps cost, but their last stage writes beside u, so that the start stays as it is.
  TrialTime time_of_unchanging_steps() {
    const StepClock start = clock_;
    const double potential_energy = varying_ ? varying_->potential_energy : 0;
    runner_->set_result(Field::stage_1);
    const auto start_again = [&] {
      runner_->set_result(Field::u);
      clock_ = start;
      enqueued_ = 0;
      if (varying_) varying_->potential_energy = potential_energy;
      set_clocks(clock_);
    };
    try {
      const TrialTime time = time_of_steps(*this);
      start_again();
      return time;
    } catch (const Error&) {
      start_again();
      throw;
    }
  }

  StepRecord record_of(const SlabStep& step) const {
    StepRecord record;
    record.step = step.note.step;
    record.time = step.note.time;
    record.dt = step.note.dt;
    record.wall_ms = step.wall_ms;
    record.bytes_sent = stages * facts_.bytes_per_exchange;
    record.limited_faces = step.note.report.limited_faces;
    if (step.note.report.bad_cell != no_cell) record.bad_cell = step.note.report.bad_cell;
    return record;
  }

  /// By step, then by slab: on the first rank, which logs them, of the whole box, on others of their own.
  std::vector<std::vector<SlabTimes>> times_of_slabs(const std::vector<std::vector<SlabStep>>& steps) const {
    const std::size_t count = steps.front().size();
    std::vector<SlabTimes> mine;
    for (std::size_t i = 0; i < count; ++i)
      for (const auto& slab : steps) mine.push_back(slab[i].times);
    const int known = ranks().is_first() ? ranks().size() : 1;
    std::vector<SlabTimes> all = mine;
    all.resize(mine.size() * known);
    ranks().gather_to_first(mine.data(), mine.size() * sizeof(SlabTimes), all.data());
    std::vector<std::vector<SlabTimes>> times(count);
    for (int rank = 0; rank < known; ++rank)
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t slab = 0; slab < slabs_.size(); ++slab)
          times[i].push_back(all[(rank * count + i) * slabs_.size() + slab]);
    return times;
  }

  void fill_facts() {
    facts_.scheme = settings_.scheme;
    std::vector<std::string> devices;
    for (const SlabFlow<Real>& slab : slabs_) devices.push_back(device_name(slab.device()));
    facts_.devices = ranks().gather_lines(devices);
    if (settings_.device == DeviceKind::cuda) facts_.links = links_of_neighbours(placement_.halo_place());
    for (const SlabRange& range : placement_.ranges) facts_.slab_planes.push_back(range.planes);
    facts_.cut_y = settings_.cut_y;
    if (settings_.halo != without_exchange) facts_.bytes_per_exchange = exchange_plan(settings_).bytes();
    facts_.memory_bytes = memory_needed(settings_);
    facts_.most_slabs_of_a_device = most_slabs_of_a_device(settings_);
    facts_.threads = cpu_threads();
    facts_.ranks = ranks().size();
    facts_.nodes = ranks().nodes();
  }

  SolverSettings settings_;
  Placement placement_;
  Layers layers_;
  PlaneBackgrounds background_;  // by plane of the box
  std::vector<SlabFlow<Real>> slabs_;
  std::optional<VaryingGravity> varying_;
  std::shared_ptr<const Reduction> reduction_;
  std::optional<StepRunner<Real>> runner_;
  std::vector<SlabRange> planes_of_ranks_;
  SimulationFacts facts_;
  StepClock clock_;            // as of the last finish(); dt is the last step's
  std::int64_t enqueued_ = 0;  // steps since the last finish()
};

}  // namespace

PlaneBackgrounds plane_backgrounds(const Problem& problem, const SolverSettings& settings) {
  const Grid& grid = settings.grid;
  if (settings.gravity_course.varies() && settings.gravity == 0) return PlaneBackgrounds(grid.cells[2]);
  PlaneBackgrounds planes;
  for (int k = 0; k < grid.cells[2]; ++k) planes.push_back(problem.background(grid.centre(2, k)));
  return planes;
}

SlabTimes longest(const StepRecord& record) {
  SlabTimes most;
  for (const SlabTimes& slab : record.slabs)
    most = {std::max(most.compute_ms, slab.compute_ms), std::max(most.comm_ms, slab.comm_ms),
            std::max(most.exposed_ms, slab.exposed_ms)};
  return most;
}

std::unique_ptr<Simulation> make_simulation(const SolverSettings& settings, const Problem& problem) {
  if (settings.device == DeviceKind::cuda)
    require(why_no_cuda().empty(), ExitCode::unavailable,
            "device cuda is not available (" + why_no_cuda() + ")");
  if (settings.precision == Precision::single)
    return std::make_unique<SlabSimulation<float>>(settings, problem);
  return std::make_unique<SlabSimulation<double>>(settings, problem);
}

const std::vector<std::string>& scheme_names() {
  static const auto names =
      std::apply([](auto... scheme) { return std::vector<std::string>{scheme.name...}; }, Schemes());
  return names;
}

}  // namespace tayra
