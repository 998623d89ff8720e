// Exact solutions: where in the start of a problem the gas of a later time comes from.
#pragma once

#include <cmath>
#include <cstdlib>
#include <string>

#include "solver/problem_maker.hpp"

namespace tayra::testing {

/// Where it was, in a periodic box, before it travelled with a velocity.
inline Point carried_back(const Grid& grid, const Point& point, const Vec3& velocity, double time) {
  Point from = point;
  for (int axis = 0; axis < 3; ++axis)
    from.offset[axis] = std::remainder(point.offset[axis] - velocity[axis] * time, grid.length(axis));
  return from;
}

/// A problem that a mean flow carries along; or a wave that also runs along its direction, in gas with a
/// sound speed of 1 at rest.
struct MovingStart {
  bool is_sound = false;
  Vec3 velocity{0, 0, 0};                          // of the mean flow
  std::array<std::int64_t, 3> direction{1, 1, 1};  // whole waves across the box

  Primitive at(const Problem& start, const ProblemSetting& setting, const Point& point, double time) const {
    if (!is_sound) return start.initial(carried_back(setting.grid, point, velocity, time));
    Vec3 along;
    for (int axis = 0; axis < 3; ++axis) along[axis] = double(direction[axis]) / setting.grid.length(axis);
    const double length = std::hypot(along[0], along[1], along[2]);
    // What gas starts with beyond the mean flow's velocity U, v, travels at U + v + c = U + 1 + (gamma + 1) v
    // / 2 (Landau & Lifshitz, Fluid Mechanics, section 101), until characteristics cross.
    double v = 0;
    for (int round = 0; round < 300; ++round) {
      Vec3 travelling = velocity;
      for (int axis = 0; axis < 3; ++axis)
        travelling[axis] += along[axis] / length * (1 + (setting.gamma + 1) / 2 * v);
      const Primitive gas = start.initial(carried_back(setting.grid, point, travelling, time));
      double found = 0;
      for (int axis = 0; axis < 3; ++axis)
        found += along[axis] / length * (gas.velocity[axis] - velocity[axis]);
      if (std::abs(found - v) < 1e-15) return gas;
      v = found;
    }
    std::abort();
  }
};

}  // namespace tayra::testing
