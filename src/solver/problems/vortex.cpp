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

struct Swirl {
  double strength = 0.5;
  std::array<double, 2> velocity{0.5, 0.25};
  double radius = 0;
  int axis = 2;

  /// The two axes across the vortex's own.
  std::array<int, 2> plane() const { return {(axis + 1) % 3, (axis + 2) % 3}; }
};

double widest_radius(const Grid& grid, const std::array<int, 2>& plane) {
  return 0.5 * std::min(grid.length(plane[0]), grid.length(plane[1]));
}

class Vortex final : public Problem {
 public:
  Vortex(const Swirl& swirl, const ProblemSetting& setting)
      : grid_(setting.grid),
        gamma_(setting.gamma),
        strength_(swirl.strength),
        plane_(swirl.plane()),
        radius_(swirl.radius) {
    for (const int across : plane_) require_cells_along(across, "axis", grid_);
    for (const int i : {0, 1}) drift_[plane_[i]] = swirl.velocity[i];
    require_room(widest_radius(grid_, plane_));
    require(squared_sound_speed(0) > 0, ExitCode::bad_input,
            fmt::format("strength: {} leaves a vacuum in the middle of the vortex: lower it", strength_));
  }

  Primitive initial(const Point& point) const override {
    return gas(point.offset[plane_[0]] / radius_, point.offset[plane_[1]] / radius_);
  }

  std::optional<Primitive> exact(const Point& point, double time) const override {
    const auto carried_back = [&](int axis) {
      return std::remainder(point.offset[axis] - drift_[axis] * time, grid_.length(axis)) / radius_;
    };
    return gas(carried_back(plane_[0]), carried_back(plane_[1]));
  }

 private:
  void require_room(double widest) const {
    require(radius_ <= widest, ExitCode::bad_input,
            fmt::format("radius: {} reaches out of the box: at most {}", radius_, widest));
    const double least = 2 * std::max(grid_.spacing(plane_[0]), grid_.spacing(plane_[1]));
    require(radius_ >= least, ExitCode::bad_input,
            fmt::format("radius: {} is less than two cells: give {} or more, or refine the grid", radius_,
                        least));
    for (const int axis : plane_)
      require(grid_.boundary[axis] == Boundary::periodic, ExitCode::bad_input,
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

  Primitive gas(double a, double b) const {
    const double square = std::min(a * a + b * b, 1.);
    const double sound_squared = squared_sound_speed(square);
    Primitive gas{.density = std::pow(sound_squared, 1 / (gamma_ - 1)),
                  .velocity = drift_,
                  .pressure = std::pow(sound_squared, gamma_ / (gamma_ - 1)) / gamma_};
    gas.velocity[plane_[0]] -= turning(square) * b;
    gas.velocity[plane_[1]] += turning(square) * a;
    return gas;
  }

  Grid grid_;
  double gamma_;
  double strength_;
  std::array<int, 2> plane_;
  double radius_;
  Vec3 drift_{};
};

struct VortexKeys final : ProblemKeys {
  Swirl swirl;

  std::vector<Key> keys(const ProblemSetting& setting) override {
    return {key("strength", swirl.strength,
                "greatest speed of the swirl, as a share of the sound speed at rest. The density at rest and "
                "the sound speed at rest are 1",
                {.at_least = 0}),
            key("velocity", swirl.velocity,
                "velocity of the mean flow in the plane of the vortex: along x and y with axis: z, along y "
                "and z with axis: x, along z and x with axis: y"),
            key("radius", swirl.radius,
                "radius beyond which there is no swirl. Default: half of the shorter side of the vortex's "
                "plane",
                {.above = 0, .derived = [&] { swirl.radius = widest_radius(setting.grid, swirl.plane()); }}),
            choice("axis", swirl.axis, "axis along which the vortex doesn't vary",
                   {{"x", 0}, {"y", 1}, {"z", 2}})};
  }

  std::unique_ptr<Problem> make(const ProblemSetting& setting) const override {
    return std::make_unique<Vortex>(swirl, setting);
  }
};

}  // namespace

ProblemEntry vortex() {
  return {.name = "vortex",
          .summary = "isentropic vortex carried by a uniform flow; the exact solution is known",
          .keys = [] { return std::make_unique<VortexKeys>(); }};
}

}  // namespace tayra::problems
