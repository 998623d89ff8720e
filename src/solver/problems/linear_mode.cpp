// The linear eigenproblem, solved by shooting from both walls to the interface.
//
// Small adiabatic perturbations exp(st) of a gas at rest, dp/dz = rho g, over horizontal waves of wavenumber
// k (e.g. Drazin & Reid 1981, Hydrodynamic Stability, section 44, with compression kept), in w and q = p'/s:
//
//     dw/dz = -a w - b q      a = g / c^2    b = s^2 / (gamma p) + k^2 / rho
//     dq/dz =  d w + a q      d = -rho + (rho / s^2) n
//                             n = -(g / rho) drho/dz + g^2 / c^2,  minus the squared buoyancy frequency
//
//     rho' = -(w / s) drho/dz + (p' + rho g w / s) / c^2,   horizontal velocity = k q / rho,   w = 0 at the
//     walls.
//
// With w = r sin t, (k / rho_0) q = r cos t the angle t and ln r obey equations without poles or overflow
// (Pruefer); the two shots fit where their angles meet at the interface.
#include "solver/problems/linear_mode.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "core/error.hpp"

namespace tayra {
namespace {

/// sinh(a) / sinh(b) and cosh(a) / sinh(b) for 0 <= a <= b, where each alone may overflow.
double sinh_ratio(double a, double b) { return std::exp(a - b) * std::expm1(-2 * a) / std::expm1(-2 * b); }
double cosh_ratio(double a, double b) {
  return -std::exp(a - b) * (1 + std::exp(-2 * a)) / std::expm1(-2 * b);
}

constexpr double step_of_scale = 0.01;  // steps as a share of the length on which a solution varies

/// What the coefficients need of the gas at one height.
struct Medium {
  double density;
  double density_slope;
  double stiffness;  // gamma p = rho c^2
};

/// Growth that gravity alone would give, squared: n above.
double buoyant_growth(const Medium& medium, double gravity) {
  return -gravity * medium.density_slope / medium.density +
         gravity * gravity * medium.density / medium.stiffness;
}

struct Coefficients {
  double a, b, d;
};

struct Angle {
  double turn;      // t
  double log_size;  // ln r
};

/// Heights from the interface to one wall, with the medium there and halfway between.
struct Path {
  std::vector<double> z;
  std::vector<Medium> at_node;
  std::vector<Medium> at_middle;
};

constexpr double lower_wall_turn = std::numbers::pi;  // w = 0 and falling pressure above it
constexpr double upper_wall_turn = 0;

class Shooter {
 public:
  explicit Shooter(const LinearProblem& problem)
      : problem_(problem), below_(path_to(problem.lower)), above_(path_to(problem.upper)) {}

  const Path& below() const { return below_; }
  const Path& above() const { return above_; }
  double scale() const {
    return problem_.wavenumber / problem_.layers.density(problem_.layers.interface_height);
  }

  double highest_growth_squared() const {
    double highest = 0;
    for (const Path* path : {&below_, &above_})
      for (const Medium& medium : path->at_node)
        highest = std::max(highest, buoyant_growth(medium, problem_.layers.gravity));
    return highest;
  }

  Coefficients coefficients(const Medium& medium, double growth_squared) const {
    const double gravity = problem_.layers.gravity;
    const double k = problem_.wavenumber;
    return {gravity * medium.density / medium.stiffness,
            growth_squared / medium.stiffness + k * k / medium.density,
            medium.density * (buoyant_growth(medium, gravity) / growth_squared - 1)};
  }

