// Which planes are audited, what differs, and who erred.
#include "solver/audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core/process.hpp"
#include "grid/ranks.hpp"
#include "solver/placement.hpp"
#include "solver/slab_flow.hpp"
#include "solver/step.hpp"

namespace tayra {

/// Some planes of a step, computed once more from copied planes, on a device of choice: a slab by itself, of
/// which only planes out of its open ends' reach are of use.
class Recomputation {
 public:
  virtual ~Recomputation() = default;
  virtual Device device() const = 0;
  /// Becomes the planes of the box from here on; of a periodic box they may reach beyond its ends. Ends are
  /// open where the box goes on.
  virtual void place_at(int first) = 0;
  /// In the device's memory: where the raw numbers before the step belong (Simulation::start_copy), which
  /// stay as they are.
  virtual std::byte* before() const = 0;
  /// One as the flow's last; waits for it to be done.
  virtual void step(const Simulation& flow) = 0;
  /// Of the planes after the step.
  virtual std::vector<PlaneSums> masses() const = 0;
  /// The raw numbers of one of them.
  virtual std::vector<std::byte> after(int plane) const = 0;
};

namespace {

/// Of those whose rows come from other ranks: with fewer, ranks wait for each other more often, with more
/// they take more of their hosts' memory.
constexpr int shared_planes_at_once = 8;

template <class Real>
class SlabRecomputation final : public Recomputation {
 public:
  SlabRecomputation(const SolverSettings& settings, const Problem& problem, Device device, int planes)
      : background_(plane_backgrounds(problem, settings)),
        rows_(settings.grid.cells[1]),
        slab_(without_cut_rows(settings), {0, planes}, {0, rows_}, device) {}

  Device device() const override { return slab_.device(); }
  void place_at(int first) override { slab_.move_to(first, background_); }
  std::byte* before() const override { return slab_.planes(Field::u); }

  void step(const Simulation& flow) override {
    StepClock clock;
    clock.dt = flow.clock().dt;
    if (const auto books = flow.gravity_books()) slab_.set_gravity(books->in_last_step);
    slab_.engine().set_clock(clock);
    for (const StageOfStep& stage : ssp_rk3(result)) slab_.sweep_whole(stage, {}, true);
    slab_.engine().queue(slab_.whole_part()).synchronize();
  }

  std::vector<PlaneSums> masses() const override {
    return whole_planes(slab_.plane_sums(Sums::mass, {}, result), {RowGroups(0, rows_)});
  }
  std::vector<std::byte> after(int plane) const override {
    std::vector<std::byte> bytes(slab_.plane_bytes());
    const Queue& queue = slab_.engine().queue(SlabPart::interior);
    queue.copy(bytes.data(), slab_.planes(result) + plane * bytes.size(), bytes.size());
    queue.synchronize();
    return bytes;
  }

 private:
  static constexpr Field result = Field::stage_1;  // read no more in the last stage

  static SolverSettings without_cut_rows(SolverSettings settings) {
    settings.cut_y = 1;
    return settings;
  }

