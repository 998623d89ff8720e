// Gravity that varies in time: an expression in t, or a table.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mu {
class Parser;
}

namespace tayra {

/// As a config gives it. Neither of the two: gravity is constant.
struct GravityCourse {
  std::string formula = {};                           // in t
  std::vector<std::pair<double, double>> table = {};  // time and gravity, linear in between

  bool varies() const { return !formula.empty() || !table.empty(); }
};

/// Why a course can't be followed, as in "the times of the table must not fall"; empty if it can be.
std::string flaw_of(const GravityCourse& course);

/// A course that varies, followed by one thread. Throws Error(bad_input) where it has a flaw, and
/// Error(failed) at times at which the formula is no number.
class GravityInTime {
 public:
  explicit GravityInTime(const GravityCourse& course);
  ~GravityInTime();
  GravityInTime(GravityInTime&&) noexcept;

  /// Where a table jumps, at two equal times, what it jumps from. Before and after the table its ends.
  double at(double time) const;
  /// Over a step from `time` on: of a table exact, of a formula by Simpson's rule; exactly what it is where
  /// it is constant.
  double mean(double time, double dt) const;

 private:
  struct Formula;

  double mean_of_table(double time, double dt) const;

  GravityCourse course_;
  std::unique_ptr<Formula> formula_;
};

/// Gravity at time 0, under which a flow starts and its background rests.
inline double gravity_at_rest(const GravityCourse& course) { return GravityInTime(course).at(0); }

}  // namespace tayra
