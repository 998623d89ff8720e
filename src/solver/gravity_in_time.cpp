// Tables integrated piece by piece, formulas read by muParser.
#include "solver/gravity_in_time.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "core/printable.hpp"

namespace tayra {

/// muParser knows t by its address.
struct GravityInTime::Formula {
  double t = 0;
  mu::Parser parser;

  explicit Formula(const std::string& text) {
    parser.DefineVar("t", &t);
    parser.DefineConst("pi", std::numbers::pi);
    parser.SetExpr(text);
  }
  double at(double time) {
    t = time;
    return parser.Eval();
  }
};

namespace {

using Knot = std::pair<double, double>;

double between(const Knot& from, const Knot& to, double time) {
  return from.second + (to.second - from.second) * ((time - from.first) / (to.first - from.first));
}

std::string flaw_of_table(const std::vector<Knot>& table) {
  for (std::size_t i = 1; i < table.size(); ++i)
    if (table[i].first < table[i - 1].first)
      return fmt::format(
          "the times of the table fall from {} to {}: they must rise, or be equal where gravity "
          "jumps",
          table[i - 1].first, table[i].first);
  for (std::size_t i = 2; i < table.size(); ++i)
    if (table[i].first == table[i - 2].first)
      return fmt::format("the table has the time {} three times: twice is a jump", table[i].first);
  return "";
}

}  // namespace

std::string flaw_of(const GravityCourse& course) {
  if (course.formula.empty()) return flaw_of_table(course.table);
  try {
    GravityInTime(course).at(0);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

GravityInTime::GravityInTime(const GravityCourse& course) : course_(course) {
  if (course.formula.empty()) {
    const std::string flaw = flaw_of_table(course.table);
    require(flaw.empty() && !course.table.empty(), ExitCode::bad_input, flaw);
    return;
  }
  try {
    formula_ = std::make_unique<Formula>(course.formula);
    formula_->at(0);
  } catch (const mu::ParserError& error) {
    std::string what = error.GetMsg();
    while (!what.empty() && (what.back() == '.' || what.back() == '\n')) what.pop_back();
    throw Error(ExitCode::bad_input, what);
  }
}

GravityInTime::~GravityInTime() = default;
GravityInTime::GravityInTime(GravityInTime&&) noexcept = default;

double GravityInTime::at(double time) const {
  if (formula_) {
    const double gravity = formula_->at(time);
    require(std::isfinite(gravity), ExitCode::failed,
            fmt::format("gravity '{}' is {} at t = {}: it must be a number until the run's end",
                        printable(course_.formula), gravity, time));
    return gravity;
  }
  const auto& table = course_.table;
  const auto next = std::lower_bound(table.begin(), table.end(), time,
                                     [](const Knot& knot, double at) { return knot.first < at; });
  if (next == table.begin()) return table.front().second;
  if (next == table.end()) return table.back().second;
  return next->first == time ? next->second : between(*std::prev(next), *next, time);
}

// As what it differs from the middle's, which is exactly zero where nothing changes.
double GravityInTime::mean(double time, double dt) const {
  if (!formula_) return mean_of_table(time, dt);
  const double middle = at(time + 0.5 * dt);
  return middle + ((at(time) - middle) + (at(time + dt) - middle)) / 6;
}

double GravityInTime::mean_of_table(double time, double dt) const {
  const double end = time + dt, middle = at(time + 0.5 * dt);
  const auto& table = course_.table;
  double moved = 0;  // twice the integral of what gravity differs from the middle's
  const auto add = [&](const Knot& from, const Knot& to) {
    moved += ((from.second - middle) + (to.second - middle)) * (to.first - from.first);
  };
  const auto& [first, at_first] = table.front();
  const auto& [last, at_last] = table.back();
  if (time < first) add({time, at_first}, {std::min(end, first), at_first});
  for (std::size_t i = 1; i < table.size(); ++i) {
    const Knot &from = table[i - 1], &to = table[i];
    const double begins = std::max(time, from.first), ends = std::min(end, to.first);
    if (begins < ends) add({begins, between(from, to, begins)}, {ends, between(from, to, ends)});
  }
  if (end > last) add({std::max(time, last), at_last}, {end, at_last});
  return dt > 0 ? middle + moved / (2 * dt) : middle;
}

}  // namespace tayra
