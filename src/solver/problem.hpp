// What a flow problem states: its keys, its start and its resting background.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/key.hpp"
#include "grid/grid.hpp"
#include "grid/layout.hpp"

namespace tayra {

struct Primitive {
  double density = 1;
  Vec3 velocity{0, 0, 0};
  double pressure = 1;
  std::array<double, most_scalars> scalars{};  // mass fractions, as many as the run carries
};

/// The hydrostatic state at one height, dp/dz = density * gravity. Zero: no background.
struct Background {
  double density = 0;
  double pressure = 0;
};

/// Two layers, for bubble and spike heights and the mixing width. Fluids are told apart by their potential
/// density, that at the interface's pressure: neither squeezing nor rising without heat changes it.
struct Layers {
  double light_density = 0;  // the highest potential density of the light layer at rest
  double heavy_density = 0;  // the lowest of the heavy one
  double own_range = 0;  // the wider one of either layer, as a share of how much they differ at the interface
  double interface_height = 0;
  double interface_pressure = 0;
  bool heavy_above = true;  // at the start: later the fluids may have changed places
  int carried = -1;         // number of the scalar that is the heavy fluid's mass fraction; -1: there is none
  double density_ratio = 1;  // of the heavy fluid's to the light one's, at the interface
};

/// Layers at rest that convect by themselves, beside the wave whose growth a run is about.
struct Convection {
  double rate = 0;            // of short waves within a layer, where it is greatest
  double wave_rate = 0;       // of the longest wave that is perturbed
  double quiet_pressure = 0;  // at the interface, with which the first is a tenth of the second
  double pressure = 0;        // at the interface
};

/// What every problem is given beside its own keys.
struct ProblemSetting {
  Grid grid;
  double gamma = 5. / 3;
  double gravity = 0;                     // along z, signed; where it varies in time, at time 0
  std::vector<std::string> scalars = {};  // names of the mass fractions that the flow carries

  /// Of each cell.
  int variables() const { return field_variables + static_cast<int>(scalars.size()); }
  /// Its number; nothing where it isn't carried.
  std::optional<int> scalar(const std::string& name) const;
};

/// That of the heavy fluid, of which diagnostics of two layers are made where it is carried.
inline constexpr const char* heavy_scalar = "fraction";

/// A config knows one by its keys, whose members hold their defaults at first. make() gives the one that the
/// rest is asked of.
class Problem {
 public:
  virtual ~Problem() = default;
  /// Bound to the members, and to the setting where a default follows from it; without the prefix "problem.".
  /// Values that defaults follow from may be impossible together: that is for make() to
  /// say.
  virtual std::vector<Key> keys(const ProblemSetting& /*setting*/) { return {}; }
  /// A copy for a box, with what follows from the keys. Throws Error(bad_input) for values that are
  /// impossible together; its message begins with the key (without prefix), a colon and a space, so that the
  /// config can name the line.
  virtual std::unique_ptr<Problem> make(const ProblemSetting& /*setting*/) const { return nullptr; }

  /// The start, a function of position alone, so that it doesn't depend on how the box is cut. Many threads
  /// ask at once.
  virtual Primitive initial(const Point& point) const = 0;
  /// Whether it can start a scalar of this name.
  virtual bool starts(const std::string& /*scalar*/) const { return false; }
  /// Where there is gravity and gas may rest: without it such gas drifts.
  virtual Background background(double /*z*/) const { return {}; }
  virtual std::optional<Layers> layers() const { return std::nullopt; }
  /// Though layers() may be unable to tell them apart.
  virtual bool has_heavy_above_light() const { return false; }
  virtual std::optional<Convection> convection() const { return std::nullopt; }
};

/// Whether a start is that of a gas whose fractions lie between 0 and 1; else what to say of it in a cell of
/// the box.
bool is_gas(const Primitive& start);
std::string no_gas(const Primitive& start, const Grid& grid, const std::array<int, 3>& cell);

/// A registry line.
struct ProblemEntry {
  std::string name;
  std::string summary;
  std::function<std::unique_ptr<Problem>()> keys;
  // What physics and grid.boundary are when the config doesn't say.
  double default_gamma = 5. / 3;
  double default_gravity = 0;
  std::array<Boundary, 3> default_boundary{Boundary::periodic, Boundary::periodic, Boundary::periodic};
  /// Whole sentences for docs/config.md, where the summary does not say which flow it is.
  std::string details{};
};

const std::vector<ProblemEntry>& problem_registry();
/// Null when there is no such problem.
const ProblemEntry* find_problem(const std::string& name);

}  // namespace tayra
