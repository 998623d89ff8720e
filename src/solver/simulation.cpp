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
#include "solver/plane_waves_cpu.hpp"
#include "solver/profiles.hpp"
#include "solver/shared_layer.hpp"
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
  void start_moves(int) override {}
  void finish_moves(int) override {}
};

/// What slabs side by side have of a sum along y: some of its terms, which make up branches of their tree.
struct SumsAlongY {
  std::vector<RowRange> terms_of, branches_of;  // each slab, all counted from the first

  SumsAlongY(const AxisSelection& y, const std::vector<RowRange>& rows_of_slabs) {
    int before = 0;
    for (const RowRange& rows : rows_of_slabs) {
      terms_of.push_back(selected_among(y, rows));
      branches_of.push_back({before, 0});
      for_each_branch(terms_of.back().first, terms_of.back().first + terms_of.back().rows,
                      [&](int, int) { ++branches_of.back().rows; });
      before += branches_of.back().rows;
    }
  }

  int branches() const { return branches_of.back().first + branches_of.back().rows; }
  /// From all branches, so far apart.
  double whole(const double* branch, std::size_t apart) const {
    TreeSum<double> tree;
    for (const RowRange& terms : terms_of)
      for_each_branch(terms.first, terms.first + terms.rows, [&](int first, int count) {
        tree.add(first, count, *branch);
        branch += apart;
      });
    return tree.whole();
  }
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
                          placement_.rows_of(placement_.first_slab + static_cast<int>(i)),
                          placement_.devices[i]);
    share_layer();
    double signal_rate = 0;
    do_together([&] {
      for (SlabFlow<Real>& slab : slabs_)
        signal_rate = std::max(signal_rate, slab.fill(problem, background_));
    });
    planes_of_ranks_ = placement_.planes_of_ranks();
    reduction_ = std::make_shared<const Reduction>(halo_site());
    runner_.emplace(slabs_, placement_.first_slab, *reduction_, varying_.has_value());
    // The first step's length follows from the start's fastest signal anywhere.
    clock_.last.signal_rate = ranks().greatest(signal_rate);
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
    auto means = settings_.cut_y > 1
                     ? sums_of_tiles()
                     : gathered([&](const SlabFlow<Real>& slab) { return slab.profile_sums(layers_); });
    const double cells = static_cast<double>(settings_.grid.cells[0]) * settings_.grid.cells[1];
    for (double& mean : means) mean /= cells;
    return means;
  }

  std::vector<double> plane_spectra(const WavePlan& plan, const std::vector<PlaneField>& fields,
                                    const std::vector<int>& planes) override {
    auto variances = settings_.cut_y > 1 ? of_all_ranks(wave_sums_of_whole_planes(plan, fields, planes))
                                         : gathered([&](const SlabFlow<Real>& slab) {
                                             return slab.wave_sums(plan, fields, planes, layers_);
                                           });
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
      for (const SlabFlow<Real>& slab : slabs_of_layer(k)) slab.read_plane(k, background_[k], to);
      for (int y = 0; y < placement_.side_by_side(); ++y)
        broadcast_rows(placement_.slab_of(k) + y, {to, plane});
    }
  }

  const StepClock& clock() const override { return clock_; }
  const std::vector<SlabRange>& planes_of_ranks() const override { return planes_of_ranks_; }
  Device device() const override { return slabs_.front().device(); }
  std::size_t plane_bytes() const override { return slabs_.front().plane_bytes(); }

  Arrival start_copy(int first, int count, std::byte* out) override {
    if (!shared_) return start_copy_of_rows(all_rows(), {first, count}, out);
    shared_->gather(raw_rows(), {first, count}, out, [&](const SlabRange& planes, std::byte* to) {
      start_copy_of_rows(shared_->own_rows(), planes, to).wait();
    });
    return Arrival({}, device());
  }

  Arrival start_fields(const FieldChoice& choice, int first, int count, std::byte* out) override {
    if (choice.summed == 1 && placement_.side_by_side() > 1) {
      sum_along_y(choice, {first, count}, out);
      return Arrival({}, device());
    }
    if (!shared_) return start_fields_here(choice, {first, count}, out);
    const auto& [x, y, z] = choice.axes;
    RowsOfPlanes rows{{}, {}, choice.summed == 2};
    for (const RowRange& of_rank : shared_->rows_of_ranks())
      rows.of_ranks.push_back(selected_among(y, of_rank));
    for (std::size_t i = 0; i < choice.fields.size(); ++i)
      rows.runs.push_back({choice.plane_bytes(static_cast<int>(i)) / y.count});
    FieldChoice here = choice;
    const RowRange of_y = selected_among(y, shared_->own_rows());
    here.axes[1] = {y.at(of_y.first), of_y.rows, y.stride};
    shared_->gather(rows, {first, count}, out, [&](const SlabRange& planes, std::byte* to) {
      start_fields_here(here, planes, to).wait();
    });
    return Arrival({}, device());
  }

  void write_raw(int first, int count, const std::byte* in) override {
    if (!shared_) return write_rows(all_rows(), {first, count}, in);
    shared_->scatter(raw_rows(), {first, count}, in, [&](const SlabRange& planes, const std::byte* from) {
      write_rows(shared_->own_rows(), planes, from);
    });
  }

  std::vector<SlabRange> layers_here() const override {
    std::vector<SlabRange> layers;
    for (const SlabFlow<Real>& slab : slabs_)
      if (layers.empty() || layers.back().first != slab.range().first) layers.push_back(slab.range());
    return layers;
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
    bool is_held = false;  // as it is at first: trials may go on for longer than its course
  };

  /// The host must know when the step begins and how long it takes, so it waits for the one before. Gravity
  /// is its mean over the step in all three stages: then its work is that mean times what the step moves, to
  /// round-off, and no jump or pulse gets lost between stages. False where there is nothing left to do.
  bool step_with_own_gravity() {
    runner_->await_flow();
    const StepClock next = slabs_.front().engine().read_clock();
    if (next.dt == 0) return false;
    varying_->in_last_step =
        varying_->is_held ? settings_.gravity : varying_->course.mean(next.time, next.dt);
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
    decltype(of(slabs_.front())) mine;
    for (const SlabFlow<Real>& slab : slabs_) {
      const auto numbers = of(slab);
      mine.insert(mine.end(), numbers.begin(), numbers.end());
    }
    return of_all_ranks(mine);
  }
  template <class Number>
  static std::vector<Number> of_all_ranks(const std::vector<Number>& mine) {
    return numbers_in<Number>(ranks().gather_texts(text_of(mine)));
  }
  template <class Number>
  static std::string text_of(const std::vector<Number>& numbers) {
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)};
  }
  template <class Number>
  static std::vector<Number> numbers_in(const std::vector<std::string>& texts) {
    std::vector<Number> all;
    for (const std::string& part : texts) {
      const std::size_t before = all.size();
      all.resize(before + part.size() / sizeof(Number));
      std::memcpy(static_cast<void*>(all.data() + before), part.data(), part.size());
    }
    return all;
  }

  /// Of profiles, over planes. The first rank adds up the tiles of one layer after the other, in the order in
  /// which one slab adds them; those of the whole box might not fit in its memory.
  std::vector<double> sums_of_tiles() const {
    const int slabs = static_cast<int>(placement_.ranges.size()), side_by_side = placement_.side_by_side();
    std::vector<std::string> mine(slabs / side_by_side);  // by layer: all ranks compute before any waits
    for (std::size_t i = 0; i < slabs_.size(); ++i)
      mine[(placement_.first_slab + i) / side_by_side] += text_of(slabs_[i].profile_sums(layers_));
    std::vector<double> sums(static_cast<std::size_t>(settings_.grid.cells[2]) * profile_count);
    for (int layer = 0; layer < slabs / side_by_side; ++layer)
      add_tiles_of_layer(layer, numbers_in<double>(ranks().gather_texts_to_first(std::move(mine[layer]))),
                         sums);
    ranks().broadcast(sums.data(), sums.size() * sizeof(double));
    return sums;
  }

  /// Nothing where there are none: on other ranks than the first.
  void add_tiles_of_layer(int layer, const std::vector<double>& tiles, std::vector<double>& sums) const {
    const auto& [first, planes] = placement_.ranges[layer * placement_.side_by_side()];
    auto next = tiles.begin();
    for (const RowRange& rows : placement_.rows)
      for (int k = first; k < first + planes; ++k)
        for (int left = ProfileTiles(layout_of(settings_, 1, rows)).count(); left > 0 && next != tiles.end();
             --left)
          for (int number = 0; number < profile_count; ++number)
            sums[static_cast<std::size_t>(k) * profile_count + number] += *next++;
  }

  /// Of those of some planes that this rank puts together from the rows of several slabs. The host transforms
  /// them, to the bits of any device but for f where it follows by a power.
  std::vector<double> wave_sums_of_whole_planes(const WavePlan& plan, const std::vector<PlaneField>& fields,
                                                const std::vector<int>& planes) {
    const auto wanted_of = [&](const SlabRange& range) {
      std::vector<int> wanted;
      for (const int z : planes)
        if (z >= range.first && z < range.first + range.planes) wanted.push_back(z);
      return wanted;
    };
    std::size_t rounds = 0;  // ranks that share a layer copy together
    for (const SlabRange& range : planes_of_ranks_) rounds = std::max(rounds, wanted_of(range).size());
    const SlabRange& own = planes_of_ranks_[ranks().rank()];
    const auto wanted = wanted_of(own);
    const Buffer<std::byte> plane(device(), plane_bytes(), Memory::pinned);
    std::vector<double> sums;
    for (std::size_t round = 0; round < rounds; ++round) {
      const bool has_one = round < wanted.size();
      start_copy(has_one ? wanted[round] : own.first, has_one ? 1 : 0, plane.data()).wait();
      if (!has_one) continue;
      const auto of_plane = wave_sums(plan, fields, wanted[round], plane.data());
      sums.insert(sums.end(), of_plane.begin(), of_plane.end());
    }
    return sums;
  }
  /// Of a plane of the box as checkpoints have it.
  std::vector<double> wave_sums(const WavePlan& plan, const std::vector<PlaneField>& fields, int z,
                                const std::byte* plane) const {
    const PlaneBackground<Real> of_plane{Real(background_[z].density), Real(background_[z].pressure)};
    const PlaneBackground<Real> background[ghost_planes + 1]{of_plane};
    Slab<Real> slab{};  // of which this is the first plane in memory
    slab.layout = layout_of(settings_, 1);
    slab.background = background + ghost_planes;
    const FlowView<Real> flow{slab, reinterpret_cast<const Real*>(plane), settings_.gamma, {}};
    return tayra::wave_sums<Real>({flow, layers_}, plan, wave_items(fields, {-ghost_planes}));
  }

  RowRange all_rows() const { return {0, settings_.grid.cells[1]}; }

  /// Those here that have rows of a plane of the box.
  std::span<const SlabFlow<Real>> slabs_of_layer(int plane) const {
    const int last_slab = placement_.first_slab + static_cast<int>(slabs_.size());
    const int begin = std::max(placement_.slab_of(plane), placement_.first_slab);
    const int end = std::min(placement_.slab_of(plane) + placement_.side_by_side(), last_slab);
    return std::span(slabs_).subspan(begin < end ? begin - placement_.first_slab : 0,
                                     std::max(end - begin, 0));
  }

  void share_layer() {
    const RankGroup group = placement_.ranks_of_layer(placement_.first_slab);
    if (group.count == 1) return;
    const int a_rank = static_cast<int>(slabs_.size());
    std::vector<RowRange> rows;
    for (int member = 0; member < group.count; ++member) {
      const RowRange &first = placement_.rows[member * a_rank],
                     &last = placement_.rows[(member + 1) * a_rank - 1];
      rows.push_back({first.first, last.first + last.rows - first.first});
    }
    shared_.emplace(group, rows, device());
  }

  /// The solver's own numbers, as checkpoints have them.
  RowsOfPlanes raw_rows() const {
    return {shared_->rows_of_ranks(), {{settings_.grid.cells[0] * sizeof(Real), settings_.variables()}}};
  }

  /// This rank's rows of planes, to their places among `rows` of each.
  Arrival start_copy_of_rows(const RowRange& rows, const SlabRange& planes, std::byte* out) {
    std::vector<Arrival::Done> done;
    const std::size_t bytes_a_plane = plane_bytes() / settings_.grid.cells[1] * rows.rows;
    for (SlabFlow<Real>& slab : slabs_) {
      const int begin = std::max(planes.first, slab.range().first);
      const int end = std::min(planes.first + planes.planes, slab.end());
      if (begin < end)
        done.push_back(
            slab.start_copy(begin, end - begin, out + (begin - planes.first) * bytes_a_plane, rows));
    }
    runner_->note_copies();
    return Arrival(std::move(done), device());
  }
  void write_rows(const RowRange& rows, const SlabRange& planes, const std::byte* in) const {
    const std::size_t bytes_a_plane = plane_bytes() / settings_.grid.cells[1] * rows.rows;
    for (int k = planes.first; k < planes.first + planes.planes; ++k, in += bytes_a_plane)
      for (const SlabFlow<Real>& slab : slabs_of_layer(k)) slab.set_plane(k, in, rows);
  }

  /// Of rows that all lie on this rank.
  Arrival start_fields_here(const FieldChoice& choice, const SlabRange& planes, std::byte* out) {
    std::vector<Arrival::Done> done;
    const PlaneRange block{planes.first, planes.first + planes.planes};
    for (SlabFlow<Real>& slab : slabs_) {
      const PlaneRange share = planes_in(choice.axes[2], block, slab);
      if (share.count() > 0) done.push_back(slab.start_fields(choice, block, share, out));
    }
    runner_->note_copies();
    Arrival arrival(std::move(done), device());
    // Neighbours overwrite ghosts without asking.
    if (reads_neighbours(choice) && !slabs_.front().is_alone()) arrival.wait();
    return arrival;
  }

  /// Slabs side by side sum up branches, which come together as rows of planes.
  void sum_along_y(const FieldChoice& choice, const SlabRange& planes, std::byte* out) {
    const SumsAlongY sums(choice.axes[1], placement_.rows);
    const std::size_t bytes = planes.planes * sums.branches() * choice.plane_bytes();
    if (branches_.size() < bytes) branches_ = Buffer<std::byte>(device(), bytes, Memory::pinned);
    if (shared_) {
      const std::size_t a_rank = slabs_.size();
      RowsOfPlanes what;
      for (std::size_t slab = 0; slab < sums.branches_of.size(); slab += a_rank) {
        const RowRange &first = sums.branches_of[slab], &last = sums.branches_of[slab + a_rank - 1];
        what.of_ranks.push_back({first.first, last.first + last.rows - first.first});
      }
      for (std::size_t i = 0; i < choice.fields.size(); ++i)
        what.runs.push_back({choice.plane_bytes(static_cast<int>(i))});
      const RowRange& here = what.of_ranks[placement_.first_slab / a_rank % what.of_ranks.size()];
      shared_->gather(what, planes, branches_.data(), [&](const SlabRange& some, std::byte* to) {
        put_branches(choice, some, sums, here, to);
      });
    } else {
      put_branches(choice, planes, sums, {0, sums.branches()}, branches_.data());
    }
    const double* row = reinterpret_cast<const double*>(branches_.data());
    double* to = reinterpret_cast<double*>(out);
    for (std::size_t i = 0; i < choice.fields.size(); ++i) {
      const std::size_t numbers = choice.plane_bytes(static_cast<int>(i)) / sizeof(double);
      for (int plane = 0; plane < planes.planes; ++plane, row += sums.branches() * numbers)
        for (std::size_t number = 0; number < numbers; ++number) *to++ = sums.whole(row + number, numbers);
    }
  }

  /// Those of this rank's slabs, which are these of all.
  void put_branches(const FieldChoice& choice, const SlabRange& planes, const SumsAlongY& sums,
                    const RowRange& here, std::byte* out) {
    const PlaneRange block{planes.first, planes.first + planes.planes};
    std::vector<Arrival::Done> done;
    for (std::size_t i = 0; i < slabs_.size(); ++i) {
      const PlaneRange share = planes_in(choice.axes[2], block, slabs_[i]);
      const RowRange& of_slab = sums.branches_of[(placement_.first_slab + i) % placement_.rows.size()];
      if (share.count() > 0)
        done.push_back(
            slabs_[i].start_branches(choice, block, share, of_slab.first - here.first, here.rows, out));
    }
    runner_->note_copies();
    Arrival(std::move(done), device()).wait();
  }

  /// A slab's rows of each variable of a plane, to all ranks.
  void broadcast_rows(int slab, std::span<double> plane) const {
    const RowRange& rows = placement_.rows_of(slab);
    const std::size_t nx = settings_.grid.cells[0], variable = nx * settings_.grid.cells[1];
    for (std::size_t at = rows.first * nx; at < plane.size(); at += variable)
      ranks().broadcast(&plane[at], rows.rows * nx * sizeof(double), placement_.rank_of_slab[slab]);
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
    HaloSite site{exchange_plan(settings_).of_rank(placement_.rank_of_slab, ranks().rank()),
                  placement_.rank_of_slab,
                  placement_.first_slab,
                  {}};
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
    if (varying_) varying_->is_held = true;
    const auto start_again = [&] {
      runner_->set_result(Field::u);
      clock_ = start;
      enqueued_ = 0;
      if (varying_) {
        varying_->potential_energy = potential_energy;
        varying_->is_held = false;
      }
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
  std::optional<SharedLayer> shared_;  // with other ranks
  Buffer<std::byte> branches_;         // of sums along y, as large as was ever needed
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
