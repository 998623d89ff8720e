// A slab by itself, of which only planes out of its open ends' reach are of use.
#include "solver/recomputation.hpp"

#include "solver/make_engine.hpp"
#include "solver/slab_flow.hpp"
#include "solver/step.hpp"

namespace tayra {
namespace {

template <class Real>
class SlabRecomputation final : public Recomputation {
 public:
  SlabRecomputation(const SolverSettings& settings, const Problem& problem, Device device, int planes)
      : background_(plane_backgrounds(problem, settings.grid)),
        slab_(settings, {0, planes}, make_engine<Real>(settings, device, planes)) {}

  Device device() const override { return slab_.device(); }
  void place_at(int first) override { slab_.move_to(first, background_); }
  std::byte* before() const override { return slab_.planes(Field::u); }

  void step(double dt) override {
    StepClock clock;
    clock.dt = dt;
    slab_.engine().set_clock(clock);
    for (const StageOfStep& stage : ssp_rk3(result)) slab_.sweep_whole(stage, {}, true);
    slab_.engine().queue(slab_.whole_part()).synchronize();
  }

  std::vector<PlaneSums> masses() const override {
    return slab_.plane_sums(Sums::mass, std::nullopt, result);
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
  SlabFlow<Real> slab_;
};

}  // namespace

std::unique_ptr<Recomputation> make_recomputation(const SolverSettings& settings, const Problem& problem,
                                                  Device device, int planes) {
  if (settings.precision == Precision::single)
    return std::make_unique<SlabRecomputation<float>>(settings, problem, device, planes);
  return std::make_unique<SlabRecomputation<double>>(settings, problem, device, planes);
}

}  // namespace tayra