  /// Angles at every node of a path, from the wall, where w = 0, to the interface: by the classical
  /// fourth-order Runge-Kutta method.
  std::vector<Angle> shoot(const Path& path, double wall_turn, double growth_squared) const {
    const auto moved = [](const Angle& from, double step, const Angle& slope) {
      return Angle{from.turn + step * slope.turn, from.log_size + step * slope.log_size};
    };
    std::vector<Angle> angles(path.z.size());
    angles.back() = {wall_turn, 0};
    for (std::size_t i = path.z.size() - 1; i > 0; --i) {
      const double step = path.z[i - 1] - path.z[i];
      const Coefficients middle = coefficients(path.at_middle[i - 1], growth_squared);
      const Angle k1 = slope(angles[i], coefficients(path.at_node[i], growth_squared));
      const Angle k2 = slope(moved(angles[i], step / 2, k1), middle);
      const Angle k3 = slope(moved(angles[i], step / 2, k2), middle);
      const Angle k4 = slope(moved(angles[i], step, k3), coefficients(path.at_node[i - 1], growth_squared));
      angles[i - 1] = {
          angles[i].turn + step / 6 * (k1.turn + 2 * k2.turn + 2 * k3.turn + k4.turn),
          angles[i].log_size + step / 6 * (k1.log_size + 2 * k2.log_size + 2 * k3.log_size + k4.log_size)};
    }
    return angles;
  }

  /// Falls through zero at the largest eigenvalue, seen from above.
  double mismatch(double growth_squared) const {
    return shoot(below_, lower_wall_turn, growth_squared).front().turn -
           shoot(above_, upper_wall_turn, growth_squared).front().turn;
  }

 private:
  Medium medium(double z) const {
    const TwoLayers& layers = problem_.layers;
    return {layers.density(z), layers.density_slope(z), problem_.gamma * layers.pressure(z)};
  }

  Path path_to(double wall) const {
    const double start = problem_.layers.interface_height;
    const double direction = wall < start ? -1 : 1;
    const double longest = step_of_scale / problem_.wavenumber;
    Path path;
    path.z.push_back(start);
    while (path.z.back() != wall) {
      const double z = path.z.back();
      const double step = std::min(longest, step_of_scale * std::hypot(problem_.layers.thickness, z - start));
      const bool last = direction * (wall - z) < 1.5 * step;
      path.z.push_back(last ? wall : z + direction * step);
    }
    for (const double z : path.z) path.at_node.push_back(medium(z));
    for (std::size_t i = 1; i < path.z.size(); ++i)
      path.at_middle.push_back(medium(0.5 * (path.z[i - 1] + path.z[i])));
    return path;
  }

  Angle slope(const Angle& angle, const Coefficients& c) const {
    const double sine = std::sin(angle.turn);
    const double cosine = std::cos(angle.turn);
    const double b = c.b / scale();
    const double d = c.d * scale();
    return {-2 * c.a * sine * cosine - b * cosine * cosine - d * sine * sine,
            c.a * (cosine * cosine - sine * sine) + (d - b) * sine * cosine};
  }

