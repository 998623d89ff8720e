// rt_single: one wave on the interface of a heavy fluid above a light one; a bubble rises in the middle of
// the box, and where both cosines are -1.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <numbers>

#include "core/error.hpp"
#include "solver/problems/layered.hpp"
#include "solver/problems/resolved_waves.hpp"

namespace tayra::problems {
namespace {

class RtSingle final : public RayleighTaylor {
 public:
  std::vector<Key> keys(const ProblemSetting& setting) override {
    std::vector<Key> all = RayleighTaylor::keys(setting);
    all.push_back(
        key("modes", modes_,
            "numbers of whole waves across the box along x and y. Default along an axis of one cell: 0",
            {.at_least = 0, .adapted = [&] { drop_waves_along_single_cells(modes_, setting.grid); }}));
    return all;
  }

  std::unique_ptr<Problem> make(const ProblemSetting& setting) const override {
    auto made = std::make_unique<RtSingle>(*this);
    made->fit(setting);
    made->require_possible_rise(std::abs(made->amplitude()));
    require(modes_[0] + modes_[1] > 0, ExitCode::bad_input, "modes: are both 0 (no wave at all): raise one");
    require_resolved_waves("modes", modes_, setting.grid);
    made->wavenumber_ = wavenumber(setting.grid);
    made->total_ = std::hypot(made->wavenumber_[0], made->wavenumber_[1]);
    if (perturb_ != Perturb::interface) made->vertical_ = made->vertical_mode(made->total_);
    return made;
  }

  /// cos(k_x x) cos(k_y y) about the middle of the box: even to the last bit, as the cosine is.
  Primitive initial(const Point& point) const override {
    const double phase_x = wavenumber_[0] * point.offset[0];
    const double phase_y = wavenumber_[1] * point.offset[1];
    const double pattern = amplitude() * (std::cos(phase_x) * std::cos(phase_y));
    const double z = point.position[2];
    if (perturb_ == Perturb::interface) return at_rest(z, pattern);

    const VerticalMode mode = vertical_(z);
    Primitive gas = at_rest(z, 0);
    const double sideways = amplitude() * mode.horizontal / total_;
    gas.density += pattern * mode.density;
    gas.velocity = {sideways * wavenumber_[0] * (std::sin(phase_x) * std::cos(phase_y)),
                    sideways * wavenumber_[1] * (std::cos(phase_x) * std::sin(phase_y)), pattern * mode.w};
    gas.pressure += pattern * mode.pressure;
    set_fraction(gas, z, pattern * mode.rise);
    return gas;
  }

 private:
  std::array<double, 2> wavenumber(const Grid& grid) const {
    const auto along = [&](int axis) {
      return 2 * std::numbers::pi * static_cast<double>(modes_[axis]) / grid.length(axis);
    };
    return {along(0), along(1)};
  }
  double wavelength(const Grid& grid) const override {
    const auto [along_x, along_y] = wavenumber(grid);
    const double total = std::hypot(along_x, along_y);
    return total > 0 ? 2 * std::numbers::pi / total : 0;
  }
  double least_wavenumber() const override { return total_; }

  std::array<std::int64_t, 2> modes_{1, 1};
  std::array<double, 2> wavenumber_{};
  double total_ = 0;
  std::function<VerticalMode(double)> vertical_;
};

}  // namespace

ProblemEntry rt_single() {
  return {.name = "rt_single",
          .summary =
              "single-mode Rayleigh-Taylor: perturbed by cos(k_x x) cos(k_y y), with x = y = 0 in the middle "
              "of the box; a bubble rises there, and half a wave away along both axes",
          .keys = [] { return std::make_unique<RtSingle>(); },
          .default_gravity = -1,
          .default_boundary = {Boundary::periodic, Boundary::periodic, Boundary::mirror}};
}

}  // namespace tayra::problems
