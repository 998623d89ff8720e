// The solver: slabs of three fields, and Shu & Osher's Runge-Kutta step over them.
#include "solver/simulation.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>

#include "core/error.hpp"
#include "grid/decomposition.hpp"
#include "halo/halo.hpp"
#include "solver/engine.hpp"

namespace tayra {
namespace {

/// u^n and the two stages after it.
enum Field : int { u = 0, a = 1, b = 2 };

template <class Real>
struct SlabMemory {
  Buffer<PlaneBackground<Real>> background;
  std::array<Buffer<Real>, rotating_fields> fields;
};

template <class Real>
struct SlabWork {
  Slab<Real> slab;
  std::array<Real*, rotating_fields> fields;
};

Beyond beyond(Boundary z, int slabs, bool at_wall) {
  if (slabs > 1 && (!at_wall || z == Boundary::periodic)) return Beyond::neighbour;
  if (z == Boundary::periodic) return Beyond::periodic;
  return z == Boundary::mirror ? Beyond::mirror : Beyond::outflow;
}

template <class Real>
State<Real> perturbation_state(const Primitive& p, const Background& background, double gamma) {
  const double kinetic =
      0.5 * p.density *
      ((p.velocity[0] * p.velocity[0] + p.velocity[1] * p.velocity[1]) + p.velocity[2] * p.velocity[2]);
  return {
      Real(p.density),
      {{Real(p.density * p.velocity[0]), Real(p.density * p.velocity[1]), Real(p.density * p.velocity[2])}},
      Real((p.pressure - background.pressure) / (gamma - 1) + kinetic)};
}

Device device_of(const SolverSettings& settings) { return {settings.device, 0}; }

int position_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
}

const HaloBackend& find_halo(const std::string& name) {
  const auto& backends = halo_registry();
  if (name == "auto") return backends.front();
  const auto found = std::find_if(backends.begin(), backends.end(),
                                  [&](const HaloBackend& backend) { return backend.name == name; });
  require(found != backends.end(), ExitCode::bad_input, "there is no halo backend '" + name + "'");
  return *found;
}

template <class Real>
class SlabSimulation final : public Simulation {
 public:
  SlabSimulation(const SolverSettings& settings, const Problem& problem)
      : settings_(settings),
        layers_(problem.layers()),
        flow_{Gas<Real>(settings.gamma), Real(settings.gravity)},
        engine_(make_engine(settings)) {
    for (const SlabRange& range : cut_into_slabs(settings.grid.cells[2], settings.slabs))
      add_slab(range, problem);
    bind_halo();
    fill_facts();
    Clock clock;
    clock.cfl = settings.cfl;
    clock.fixed_dt = settings.fixed_dt.value_or(0);
    engine_->set_clock(clock);
    for (const SlabWork<Real>& work : slabs_) engine_->find_signal_rate(work.slab, flow_, work.fields[u]);
    halo_->send(u);
  }

  void advance(std::int64_t count, double until) override {
    engine_->set_until(until);
    count = std::min(count, engine_->capacity());
    for (std::int64_t i = 0; i < count; ++i) {
      engine_->mark(Mark::step_begin);
      engine_->start_step();
      if (!engine_->goes_on()) return;
      ssp_rk3_step();
      engine_->end_step();
      engine_->mark(Mark::step_end);
    }
  }

  std::vector<StepRecord> finish() override {
    std::vector<StepRecord> records;
    clock_ = engine_->collect(records);
    for (StepRecord& record : records) record.bytes_sent = exchanges_per_step * facts_.bytes_per_exchange;
    return records;
  }

  double time() const override { return clock_.time; }
  std::int64_t step() const override { return clock_.step; }
  const SimulationFacts& facts() const override { return facts_; }

  std::vector<PlaneSums> plane_sums() override {
    std::vector<PlaneSums> all;
    for (const SlabWork<Real>& work : slabs_) {
      const auto sums = engine_->sum_planes(work.slab, flow_, work.fields[u], layers_);
      all.insert(all.end(), sums.begin(), sums.end());
    }
    return all;
  }

  void read_planes(int first, int count, std::span<double> out) override {
    const std::size_t plane = slabs_.front().slab.layout.plane_stride();
    std::vector<Real> staged(plane);
    for (int k = first; k < first + count; ++k) {
      const SlabWork<Real>& work = slab_of(k);
      const Layout& layout = work.slab.layout;
      engine_->queue().copy(staged.data(), work.fields[u] + layout.plane_start(k - work.slab.first_plane),
                            plane * sizeof(Real));
      engine_->queue().synchronize();
      double* to = out.data() + (k - first) * plane;
      std::copy(staged.begin(), staged.end(), to);
      const double background_energy = background_[k].pressure / (settings_.gamma - 1);
      for (std::size_t i = 4 * layout.variable_stride(); i < plane; ++i) to[i] += background_energy;
    }
  }

 private:
  static constexpr int exchanges_per_step = 3;

