// Commands from the first rank to the others. Everything that looks at a run (logs, snapshots, progress)
// lives on the first rank alone and never needs to know that there are others.
#include "solver/lead.hpp"

#include <exception>

#include "grid/ranks.hpp"

namespace tayra {
namespace {

enum class Call { advance, finish, plane_sums, read_planes, restart, obey, end };

struct Command {
  Call call;
  std::int64_t count = 0;  // steps, or planes
  double until = 0;
  int first = 0;
  std::uint64_t values = 0;  // of all the planes
  StepClock clock = {};
};

void tell(Command command) { ranks().broadcast(&command, sizeof command); }

Command next_command() { return ranks().from_first(Command{}); }

class LedSimulation final : public Simulation {
 public:
  explicit LedSimulation(std::unique_ptr<Simulation> simulation) : simulation_(std::move(simulation)) {}
  /// While an error is on its way the others may be out of reach; ending them is then main's business.
  ~LedSimulation() override {
    if (std::uncaught_exceptions() > 0) return;
    try {
      tell({.call = Call::end});
    } catch (const Error&) {  // a rank is lost, as what is asked of it next will say
    }
  }

  void advance(std::int64_t count, double until) override {
    tell({.call = Call::advance, .count = count, .until = until});
    simulation_->advance(count, until);
  }
  std::vector<StepRecord> finish() override {
    tell({.call = Call::finish});
    return simulation_->finish();
  }
  std::vector<PlaneSums> plane_sums() override {
    tell({.call = Call::plane_sums});
    return simulation_->plane_sums();
  }
  void read_planes(int first, int count, std::span<double> out) override {
    tell({.call = Call::read_planes, .count = count, .first = first, .values = out.size()});
    simulation_->read_planes(first, count, out);
  }
  void restart(const StepClock& clock) override {
    tell({.call = Call::restart, .clock = clock});
    simulation_->restart(clock);
  }
  const StepClock& clock() const override { return simulation_->clock(); }
  const SimulationFacts& facts() const override { return simulation_->facts(); }
  const std::vector<SlabRange>& planes_of_ranks() const override { return simulation_->planes_of_ranks(); }
  Device device() const override { return simulation_->device(); }
  Arrival start_fields(const FieldChoice& choice, int first, int count, std::byte* out) override {
    return simulation_->start_fields(choice, first, count, out);
  }
  std::size_t plane_bytes() const override { return simulation_->plane_bytes(); }
  Arrival start_copy(int first, int count, std::byte* out) override {
    return simulation_->start_copy(first, count, out);
  }
  void write_raw(int first, int count, const std::byte* in) override {
    simulation_->write_raw(first, count, in);
  }

 private:
  std::unique_ptr<Simulation> simulation_;
};

}  // namespace

std::unique_ptr<Simulation> lead(std::unique_ptr<Simulation> simulation) {
  if (ranks().size() == 1) return simulation;
  return std::make_unique<LedSimulation>(std::move(simulation));
}

void leave_to_the_end(std::unique_ptr<Simulation>& simulation) {
  if (ranks().size() > 1) static_cast<void>(simulation.release());
}

void order(const std::string& what) {
  if (ranks().size() == 1) return;
  tell({.call = Call::obey});
  ranks().broadcast_text(what);
}

void follow(Simulation& simulation, const std::function<void(const std::string& order)>& obey) {
  const Doing doing(Phase::obeying);
  std::vector<double> planes;
  for (;;) {
    const Command command = next_command();
    switch (command.call) {
      case Call::advance:
        simulation.advance(command.count, command.until);
        break;
      case Call::finish:
        simulation.finish();
        break;
      case Call::plane_sums:
        simulation.plane_sums();
        break;
      case Call::read_planes:
        planes.resize(command.values);
        simulation.read_planes(command.first, static_cast<int>(command.count), planes);
        break;
      case Call::restart:
        simulation.restart(command.clock);
        break;
      case Call::obey: {
        const Doing writing(Phase::writing);
        obey(ranks().broadcast_text(""));
        break;
      }
      case Call::end:
        return;
    }
  }
}

}  // namespace tayra
