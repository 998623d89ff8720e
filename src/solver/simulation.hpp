// A run as the outside drives it: step, look, read out. Precision, devices and slabs stay behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/device.hpp"
#include "core/error.hpp"
#include "grid/decomposition.hpp"
#include "grid/grid.hpp"
#include "grid/ranks.hpp"
#include "halo/transport.hpp"
#include "solver/clock.hpp"
#include "solver/gravity_in_time.hpp"
#include "solver/plane_sums.hpp"
#include "solver/problem.hpp"

namespace tayra {

enum class Precision { single, double_ };
inline const char* name_of(Precision precision) {
  return precision == Precision::single ? "single" : "double";
}
inline std::size_t word_bytes(Precision precision) {
  return precision == Precision::single ? sizeof(float) : sizeof(double);
}
/// Of a name that is one of the two.
inline Precision precision_named(const std::string& name) {
  return name == name_of(Precision::single) ? Precision::single : Precision::double_;
}

struct SolverSettings : ProblemSetting {
  GravityCourse gravity_course = {};
  std::string scheme = "muscl";
  Precision precision = Precision::double_;
  bool positivity = true;
  double cfl = 0.6;
  std::optional<double> fixed_dt;
  DeviceKind device = DeviceKind::cpu;
  int gpus = 1;                    // GPUs that a rank drives
  int slabs = 1;                   // of a rank, spread over its devices
  int cut_y = 1;                   // how many of them lie side by side along y
  int rows_apart = rows_of_group;  // cuts along y lie at multiples of so many rows
  std::string halo = "auto";
  GpuAwareMpi gpu_aware_mpi = GpuAwareMpi::automatic;
  double timeout = usual_timeout;  // seconds for which ranks and GPUs may wait for each other
};

/// The resting background, by plane of the box. Under gravity that begins at 0 and then varies there is none,
/// since its weight, which is left out, would be 0.
using PlaneBackgrounds = std::vector<Background>;
PlaneBackgrounds plane_backgrounds(const Problem& problem, const SolverSettings& settings);

/// Where a slab's time went in a step.
struct SlabTimes {
  double compute_ms = 0;  // some sweep of the slab was under way
  double comm_ms = 0;     // its edges were ready and its neighbours' had not arrived yet
  double exposed_ms = 0;  // the part of comm_ms in which no sweep was under way
};

/// One step, as it went. Times of single steps are measured on the device and read back late.
struct StepRecord {
  std::int64_t step = 0;  // counted from 1
  double time = 0;        // after the step
  double dt = 0;
  double wall_ms = 0;
  std::vector<SlabTimes> slabs;  // on the first rank of the whole box, on others their own
  std::uint64_t bytes_sent = 0;
  std::uint64_t limited_faces = 0;       // faces that the positivity limiter touched
  std::optional<std::int64_t> bad_cell;  // x + nx (y + ny z) of a cell that is not a gas any more
};

/// The longest of each time, whichever slab took it.
SlabTimes longest(const StepRecord& record);

/// Bytes on their way from the devices of this rank.
class Arrival {
 public:
  using Done = std::shared_ptr<const Event>;

  explicit Arrival(std::vector<Done> done, Device device = {}) : done_(std::move(done)), device_(device) {}
  Arrival(Arrival&&) noexcept = default;
  /// Waits: before that nothing else may use the memory where they land.
  ~Arrival() {
    try {
      wait();
    } catch (const Error&) {  // a broken device writes nothing any more
    }
  }
  /// Until they are there; any thread may call it.
  void wait() const {
    if (!done_.empty()) use_device(device_);  // a new thread is on GPU 0, and would make a context there
    for (const Done& one : done_) one->synchronize();
  }