  static std::unique_ptr<Engine<Real>> make_engine(const SolverSettings& settings) {
    const EngineChoice choice{device_of(settings), position_of(scheme_names(), settings.scheme),
                              settings.positivity ? Positivity::on : Positivity::off};
    return settings.device == DeviceKind::cuda ? make_cuda_engine<Real>(choice)
                                               : make_cpu_engine<Real>(choice);
  }

  // next = keep u_old + (1 - keep) (u + dt L(u)). Rim first: its planes travel while the core is computed.
  void run_stage(Stage stage, Field u_old, Field now, Field next) {
    exchange([&] { halo_->wait(now); });
    if (slabs_.size() == 1 && slabs_[0].slab.below != Beyond::neighbour) {
      sweep(slabs_[0], stage, u_old, now, next, all_planes(slabs_[0].slab.layout.nz));
      return;
    }
    for (const SlabWork<Real>& work : slabs_)
      sweep(work, stage, u_old, now, next, rim_planes(work.slab.layout.nz));
    exchange([&] { halo_->send(next); });
    for (const SlabWork<Real>& work : slabs_)
      sweep(work, stage, u_old, now, next, core_planes(work.slab.layout.nz));
  }

  // Shu & Osher (1988). The last stage may overwrite u: it reads u only in the cell it writes.
  void ssp_rk3_step() {
    run_stage({0., false}, u, u, a);
    run_stage({3. / 4, false}, u, a, b);
    run_stage({1. / 3, true}, u, b, u);
  }

  void sweep(const SlabWork<Real>& work, Stage stage, Field u_old, Field now, Field next, Planes planes) {
    if (planes.low.count() + planes.high.count() == 0) return;
    engine_->sweep({work.slab, flow_, stage, work.fields[u_old], work.fields[now], work.fields[next],
                    engine_->clock(), planes});
  }

  template <class Work>
  void exchange(Work work) {
    if (facts_.bytes_per_exchange == 0) return;
    engine_->mark(Mark::exchange_begin);
    work();
    engine_->mark(Mark::exchange_end);
  }

  void add_slab(const SlabRange& range, const Problem& problem) {
    const Grid& grid = settings_.grid;
    const Device device = device_of(settings_);
    const Layout layout{grid.cells[0], grid.cells[1], range.planes};
    SlabMemory<Real> memory{Buffer<PlaneBackground<Real>>(device, range.planes + 2 * ghost_planes), {}};
    for (Buffer<Real>& field : memory.fields) field = Buffer<Real>(device, layout.size());
    SlabWork<Real> work{
        {layout,
         range.first,
         beyond(grid.boundary[2], settings_.slabs, range.first == 0),
         beyond(grid.boundary[2], settings_.slabs, range.first + range.planes == grid.cells[2]),
         grid.boundary[0],
         grid.boundary[1],
         {{Real(1 / grid.spacing(0)), Real(1 / grid.spacing(1)), Real(1 / grid.spacing(2))}},
         memory.background.data() + ghost_planes},
        {memory.fields[u].data(), memory.fields[a].data(), memory.fields[b].data()}};
    memory_.push_back(std::move(memory));
    slabs_.push_back(work);
    fill_background(range, problem);
    fill_start(range, problem);
  }

  void fill_background(const SlabRange& range, const Problem& problem) {
    const Grid& grid = settings_.grid;
    if (background_.empty())
      for (int k = 0; k < grid.cells[2]; ++k) background_.push_back(problem.background(grid.centre(2, k)));
    std::vector<PlaneBackground<Real>> planes;
    for (int k = -ghost_planes; k < range.planes + ghost_planes; ++k) {
      const Background& from =
          background_[ghost_source(range.first + k, grid.cells[2], grid.boundary[2]).index];
      planes.push_back({Real(from.density), Real(from.pressure)});
    }
    const Buffer<PlaneBackground<Real>>& to = memory_.back().background;
    engine_->queue().copy(to.data(), planes.data(), to.bytes());
    engine_->queue().synchronize();
  }

  void fill_start(const SlabRange& range, const Problem& problem) {
    const Layout& layout = slabs_.back().slab.layout;
    std::vector<Real> plane(layout.plane_stride());
    for (int k = 0; k < range.planes; ++k) {
      start_plane(range.first + k, problem, plane);
      engine_->queue().copy(slabs_.back().fields[u] + layout.plane_start(k), plane.data(),
                            plane.size() * sizeof(Real));
      engine_->queue().synchronize();
    }
  }

  void start_plane(int z, const Problem& problem, std::vector<Real>& plane) const {
    const Grid& grid = settings_.grid;
    const std::size_t word = std::size_t(grid.cells[0]) * grid.cells[1];
#pragma omp parallel for
    for (int y = 0; y < grid.cells[1]; ++y)
      for (int x = 0; x < grid.cells[0]; ++x) {
        const State<Real> state =
            perturbation_state<Real>(problem.initial(grid.point(x, y, z)), background_[z], settings_.gamma);
        Real* to = plane.data() + std::size_t(y) * grid.cells[0] + x;
        to[0] = state.density;
        for (int i = 0; i < 3; ++i) to[(1 + i) * word] = state.momentum[i];
        to[4 * word] = state.energy;
      }
  }

