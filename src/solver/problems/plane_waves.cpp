// entropy_wave, acoustic_wave and simple_wave: whole waves along a direction, in a uniform flow, in gas with
// density and sound speed 1.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "solver/problem.hpp"
#include "solver/problems/resolved_waves.hpp"

namespace tayra::problems {
namespace {

double along(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

class PlaneWave : public Problem {
 public:
  /// The amplitude is that of `of_what`.
  PlaneWave(std::string of_what, double amplitude, const Vec3& velocity)
      : amplitude_(amplitude), velocity_(velocity), of_what_(std::move(of_what)) {}

  std::vector<Key> keys(const ProblemSetting& setting) override {
    return {
        key("amplitude", amplitude_, "amplitude of the " + of_what_, {.at_least = 0, .below = 1}),
        key("direction", direction_,
            "numbers of whole waves across the box along x, y and z. Default along an axis of one cell: 0",
            {.at_least = -4096,
             .at_most = 4096,
             .adapted = [&] { drop_waves_along_single_cells(direction_, setting.grid); }}),
        key("velocity", velocity_,
            "velocity of the mean flow. The density at rest and the sound speed at rest are 1")};
  }
  Primitive initial(const Point& point) const override {
    return gas(std::sin(along(wave_vector_, point.offset)));
  }

 protected:
  /// Where the wave's sine is so much.
  virtual Primitive gas(double sine) const = 0;

  /// A wave fits the box when it is periodic wherever the wave or the flow leaves it.
  void fit(const ProblemSetting& setting) {
    const Grid& grid = setting.grid;
    require(direction_ != std::array<std::int64_t, 3>{0, 0, 0}, ExitCode::bad_input,
            "direction: is [0, 0, 0], which is no direction: raise one");
    for (int axis = 0; axis < 3; ++axis) {
      const bool crossed = direction_[axis] != 0 || velocity_[axis] != 0;
      require(!crossed || grid.boundary[axis] == Boundary::periodic, ExitCode::bad_input,
              fmt::format("direction: the wave or its mean flow crosses the boundary along {}: set "
                          "grid.boundary.{} to periodic, or both to 0 along it",
                          "xyz"[axis], "xyz"[axis]));
    }
    require_resolved_waves("direction", direction_, grid);
    gamma_ = setting.gamma;
    for (int axis = 0; axis < 3; ++axis)
      wave_vector_[axis] = 2 * std::numbers::pi * static_cast<double>(direction_[axis]) / grid.length(axis);
  }

  double amplitude_;
  Vec3 velocity_;
  Vec3 wave_vector_{};
  double gamma_ = 0;

 private:
  std::string of_what_;
  std::array<std::int64_t, 3> direction_{1, 1, 1};
};

/// A sine in density that the flow carries along.
class EntropyWave final : public PlaneWave {
 public:
  EntropyWave() : PlaneWave("density, relative to its mean", 0.2, {1, 1, 1}) {}
  std::unique_ptr<Problem> make(const ProblemSetting& setting) const override {
    auto made = std::make_unique<EntropyWave>(*this);
    made->fit(setting);
    return made;
  }

 private:
  Primitive gas(double sine) const override { return {1 + amplitude_ * sine, velocity_, 1 / gamma_}; }
};

/// The simple wave that runs along its direction: the entropy and, with the velocity u along it, u - 2 c /
/// (gamma - 1) are the same everywhere (Landau & Lifshitz, Fluid Mechanics, section 101). It steepens until
/// it breaks.
class SoundWave final : public PlaneWave {
 public:
  explicit SoundWave(double amplitude)
      : PlaneWave("velocity, as a share of the sound speed at rest", amplitude, {0, 0, 0}) {}
  std::unique_ptr<Problem> make(const ProblemSetting& setting) const override {
    auto made = std::make_unique<SoundWave>(*this);
    made->fit(setting);
    require(0.5 * (setting.gamma - 1) * amplitude_ < 1, ExitCode::bad_input,
            fmt::format("amplitude: {} expands a gas with gamma = {} to nothing: keep it below {:.6g}",
                        amplitude_, setting.gamma, 2 / (setting.gamma - 1)));
    return made;
  }

 private:
  Primitive gas(double sine) const override {
    const double v = amplitude_ * sine;
    const double sound_speed = 1 + 0.5 * (gamma_ - 1) * v;
    const double wavenumber = std::hypot(wave_vector_[0], wave_vector_[1], wave_vector_[2]);
    Primitive gas{.density = std::pow(sound_speed, 2 / (gamma_ - 1)),
                  .pressure = 1 / gamma_ * std::pow(sound_speed, 2 * gamma_ / (gamma_ - 1))};
    for (int axis = 0; axis < 3; ++axis)
      gas.velocity[axis] = velocity_[axis] + v * wave_vector_[axis] / wavenumber;
    return gas;
  }
};

}  // namespace

ProblemEntry entropy_wave() {
  return {.name = "entropy_wave",
          .summary = "smooth density wave carried by a uniform flow; the exact solution is known",
          .keys = [] { return std::make_unique<EntropyWave>(); }};
}

ProblemEntry acoustic_wave() {
  return {.name = "acoustic_wave",
          .summary = "weak sound wave; the exact solution is known until it breaks",
          .keys = [] { return std::make_unique<SoundWave>(1e-3); }};
}

ProblemEntry simple_wave() {
  return {.name = "simple_wave",
          .summary = "strong sound wave that steepens; the exact solution is known until it breaks",
          .keys = [] { return std::make_unique<SoundWave>(0.3); }};
}

}  // namespace tayra::problems
