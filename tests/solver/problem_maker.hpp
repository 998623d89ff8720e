// Makes a problem as a config would: its keys' defaults, and some changed.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "solver/problem.hpp"

namespace tayra::testing {

/// What a key is set to, of any type that a member may have.
struct Setting {
  template <class T>
  Setting(const T& member) : value(Member<T>::get(member)) {}
  Value value;
};
using Keys = std::vector<std::pair<std::string, Setting>>;

inline ProblemSetting setting_of(const std::string& name, std::array<int, 3> cells, Vec3 upper = {1, 1, 1}) {
  const ProblemEntry& entry = *find_problem(name);
  return {.grid = {.cells = cells, .lower = {0, 0, 0}, .upper = upper, .boundary = entry.default_boundary},
          .gamma = entry.default_gamma,
          .gravity = entry.default_gravity};
}

inline std::unique_ptr<Problem> make_problem(const std::string& name, const ProblemSetting& setting,
                                             const Keys& changes = {}) {
  const auto own = find_problem(name)->keys();
  const Key keys = section("", own->keys(setting));
  std::map<std::string, Value> given;
  for (const auto& [key, change] : changes) given[key] = change.value;
  for_each_key(keys, [&](const std::string& path, const Key& key) {
    if (given.contains(path)) key.set(given[path]);
  });
  for_each_key(keys, [&](const std::string& path, const Key& key) {
    if (given.erase(path) == 0 && key.rules.derived) key.rules.derived();
  });
  if (!given.empty()) throw std::logic_error(name + " has no key " + given.begin()->first);
  return own->make(setting);
}

/// Whether a problem can be made from its defaults alone.
inline bool needs_nothing(const ProblemEntry& entry) {
  const auto own = entry.keys();
  const ProblemSetting setting;
  bool needs = false;
  for_each_key(section("", own->keys(setting)),
               [&](const std::string&, const Key& key) { needs = needs || key.rules.is_required; });
  return !needs;
}

/// The message of the error that making the problem ends with.
inline std::string refusal(const std::string& name, const ProblemSetting& setting, const Keys& changes) {
  try {
    make_problem(name, setting, changes);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    return error.what();
  }
  return "accepted";
}

inline std::string text(const char* value) { return value; }
inline std::vector<std::int64_t> whole(std::initializer_list<std::int64_t> values) { return values; }

/// A cell centre anywhere, for looking at the formulas between those of the grid.
inline Point point_at(const Grid& grid, const Vec3& position) {
  Point point{position, {}};
  for (int axis = 0; axis < 3; ++axis)
    point.offset[axis] = position[axis] - 0.5 * (grid.lower[axis] + grid.upper[axis]);
  return point;
}

}  // namespace tayra::testing