  PlaneBackgrounds background_;
  int rows_;
  SlabFlow<Real> slab_;
};

/// Takes the memory of a slab of so many planes.
std::unique_ptr<Recomputation> make_recomputation(const SolverSettings& settings, const Problem& problem,
                                                  Device device, int planes) {
  if (settings.precision == Precision::single)
    return std::make_unique<SlabRecomputation<float>>(settings, problem, device, planes);
  return std::make_unique<SlabRecomputation<double>>(settings, problem, device, planes);
}

/// Another one for each number below.
std::uint64_t drawn(std::int64_t step, int rank, int number = 0) {
  return mixed(mixed(mixed(static_cast<std::uint64_t>(step)) + static_cast<std::uint64_t>(rank)) +
               static_cast<std::uint64_t>(number));
}

std::string name_of_device(Device device) {
  if (device.kind == DeviceKind::cpu) return "the CPU";
  return fmt::format("GPU {} ({})", device.number, device_name(device));
}

template <class Real>
std::string number_text(const std::byte* at) {
  Real value;
  std::memcpy(&value, at, sizeof value);
  return fmt::format("{}", value);  // as many digits as tell it from all others
}

/// The first number that differs, if any does.
std::optional<std::size_t> first_difference(const std::vector<std::byte>& flow,
                                            const std::vector<std::byte>& second, std::size_t word) {
  const auto at = std::mismatch(flow.begin(), flow.end(), second.begin()).first;
  if (at == flow.end()) return std::nullopt;
  return static_cast<std::size_t>(at - flow.begin()) / word;
}

double total_mass(const std::vector<PlaneSums>& sums) {
  double mass = 0;
  for (const PlaneSums& plane : sums) mass += plane.density;
  return mass;
}

class Waiting {
 public:
  explicit Waiting(double& seconds) : seconds_(seconds) {}
  ~Waiting() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

PlaneRange auditable_planes(const Grid& grid, const SlabRange& of_layers) {
  const int end = of_layers.first + of_layers.planes, all = grid.cells[2];
  const bool whole = of_layers.planes == all, walls = grid.boundary[2] != Boundary::periodic;
  const auto wrong = [&](bool at_wall) { return whole || (walls && at_wall) ? 0 : planes_a_step_reads; };
  return {of_layers.first + wrong(of_layers.first == 0), end - wrong(end == all)};
}

bool has_auditable_planes(const SolverSettings& settings) {
  const Placement placement = place_slabs(settings);
  return std::ranges::any_of(placement.rank_of_slab, [&](int rank) {
    return auditable_planes(settings.grid, placement.planes_of_layers(rank)).count() > 0;
  });
}

// Around a plane that is drawn, so that it is kept, but within the rank's layers. Ranks that share a layer
// have it all at hand; each draws planes of its own, or none of them has any.
AuditedPlanes planes_to_audit(const Grid& grid, const Placement& placement, int rank, std::int64_t step) {
  const SlabRange own = placement.planes_of_layers(rank);
  const PlaneRange may = auditable_planes(grid, own);
  if (may.count() == 0) return {};
  const int end = own.first + own.planes, count = std::min(most_recomputed_planes, own.planes);
  const int chosen = may.begin + static_cast<int>(drawn(step, rank) % may.count());
  const bool wraps =
      own.planes == grid.cells[2] && count < own.planes && grid.boundary[2] == Boundary::periodic;
  const int around = chosen - count / 2, first = wraps ? around : std::clamp(around, own.first, end - count);
  const bool from_end = !wraps && first == own.first, to_end = !wraps && first + count == end;
  const SlabRange slab = placement.ranges[placement.slab_of(chosen)];
  return {first,
          {std::max(slab.first, from_end ? may.begin : first + planes_a_step_reads),
           std::min(slab.first + slab.planes, to_end ? may.end : first + count - planes_a_step_reads)}};
}

// A face's flux leaves one cell and enters another with the same bits, so that nothing but round-off changes
// the sum of densities. In units u of a density's precision, with the weights 1/6, 1/6 and 2/3 of the stages:
// each stage rounds the sums with what its column and its rows change, 2, and the last two their mean with
// the old state, 2/3 and 1: 3.7 in all. Where the CFL number is at most 1 the changes, differences of fluxes
// that are added once more, are rounded by at most 4; the differences from the old state by less than 2. Then
// the total's own sums, in double: at most u a term, whatever their order.
double mass_roundoff(const SolverSettings& settings, std::int64_t steps) {
  const double of_flow = settings.precision == Precision::single ? 0x1p-24 : 0x1p-53, of_sums = 0x1p-53;
  const auto [nx, ny, nz] = settings.grid.cells;
  return 10 * static_cast<double>(steps) * of_flow + 2 * (static_cast<double>(nx) * ny + nz) * of_sums;
}

// Each rank has a part of its own on each of its devices.
std::uint64_t audit_memory(const SolverSettings& settings) {
  const int of_rank = place_slabs(settings).planes_of_layers(0).planes;
  const int meant = slabs_meant_for_a_gpu(settings);
  const int parts = (most_slabs_of_a_device(settings) + meant - 1) / meant;
  const int planes = std::min(most_recomputed_planes, of_rank);
  return parts * slab_memory(settings, layout_of(settings, planes));
}

Audit::Audit(const SolverSettings& settings, const Problem& problem, Simulation& simulation)
    : settings_(settings),
      problem_(problem),
      simulation_(simulation),
      placement_(place_slabs(settings)),
      count_(std::min(most_recomputed_planes, placement_.planes_of_layers(ranks().rank()).planes)) {
  std::vector<int> gpus;
  for (const Device& device : placement_.devices) {  // all of one kind, and in order
    if (!recomputations_.empty() && recomputations_.back()->device().number == device.number) continue;
    recomputations_.push_back(make_recomputation(settings, problem, device, count_));
    if (device.kind == DeviceKind::cuda) gpus.push_back(device.number);
  }
  enable_peer_access(gpus);  // else copies between them go through the host
  if (placement_.ranks_of_layer(placement_.first_slab).count > 1)
    shared_ =
        Buffer<std::byte>(placement_.devices.front(),
                          std::min(count_, shared_planes_at_once) * simulation.plane_bytes(), Memory::pinned);
}

Audit::~Audit() = default;

void Audit::note_mass() {
  mass_ = total_mass(simulation_.plane_sums(Sums::mass));
  last_right_ = simulation_.step();
}

void Audit::before_step() {
  const Waiting waiting(tally_.seconds);
  before_ = simulation_.step();
  planes_ = planes_to_audit(settings_.grid, placement_, ranks().rank(), before_ + 1);
  if (planes_.kept.count() == 0) return;
  second_ = device_beside(placement_.slab_of(planes_.kept.begin));
  second().place_at(planes_.first);
  copy_before();
}

// Ranks that share a layer all make as many calls, however theirs lie about the box's end.
void Audit::copy_before() {
  const std::size_t plane = simulation_.plane_bytes();
  const bool by_host = shared_.size() > 0;
  const int all = settings_.grid.cells[2], most = by_host ? shared_planes_at_once : count_;
  for (int k = 0, run = 0; k < count_; k += run) {
    run = std::min(count_ - k, most);
    const int z = (planes_.first + k + all) % all, up_to_end = std::min(run, all - z);
    std::byte* const before = second().before() + k * plane;
    std::byte* const to = by_host ? shared_.data() : before;
    arrivals_.push_back(simulation_.start_copy(z, up_to_end, to));
    arrivals_.push_back(simulation_.start_copy(0, run - up_to_end, to + up_to_end * plane));
    if (!by_host) continue;
    const Queue queue(second().device());
    queue.copy(before, to, run * plane);
    queue.synchronize();
  }
}

std::optional<AuditFault> Audit::after_step() {
  const Waiting waiting(tally_.seconds);
  arrivals_.clear();  // which waits for them
  if (simulation_.step() == before_) return std::nullopt;
  plant_flip();
  const auto masses = simulation_.plane_sums(Sums::mass);
  const double mass = total_mass(masses);
  const auto wrong = first_wrong_plane(masses);
  const bool somewhere = ranks().merged(wrong.has_value(), [](bool& any, bool one) { any = any || one; });
  AuditFault mine;
  if (somewhere)
    mine = diagnose_together(wrong);
  else if (ranks().is_first())
    mine.what = mass_fault(mass);
  ++tally_.steps;
  for (const int planes : ranks().gather_values(planes_.kept.count())) tally_.planes += planes;
  const auto texts = ranks().gather_texts(mine.what);
  const auto gpus = ranks().gather_values(mine.gpu.value_or(-1));
  for (std::size_t rank = 0; rank < texts.size(); ++rank)
    if (!texts[rank].empty())
      return AuditFault{texts[rank], gpus[rank] < 0 ? std::nullopt : std::optional(gpus[rank])};
  mass_ = mass;
  last_right_ = simulation_.step();
  return std::nullopt;
}

/// The first plane that has other bits the second time.
std::optional<int> Audit::first_wrong_plane(const std::vector<PlaneSums>& masses) {
  if (planes_.kept.count() == 0) return std::nullopt;
  second().step(simulation_);
  const auto again = second().masses();
  for (int k = planes_.kept.begin; k < planes_.kept.end; ++k)
    if (masses[k].fingerprint != again[k - planes_.first].fingerprint) return k;
  return std::nullopt;
}

/// Other ranks may have rows of the plane, and the slab that erred: all tell what they know.
AuditFault Audit::diagnose_together(std::optional<int> plane) {
  const Bytes flow = plane_of_flow(plane);
  const auto places = places_of_slabs();
  return plane ? diagnose(*plane, flow, places) : AuditFault{};
}

AuditFault Audit::diagnose(int plane, const Bytes& flow, const std::vector<Place>& places) {
  const Bytes again = second().after(plane - planes_.first);
  const auto first = first_difference(flow, again, word_bytes(settings_.precision));
  const auto [nx, ny, nz] = settings_.grid.cells;
  const int layer = placement_.slab_of(plane), beside = placement_.side_by_side();
  const auto row = static_cast<int>(first.value_or(0) / nx % ny);
  const auto above =
      std::ranges::find_if(placement_.rows, [&](const RowRange& rows) { return rows.first > row; });
  const Place& place = places[layer + (above - placement_.rows.begin()) - 1];
  const std::string where = first || beside == 1 ? fmt::format("slab {}, rank {} on {}, {}", place.slab,
                                                               place.rank, place.host, place.device_name)
                                                 : fmt::format("slabs {} to {}", layer, layer + beside - 1);
  const bool is_here = place.rank == ranks().rank();
  const std::string found =
      fmt::format("step {} of plane {} ({}) has other bits than when computed once more on {}{}",
                  simulation_.step(), plane, where, name_of_device(second().device()),
                  is_here ? "" : fmt::format(" of rank {} on {}", ranks().rank(), host_name()));
  if (!first) return {found + ": no number differs now, so that one of the sums over them was wrong"};
  AuditFault fault = blame(plane, place, flow, again);
  fault.what = fmt::format("{}: {}. {}", found, difference(plane, flow, again), fault.what);
  return fault;
}

std::string Audit::difference(int plane, const Bytes& flow, const Bytes& second) const {
  std::vector<std::string> variables{"density", "x momentum", "y momentum", "z momentum",
                                     "energy above the background's"};
  variables.insert(variables.end(), settings_.scalars.begin(), settings_.scalars.end());
  const std::size_t word = word_bytes(settings_.precision);
  const auto [nx, ny, nz] = settings_.grid.cells;
  std::size_t count = 0;
  for (std::size_t i = 0; i < flow.size(); i += word)
    count += std::memcmp(&flow[i], &second[i], word) != 0 ? 1 : 0;
  const auto text = settings_.precision == Precision::single ? number_text<float> : number_text<double>;
  const std::size_t at = *first_difference(flow, second, word), cells = static_cast<std::size_t>(nx) * ny;
  return fmt::format("{} number{} differ{}; in cell ({}, {}, {}) the {} is {}, and {} the second time", count,
                     count == 1 ? "" : "s", count == 1 ? "s" : "", at % nx, at % cells / nx, plane,
                     variables[at / cells], text(&flow[at * word]), text(&second[at * word]));
}

// The CPU is a third party for GPUs. One of this rank that errs is asked again: a cosmic ray does not come
// twice.
AuditFault Audit::blame(int plane, const Place& place, const Bytes& flow, const Bytes& second) try {
  const auto referee = make_recomputation(settings_, problem_, Device{}, count_);
  const Bytes right = again(*referee, plane);
  if (right != flow && right != second)
    return {"A third computation, on the CPU, agrees with neither: who erred is not known"};
  const bool flow_erred = right == second;
  const Device device = flow_erred ? place.device : this->second().device();
  AuditFault fault{fmt::format("A third computation, on the CPU, agrees with the {}, so ",
                               flow_erred ? "second" : "first"),
                   device.kind == DeviceKind::cuda ? std::optional(device.number) : std::nullopt};
  if (flow_erred && place.rank != ranks().rank()) {
    fault.what += fmt::format("{} of rank {} erred, which rank {} cannot ask again", place.device_name,
                              place.rank, ranks().rank());
    return fault;
  }
  Recomputation& guilty = flow_erred ? *recomputations_[device_of(place.slab)] : this->second();
  const bool once = again(guilty, plane) == right;
  fault.what +=
      fmt::format("{} erred; asked again, it {}", name_of_device(device),
                  once ? "computes right: the fault was a passing one" : "errs again: the fault persists");
  return fault;
} catch (const std::exception& failure) {
  return {std::string("Who erred could not be found out: ") + as_error(failure).what()};
}

std::string Audit::mass_fault(double mass) const {
  const auto& ends = settings_.grid.boundary;
  const bool open = std::find(ends.begin(), ends.end(), Boundary::outflow) != ends.end();
  if (open || simulation_.clock().last.bad_cell != no_cell) return "";
  const double change = mass / mass_ - 1;
  const double bound = mass_roundoff(settings_, simulation_.step() - last_right_);
  if (std::abs(change) <= bound) return "";
  return fmt::format(
      "the total mass has changed by {:.3g} of itself since step {}, and round-off changes it by at most "
      "{:.3g}: who erred is not known",
      change, last_right_, bound);
}

/// TAYRA_TEST_FLIP=STEP:SEED flips one bit of the audited planes after this step, so that users can see an
/// audit at work on their machine. Ranks take part that know nothing of it: others may hold the plane's rows.
void Audit::plant_flip() const {
  const char* wanted = std::getenv("TAYRA_TEST_FLIP");
  long long step = 0;
  unsigned seed = 0;
  const bool is_due = wanted != nullptr && std::sscanf(wanted, "%lld:%u", &step, &seed) == 2 &&
                      step == simulation_.step() && planes_.kept.count() > 0 &&
                      static_cast<int>(seed % ranks().size()) == ranks().rank();
  const auto random = [&](int number, std::size_t below) {
    return drawn(-1 - static_cast<std::int64_t>(seed), 0, number) % below;
  };
  std::optional<int> plane;
  if (is_due) plane = planes_.kept.begin + static_cast<int>(random(0, planes_.kept.count()));
  Bytes bytes = plane_of_flow(plane);
  if (plane) bytes[random(1, bytes.size())] ^= std::byte(1u << random(2, 8));
  simulation_.write_raw(plane.value_or(0), plane ? 1 : 0, bytes.data());
}

int Audit::device_of(int slab) const {
  return (slab - placement_.first_slab) * static_cast<int>(recomputations_.size()) / settings_.slabs;
}

/// One that has none of the layer, if there is one; else any, so that each is found out by another in time.
int Audit::device_beside(int layer) const {
  const int devices = static_cast<int>(recomputations_.size());
  const int last_here = placement_.first_slab + settings_.slabs - 1;
  const int first = device_of(std::max(layer, placement_.first_slab));
  const int last = device_of(std::min(layer + placement_.side_by_side() - 1, last_here));
  const bool all_have_some = last - first + 1 == devices;
  const int further = all_have_some ? static_cast<int>(drawn(before_, ranks().rank(), 1) % devices) : 0;
  return (last + 1 + further) % devices;
}

/// By slab of the box.
std::vector<Audit::Place> Audit::places_of_slabs() const {
  std::vector<std::string> names;
  for (const Device& device : placement_.devices) names.push_back(name_of_device(device));
  names = ranks().gather_lines(names);
  const auto hosts = ranks().gather_texts(host_name());
  std::vector<Device> devices(names.size());
  ranks().gather_to_all(placement_.devices.data(), placement_.devices.size() * sizeof(Device),
                        devices.data());
  std::vector<Place> places;
  for (int slab = 0; slab < static_cast<int>(names.size()); ++slab) {
    const int rank = placement_.rank_of_slab[slab];
    places.push_back({slab, rank, hosts[rank], devices[slab], names[slab]});
  }
  return places;
}

/// Nothing for a rank that wants none. All ranks must call it together: others may have rows of it.
Audit::Bytes Audit::plane_of_flow(std::optional<int> plane) const {
  Bytes bytes(plane ? simulation_.plane_bytes() : 0);
  simulation_.start_copy(plane.value_or(0), plane ? 1 : 0, bytes.data()).wait();
  return bytes;
}

/// The same step of the same planes, on any device.
Audit::Bytes Audit::again(Recomputation& on, int plane) const {
  if (&on != &second()) {
    on.place_at(planes_.first);
    const Queue queue(second().device());
    queue.copy(on.before(), second().before(), count_ * simulation_.plane_bytes());
    queue.synchronize();
  }
  on.step(simulation_);
  return on.after(plane - planes_.first);
}

}  // namespace tayra
