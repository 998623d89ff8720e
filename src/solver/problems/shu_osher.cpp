// shu_osher: a Mach 3 shock that runs into a density wave (Shu & Osher 1989, J. Comput. Phys. 83, 32, example
// 8), along x, with x = 0 in the middle of a box that is 10 long.
#include <cmath>

#include "solver/problem.hpp"
#include "solver/problems/resolved_waves.hpp"

namespace tayra::problems {
namespace {

constexpr double shock = -4;
constexpr Primitive behind_shock{.density = 3.857143, .velocity = {2.629369, 0, 0}, .pressure = 10.33333};

class ShuOsher final : public Problem {
 public:
  std::unique_ptr<Problem> make(const ProblemSetting& setting) const override {
    require_cells_along(0, "name", setting.grid);
    auto made = std::make_unique<ShuOsher>();
    made->unit_ = setting.grid.length(0) / 10;
    return made;
  }
  Primitive initial(const Point& point) const override {
    const double x = point.offset[0] / unit_;
    if (x < shock) return behind_shock;
    return {.density = 1 + 0.2 * std::sin(5 * x), .velocity = {0, 0, 0}, .pressure = 1};
  }

 private:
  double unit_ = 1;
};

}  // namespace

ProblemEntry shu_osher() {
  return {
      .name = "shu_osher",
      .summary = "a Mach 3 shock runs along x into a density wave (Shu & Osher 1989)",
      .keys = [] { return std::make_unique<ShuOsher>(); },
      .default_gamma = 1.4,  // that of the states behind and before the shock
      .default_boundary = {Boundary::outflow, Boundary::periodic, Boundary::periodic},
      .details =
          "In the paper the box is 10 long; Tayra scales its lengths and times to L, the length of the box "
          "along x. The shock starts at a tenth of the box. The paper's last time, 1.8, is run.time 0.18 L."};
}

}  // namespace tayra::problems
