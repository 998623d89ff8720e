// Which planes are audited, what differs, and who erred.
#include "solver/audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

template <class Real>
class SlabRecomputation final : public Recomputation {
 public:
  SlabRecomputation(const SolverSettings& settings, const Problem& problem, Device device, int planes)
      : background_(plane_backgrounds(problem, settings)),
        rows_(settings.grid.cells[1]),
        slab_(settings, {0, planes}, {0, settings.grid.cells[1]}, device) {}

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

/// The first byte of a number that differs, or nothing.
std::optional<std::size_t> first_difference(const std::vector<std::byte>& flow,
                                            const std::vector<std::byte>& second, std::size_t word) {
  const auto at = std::mismatch(flow.begin(), flow.end(), second.begin()).first;
  if (at == flow.end()) return std::nullopt;
  return static_cast<std::size_t>(at - flow.begin()) / word * word;
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

PlaneRange auditable_planes(const Grid& grid, const SlabRange& of_rank) {
  const int end = of_rank.first + of_rank.planes, all = grid.cells[2];
  const bool whole = of_rank.planes == all, walls = grid.boundary[2] != Boundary::periodic;
  const auto wrong = [&](bool at_wall) { return whole || (walls && at_wall) ? 0 : planes_a_step_reads; };
  return {of_rank.first + wrong(of_rank.first == 0), end - wrong(end == all)};
}

int auditable_planes(const SolverSettings& settings) {
  int count = 0;
  for (const SlabRange& of_rank : place_slabs(settings).planes_of_ranks())
    count += auditable_planes(settings.grid, of_rank).count();
  return count;
}

// Around a plane that is drawn, so that it is kept, but within the rank's own.
AuditedPlanes planes_to_audit(const Grid& grid, const Placement& placement, int rank, std::int64_t step) {
  const SlabRange own = placement.planes_of_ranks()[rank];
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
  const int of_rank = place_slabs(settings).planes_of_ranks().front().planes;
  const int meant = slabs_meant_for_a_gpu(settings);
  const int parts = (most_slabs_of_a_device(settings) + meant - 1) / meant;
  const int planes = std::min(most_recomputed_planes, of_rank) + 2 * ghost_planes;
  return static_cast<std::uint64_t>(parts) * planes * rotating_fields * plane_bytes(settings);
}

Audit::Audit(const SolverSettings& settings, const Problem& problem, Simulation& simulation)
    : settings_(settings),
      problem_(problem),
      simulation_(simulation),
      placement_(place_slabs(settings)),
      count_(std::min(most_recomputed_planes, placement_.planes_of_ranks()[ranks().rank()].planes)) {
  std::vector<int> gpus;
  for (const Device& device : placement_.devices) {  // all of one kind, and in order
    if (!recomputations_.empty() && recomputations_.back()->device().number == device.number) continue;
    recomputations_.push_back(make_recomputation(settings, problem, device, count_));
    if (device.kind == DeviceKind::cuda) gpus.push_back(device.number);
  }
  enable_peer_access(gpus);  // else copies between them go through the host
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
  const int all = settings_.grid.cells[2];
  for (int k = 0, run = 0; k < count_; k += run) {  // each up to an end of the box
    const int z = (planes_.first + k + all) % all;
    run = std::min(count_ - k, all - z);
    arrivals_.push_back(simulation_.start_copy(z, run, second().before() + k * simulation_.plane_bytes()));
  }
}

std::optional<AuditFault> Audit::after_step() {
  const Waiting waiting(tally_.seconds);
  arrivals_.clear();  // which waits for them
  if (simulation_.step() == before_) return std::nullopt;
  plant_flip();
  const auto masses = simulation_.plane_sums(Sums::mass);
  const double mass = total_mass(masses);
  AuditFault mine = planes_.kept.count() > 0 ? compare(masses) : AuditFault{};
  if (ranks().is_first() && mine.what.empty()) mine.what = mass_fault(mass);
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

AuditFault Audit::compare(const std::vector<PlaneSums>& masses) {
  second().step(simulation_);
  const auto again = second().masses();
  for (int k = planes_.kept.begin; k < planes_.kept.end; ++k)
    if (masses[k].fingerprint != again[k - planes_.first].fingerprint) return diagnose(k);
  return {};
}

AuditFault Audit::diagnose(int plane) {
  const Bytes flow = plane_of_flow(plane), again = second().after(plane - planes_.first);
  const std::size_t word = word_bytes(settings_.precision);
  const auto [nx, ny, nz] = settings_.grid.cells;
  int slab = placement_.slab_of(plane);
  if (const auto first = first_difference(flow, again, word)) {
    const int row = static_cast<int>(*first / word / nx % ny);
    for (const RowRange& rows : placement_.rows) slab += row >= rows.first + rows.rows ? 1 : 0;
  }
  const std::string found = fmt::format(
      "step {} of plane {} (slab {}, rank {} on {}, {}) has other bits than when computed once more on {}",
      simulation_.step(), plane, slab, ranks().rank(), host_name(),
      name_of_device(recomputations_[device_of(slab)]->device()), name_of_device(second().device()));
  if (flow == again) return {found + ": no number differs now, so that one of the sums over them was wrong"};
  AuditFault fault = blame(plane, slab, flow, again);
  fault.what = fmt::format("{}: {}. {}", found, difference(plane, flow, again), fault.what);
  return fault;
}

std::string Audit::difference(int plane, const Bytes& flow, const Bytes& second) const {
  constexpr std::array variables{"density", "x momentum", "y momentum", "z momentum",
                                 "energy above the background's"};
  const std::size_t word = word_bytes(settings_.precision);
  const auto [nx, ny, nz] = settings_.grid.cells;
  const std::size_t first = *first_difference(flow, second, word);
  std::size_t count = 0;
  for (std::size_t i = first; i < flow.size(); i += word)
    count += std::memcmp(&flow[i], &second[i], word) != 0 ? 1 : 0;
  const auto text = settings_.precision == Precision::single ? number_text<float> : number_text<double>;
  const std::size_t at = first / word, cells = static_cast<std::size_t>(nx) * ny;
  return fmt::format("{} number{} differ{}; in cell ({}, {}, {}) the {} is {}, and {} the second time", count,
                     count == 1 ? "" : "s", count == 1 ? "s" : "", at % nx, at % cells / nx, plane,
                     variables[at / cells], text(&flow[first]), text(&second[first]));
}

// The CPU is a third party for GPUs. One that errs is asked again: a cosmic ray does not come twice.
AuditFault Audit::blame(int plane, int slab, const Bytes& flow, const Bytes& second) try {
  const auto referee = make_recomputation(settings_, problem_, Device{}, count_);
  const Bytes right = again(*referee, plane);
  if (right != flow && right != second)
    return {"A third computation, on the CPU, agrees with neither: who erred is not known"};
  const bool flow_erred = right == second;
  Recomputation& guilty = flow_erred ? *recomputations_[device_of(slab)] : this->second();
  const Device device = guilty.device();
  const bool once = again(guilty, plane) == right;
  return {
      fmt::format("A third computation, on the CPU, agrees with the {}, so {} erred; asked again, it {}",
                  flow_erred ? "second" : "first", name_of_device(device),
                  once ? "computes right: the fault was a passing one" : "errs again: the fault persists"),
      device.kind == DeviceKind::cuda ? std::optional(device.number) : std::nullopt};
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
/// audit at work on their machine.
void Audit::plant_flip() const {
  const char* wanted = std::getenv("TAYRA_TEST_FLIP");
  long long step = 0;
  unsigned seed = 0;
  if (wanted == nullptr || std::sscanf(wanted, "%lld:%u", &step, &seed) != 2) return;
  const bool here = static_cast<int>(seed % ranks().size()) == ranks().rank();
  if (step != simulation_.step() || !here || planes_.kept.count() == 0) return;
  const auto random = [&](int number, std::size_t below) {
    return drawn(-1 - static_cast<std::int64_t>(seed), 0, number) % below;
  };
  const int plane = planes_.kept.begin + static_cast<int>(random(0, planes_.kept.count()));
  Bytes bytes = plane_of_flow(plane);
  bytes[random(1, bytes.size())] ^= std::byte(1u << random(2, 8));
  simulation_.write_raw(plane, 1, bytes.data());
}

int Audit::device_of(int slab) const {
  return (slab - placement_.first_slab) * static_cast<int>(recomputations_.size()) / settings_.slabs;
}

/// One that has none of the layer, if there is one; else any, so that each is found out by another in time.
int Audit::device_beside(int layer) const {
  const int devices = static_cast<int>(recomputations_.size());
  const int first = device_of(layer), last = device_of(layer + placement_.side_by_side() - 1);
  const bool all_have_some = last - first + 1 == devices;
  const int further = all_have_some ? static_cast<int>(drawn(before_, ranks().rank(), 1) % devices) : 0;
  return (last + 1 + further) % devices;
}

Audit::Bytes Audit::plane_of_flow(int plane) const {
  Bytes bytes(simulation_.plane_bytes());
  simulation_.start_copy(plane, 1, bytes.data()).wait();
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