 private:
  std::vector<Done> done_;  // one a slab
  Device device_;
};

/// Steps with a halo backend, as `auto` measured them before the run.
struct HaloTrial {
  std::string halo;
  double step_ms;
  double exposed_ms;  // of a step, on the slab that waits longest
};

/// What the run really uses; goes to run.json.
struct SimulationFacts {
  std::string halo;
  std::string halo_path;               // how exactly its bytes travel, where it has a choice
  std::string step_end;                // how slabs come to know what all have found in a step
  std::vector<HaloTrial> halo_trials;  // empty when the backend was chosen by name, or there was no choice
  int ranks = 1;
  int nodes = 1;
  std::string scheme;
  std::vector<int> slab_planes;
  int cut_y = 1;
  std::vector<std::string> devices;  // one a slab
  std::vector<std::string> links;    // between GPUs of neighbouring slabs
  int most_slabs_of_a_device = 1;
  std::uint64_t bytes_per_exchange = 0;
  std::uint64_t memory_bytes = 0;  // that each device needs
  int threads = 1;
};

/// What a run keeps of gravity that varies in time.
struct GravityBooks {
  double in_last_step;
  double now;
  /// At first that of the planes' weight; then less what gravity's work has given to the flow, so that its
  /// sum with the energy of a closed box stays.
  double potential_energy;
};

struct FieldChoice;   // output_fields.hpp
struct PlaneField;    // plane_fields.hpp
struct WavePlan;      // plane_waves.hpp
struct CountedField;  // plane_counts.hpp

/// Every rank makes the same calls on its own in the same order, but for the last ones below; what they
/// return is the same on all. Call finish() before all that reads the flow, and before a new `until`.
class Simulation {
 public:
  virtual ~Simulation() = default;
  /// Enqueues up to `count` steps that stop exactly at time `until`; further ones do nothing. May return
  /// early.
  virtual void advance(std::int64_t count, double until) = 0;
  /// Waits for everything enqueued; the records of the steps since the last call, oldest first.
  virtual std::vector<StepRecord> finish() = 0;
  virtual std::vector<PlaneSums> plane_sums(Sums which = Sums::all) = 0;
  /// Means over planes (profiles.hpp): [plane][profile]. A cut along y must have left whole tiles: its rows
  /// are profile_rows apart.
  virtual std::vector<double> profiles() = 0;
  /// Of ascending planes, the variance of fields in each shell of waves (plane_waves.hpp), whose plan is of
  /// this grid: [plane][field][shell].
  virtual std::vector<double> plane_spectra(const WavePlan& plan, const std::vector<PlaneField>& fields,
                                            const std::vector<int>& planes) = 0;
  /// How many cells of planes have a number in which bin (plane_counts.hpp).
  virtual std::vector<std::int64_t> plane_counts(const CountedField& what,
                                                 const std::vector<int>& planes) = 0;
  /// Conserved state (density, momentum, total energy, what carries each scalar) of planes
  /// [first, first + count) as [z][variable][y][x].
  virtual void read_planes(int first, int count, std::span<double> out) = 0;
  virtual const StepClock& clock() const = 0;  // as of the last finish()
  double time() const { return clock().time; }
  std::int64_t step() const { return clock().step; }
  /// Goes on from here once write_raw() has given every plane; cfl and fixed_dt are the settings', `until` is
  /// the next advance's.
  virtual void restart(const StepClock& clock) = 0;
  /// As of the last finish(); nothing where gravity is constant. Once `restart` has been called they go on
  /// from a potential energy that an earlier part of the run has left, or else from the planes' weight.
  virtual std::optional<GravityBooks> gravity_books() const { return std::nullopt; }
  virtual void restart_gravity_books(std::optional<double> /*potential_energy*/) {}
  virtual const SimulationFacts& facts() const = 0;

  // What each rank does with planes of its layers. Ranks with slabs side by side in a layer, which give each
  // other their rows of them, must make these calls together, with no planes where they want none; no other
  // rank need know.
  /// The planes of the box by rank.
  virtual const std::vector<SlabRange>& planes_of_ranks() const = 0;
  /// Those of the box that this rank has slabs of.
  virtual std::vector<SlabRange> layers_here() const = 0;
  virtual Device device() const = 0;  // of the first slab
  /// Starts computing the chosen fields of the chosen planes [first, first + count), field after field, each
  /// as [z][y][x][component]; of planes that are summed up, which must lie in one layer, as one plane. Sums
  /// along y of a box that is cut along y are in double. Of GPUs, into pinned memory. The flow goes on
  /// meanwhile: it waits itself before it overwrites what is still read.
  virtual Arrival start_fields(const FieldChoice& choice, int first, int count, std::byte* out) = 0;
  virtual std::size_t plane_bytes() const = 0;  // of the solver's own numbers
  /// Starts copying the solver's own numbers of the planes [first, first + count), bit for bit, in the
  /// precision of the computation; the energy is less the background's. [z][variable][y][x]. The flow goes on
  /// as with start_fields(). Of a layer that others share, to memory of the host alone; else of any device.
  virtual Arrival start_copy(int first, int count, std::byte* out) = 0;
  virtual void write_raw(int first, int count, const std::byte* in) = 0;
};

/// Instead of a halo backend, for timing alone: nothing is exchanged, and the flow is wrong.
inline constexpr const char* without_exchange = "none";

/// Throws Error(unavailable) when the device or halo backend can't be had.
std::unique_ptr<Simulation> make_simulation(const SolverSettings& settings, const Problem& problem);

const std::vector<std::string>& scheme_names();

}  // namespace tayra