  LinearProblem problem_;
  Path below_;
  Path above_;
};

/// False position with the Illinois correction, of Dowell & Jarratt (1971).
double find_root(const std::function<double(double)>& f, double low, double high) {
  double f_low = f(low);
  double f_high = f(high);
  for (int iteration = 0; iteration < 100 && std::abs(high - low) > 1e-14 * std::abs(high); ++iteration) {
    const double middle = high - f_high * (high - low) / (f_high - f_low);
    const double f_middle = f(middle);
    if (f_middle == 0) return middle;
    if ((f_middle < 0) != (f_high < 0)) {
      low = high;
      f_low = f_high;
    } else {
      f_low *= 0.5;
    }
    high = middle;
    f_high = f_middle;
  }
  return high;
}

double largest_eigenvalue(const Shooter& shooter) {
  const double highest = shooter.highest_growth_squared();
  double above = highest;
  for (double below = 0.7 * highest; below > 1e-9 * highest; below *= 0.7) {
    if (shooter.mismatch(below) < 0)
      return find_root([&](double value) { return shooter.mismatch(value); }, below, above);
    above = below;
  }
  throw Error(ExitCode::failed, "no growing mode of this wavenumber (heavy must lie above light in gravity)");
}

}  // namespace

// w = sinh(k depth) / sinh(k depth of the interface), depth measured from the wall of the layer.
VerticalMode PotentialFlow::at(double z) const {
  if (z <= lower || z >= upper) return {};
  const double below = wavenumber * (interface_height - lower);
  const double above = wavenumber * (upper - interface_height);
  VerticalMode mode;
  // Free of divergence: k * horizontal + dw/dz = 0. At the interface itself the two sides' mean.
  if (z <= interface_height) {
    mode.w = sinh_ratio(wavenumber * (z - lower), below);
    mode.horizontal -= cosh_ratio(wavenumber * (z - lower), below);
  }
  if (z >= interface_height) {
    mode.w = sinh_ratio(wavenumber * (upper - z), above);
    mode.horizontal += cosh_ratio(wavenumber * (upper - z), above);
  }
  if (z == interface_height) mode.horizontal *= 0.5;
  return mode;
}

LinearMode fastest_mode(const LinearProblem& problem) {
  const Shooter shooter(problem);
  const double growth_squared = largest_eigenvalue(shooter);
  LinearMode mode;
  mode.problem_ = problem;
  mode.growth_rate_ = std::sqrt(growth_squared);
  const auto add_side = [&](const Path& path, double wall_turn) {
    const std::vector<Angle> angles = shooter.shoot(path, wall_turn, growth_squared);
    const Angle& meeting = angles.front();
    // w is the growth rate at the interface, which then rises by 1.
    const double size = mode.growth_rate_ / std::sin(meeting.turn);
    for (std::size_t i = 0; i < path.z.size(); ++i) {
      const double r = size * std::exp(angles[i].log_size - meeting.log_size);
      const double w = i + 1 == path.z.size() ? 0 : r * std::sin(angles[i].turn);
      const double q = r * std::cos(angles[i].turn) / shooter.scale();
      const Coefficients c = shooter.coefficients(path.at_node[i], growth_squared);
      mode.nodes_.push_back({path.z[i], w, q, -c.a * w - c.b * q, c.d * w + c.a * q});
    }
  };
  add_side(shooter.below(), lower_wall_turn);
  std::reverse(mode.nodes_.begin(), mode.nodes_.end());
  mode.nodes_.pop_back();  // the interface, which the upper side brings again
  add_side(shooter.above(), upper_wall_turn);
  return mode;
}

/// Cubic Hermite between nodes for w and q, the other fields from their equations.
VerticalMode LinearMode::at(double z) const {
  const auto next = std::clamp(std::upper_bound(nodes_.begin(), nodes_.end(), z,
                                                [](double at, const Node& node) { return at < node.z; }),
                               nodes_.begin() + 1, nodes_.end() - 1);
  const Node& left = *(next - 1);
  const Node& right = *next;
  const double step = right.z - left.z;
  const double t = (z - left.z) / step;
  const std::array<double, 4> weight{(1 + 2 * t) * (1 - t) * (1 - t), t * (1 - t) * (1 - t) * step,
                                     t * t * (3 - 2 * t), t * t * (t - 1) * step};
  const double w =
      weight[0] * left.w + weight[1] * left.w_slope + weight[2] * right.w + weight[3] * right.w_slope;
  const double q =
      weight[0] * left.q + weight[1] * left.q_slope + weight[2] * right.q + weight[3] * right.q_slope;

  const TwoLayers& layers = problem_.layers;
  const double density = layers.density(z);
  const double sound_squared = problem_.gamma * layers.pressure(z) / density;
  const double rise = w / growth_rate_;
  const double pressure = growth_rate_ * q;
  return {.density =
              -rise * layers.density_slope(z) + (pressure + density * layers.gravity * rise) / sound_squared,
          .horizontal = problem_.wavenumber * q / density,
          .w = w,
          .pressure = pressure,
          .rise = rise};
}

}  // namespace tayra
