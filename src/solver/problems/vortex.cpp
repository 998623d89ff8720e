// vortex: an isentropic vortex that a uniform flow carries through a periodic box without changing it.
//
// The usual Gaussian (Shu 1998, ICASE 97-65) never ends and so is no exact solution in a periodic box. This
// one does: v(r) = V (r / r_V) ((1 - r^2) / (1 - r_V^2))^n inside of r = 1, gas at rest outside, with the
// peak V at r_V^2 = 1 / (2 n + 1), and c^2 from dp/dr = rho v^2 / r at constant entropy.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "solver/problem.hpp"
#include "solver/problems/resolved_waves.hpp"

namespace tayra::problems {
namespace {

constexpr double smoothness = 6;  // n: as many derivatives of v are bounded at r = 1

class Vortex final : public Problem {
 public:
  std::vector<Key> keys(const ProblemSetting& setting) override {
    return {
        key("strength", strength_,
            "greatest speed of the swirl, as a share of the sound speed at rest. The density at rest and "
            "the sound speed at rest are 1",
            {.at_least = 0}),
        key("velocity", velocity_,
            "velocity of the mean flow in the plane of the vortex: along x and y with axis: z, along y "
            "and z with axis: x, along z and x with axis: y"),
        key("radius", radius_,
            "radius beyond which there is no swirl. Default: half of the shorter side of the vortex's "
            "plane",
            {.above = 0, .derived = [&] { radius_ = widest_radius(setting.grid); }}),
        choice("axis", axis_, "axis along which the vortex doesn't vary", {{"x", 0}, {"y", 1}, {"z", 2}})};
  }

  std::unique_ptr<Problem> make(const ProblemSetting& setting) const override {
    for (const int across : plane()) require_cells_along(across, "axis", setting.grid);
    require_room(setting.grid);
    auto made = std::make_unique<Vortex>(*this);
    made->gamma_ = setting.gamma;
    require(made->squared_sound_speed(0) > 0, ExitCode::bad_input,
            fmt::format("strength: {} leaves a vacuum in the middle of the vortex: lower it", strength_));
    return made;
  }

  Primitive initial(const Point& point) const override {
    const auto [along_a, along_b] = plane();
    const double a = point.offset[along_a] / radius_, b = point.offset[along_b] / radius_;
    const double square = std::min(a * a + b * b, 1.);
    const double sound_squared = squared_sound_speed(square);
    Primitive gas{.density = std::pow(sound_squared, 1 / (gamma_ - 1)),
                  .pressure = std::pow(sound_squared, gamma_ / (gamma_ - 1)) / gamma_};
    gas.velocity[along_a] = velocity_[0] - turning(square) * b;
    gas.velocity[along_b] = velocity_[1] + turning(square) * a;
    return gas;
  }

 private:
  /// The two axes across the vortex's own.
  std::array<int, 2> plane() const { return {(axis_ + 1) % 3, (axis_ + 2) % 3}; }
  double widest_radius(const Grid& grid) const {
    return 0.5 * std::min(grid.length(plane()[0]), grid.length(plane()[1]));
  }

  void require_room(const Grid& grid) const {
    require(radius_ <= widest_radius(grid), ExitCode::bad_input,
            fmt::format("radius: {} reaches out of the box: at most {}", radius_, widest_radius(grid)));
    const double least = 2 * std::max(grid.spacing(plane()[0]), grid.spacing(plane()[1]));
    require(radius_ >= least, ExitCode::bad_input,
            fmt::format("radius: {} is less than two cells: give {} or more, or refine the grid", radius_,
                        least));
    for (const int axis : plane())
      require(grid.boundary[axis] == Boundary::periodic, ExitCode::bad_input,
              fmt::format("name: a vortex is carried around a periodic box: set grid.boundary.{} to periodic",
                          "xyz"[axis]));
  }

  /// Angular velocity, in units of the sound speed over the radius.
  double turning(double square) const {
    const double peak = 1 / (2 * smoothness + 1);
    return strength_ / std::sqrt(peak) * std::pow((1 - square) / (1 - peak), smoothness);
  }

  /// 1 - (gamma - 1) times the integral of v^2 / r from r to 1.
  double squared_sound_speed(double square) const {
    return 1 - (gamma_ - 1) * turning(square) * turning(square) * (1 - square) / (2 * (2 * smoothness + 1));
  }

  double strength_ = 0.5;
  std::array<double, 2> velocity_{0.5, 0.25};
  double radius_ = 0;
  int axis_ = 2;
  double gamma_ = 0;
};

}  // namespace

ProblemEntry vortex() {
  return {.name = "vortex",
          .summary = "isentropic vortex carried by a uniform flow; the exact solution is known",
          .keys = [] { return std::make_unique<Vortex>(); }};
}

}  // namespace tayra::problems