  void bind_halo() {
    std::vector<int> planes;
    std::vector<std::array<std::byte*, rotating_fields>> fields;
    for (const SlabWork<Real>& work : slabs_) {
      planes.push_back(work.slab.layout.nz);
      fields.push_back({});
      for (int f = 0; f < rotating_fields; ++f)
        fields.back()[f] = reinterpret_cast<std::byte*>(work.fields[f]);
    }
    const HaloBackend& backend = find_halo(settings_.halo);
    facts_.halo = backend.name;
    ExchangePlan plan = make_exchange_plan(planes, slabs_.front().slab.layout.plane_stride() * sizeof(Real),
                                           settings_.grid.boundary[2] == Boundary::periodic);
    facts_.bytes_per_exchange = plan.bytes();
    halo_ = backend.make({std::move(plan), std::move(fields), &engine_->queue()});
  }

  void fill_facts() {
    facts_.scheme = settings_.scheme;
    for (const SlabWork<Real>& work : slabs_) {
      facts_.slab_planes.push_back(work.slab.layout.nz);
      facts_.devices.push_back(device_name(device_of(settings_)));
    }
    facts_.memory_bytes = memory_needed(settings_);
    facts_.threads = cpu_threads();
  }

  const SlabWork<Real>& slab_of(int plane) const {
    return *std::find_if(slabs_.rbegin(), slabs_.rend(),
                         [&](const SlabWork<Real>& work) { return work.slab.first_plane <= plane; });
  }

  SolverSettings settings_;
  std::optional<Layers> layers_;
  FlowConstants<Real> flow_;
  std::unique_ptr<Engine<Real>> engine_;
  std::vector<Background> background_;  // by plane of the box
  std::vector<SlabMemory<Real>> memory_;
  std::vector<SlabWork<Real>> slabs_;
  std::unique_ptr<Halo> halo_;
  SimulationFacts facts_;
  Clock clock_;
};

std::uint64_t host_memory_available() {
  std::ifstream meminfo("/proc/meminfo");
  for (std::string key, rest; meminfo >> key && std::getline(meminfo, rest);)
    if (key == "MemAvailable:") return std::stoull(rest) * 1024;
  return UINT64_MAX;
}

std::size_t word_bytes(const SolverSettings& settings) {
  return settings.precision == Precision::single ? sizeof(float) : sizeof(double);
}

std::size_t plane_bytes(const SolverSettings& settings) {
  return Layout{settings.grid.cells[0], settings.grid.cells[1], 1}.plane_stride() * word_bytes(settings);
}

}  // namespace

std::unique_ptr<Simulation> make_simulation(const SolverSettings& settings, const Problem& problem) {
  if (settings.device == DeviceKind::cuda) {
    require(why_no_cuda().empty(), ExitCode::unavailable,
            "device cuda is not available (" + why_no_cuda() + ")");
    require(settings.gpus == 1, ExitCode::unavailable,
            "run.gpus: this version drives one GPU, not " + std::to_string(settings.gpus) +
                " (no halo backend crosses GPUs yet): leave it out, or cut the box with --slabs");
  }
  if (settings.precision == Precision::single)
    return std::make_unique<SlabSimulation<float>>(settings, problem);
  return std::make_unique<SlabSimulation<double>>(settings, problem);
}

std::uint64_t memory_needed(const SolverSettings& settings) {
  const std::uint64_t planes = settings.grid.cells[2] + std::uint64_t(2 * ghost_planes) * settings.slabs;
  return planes * (rotating_fields * plane_bytes(settings) + 2 * word_bytes(settings));
}

std::uint64_t memory_available(const SolverSettings& settings) {
  if (settings.device == DeviceKind::cpu) return host_memory_available();
  const auto devices = cuda_devices();
  return devices.empty() ? 0 : devices.front().free_bytes;
}

std::uint64_t bytes_per_exchange(const SolverSettings& settings) {
  std::vector<int> planes;
  for (const SlabRange& range : cut_into_slabs(settings.grid.cells[2], settings.slabs))
    planes.push_back(range.planes);
  return make_exchange_plan(planes, plane_bytes(settings), settings.grid.boundary[2] == Boundary::periodic)
      .bytes();
}

const std::vector<std::string>& scheme_names() {
  static const std::vector<std::string> names = std::apply(
      [](auto... scheme) { return std::vector<std::string>{decltype(scheme)::name...}; }, Schemes());
  return names;
}

const std::vector<std::string>& halo_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const HaloBackend& backend : halo_registry()) list.push_back(backend.name);
    return list;
  }();
  return names;
}

}  // namespace tayra
