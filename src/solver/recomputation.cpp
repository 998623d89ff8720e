// A slab by itself, of which only planes out of its open ends' reach are of use.
#include "solver/recomputation.hpp"

#include "solver/make_engine.hpp"
#include "solver/slab_flow.hpp"
#include "solver/time_step.hpp"

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
    using enum Field;
    StepClock clock;
    clock.dt = dt;
    slab_.engine().set_clock(clock);
    sweep(0, {u, u, stage_1});
    sweep(1, {u, stage_1, stage_2});
    sweep(2, {u, stage_2, result});
    slab_.engine().queue(SlabPart::core).synchronize();
  }

  std::vector<PlaneSums> masses() const override {
    return slab_.plane_sums(Sums::mass, std::nullopt, result);
  }
  std::vector<std::byte> after(int plane) const override {
    std::vector<std::byte> bytes(slab_.plane_bytes());
    const Queue& queue = slab_.engine().queue(SlabPart::core);
    queue.copy(bytes.data(), slab_.planes(result) + plane * bytes.size(), bytes.size());
    queue.synchronize();
    return bytes;
  }

 private:
  static constexpr Field result = Field::stage_1;  // read no more in the last stage

  void sweep(int number, const std::array<Field, 3>& old_now_next) const {
    slab_.sweep(number, ssp_rk3[number], old_now_next, slab_.all(), SlabPart::core, {});
  }

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
