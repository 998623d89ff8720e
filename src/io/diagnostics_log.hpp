// diagnostics.csv: what must stay the same (mass, momentum, energy) and how the mixing layer grows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "grid/grid.hpp"
#include "io/log_file.hpp"
#include "solver/problem.hpp"
#include "solver/simulation.hpp"

namespace tayra {

/// Sizes of the layer between a heavy and a light fluid, whichever lies above. Heights count from the initial
/// interface and are positive; a fluid that has reached the wall has the wall's distance.
struct MixingLayer {
  double bubble_height = 0;           // of light fluid in the heavy one: to where 99 % of a plane is heavy
  double spike_height = 0;            // of heavy fluid in the light one: to where 1 % of a plane is heavy
  double integral_bubble_height = 0;  // from the layer's centre, by a moment of <1 - f> above it
  double integral_spike_height = 0;   // likewise of <f> below it
  double mixing_width = 0;            // 6 ∫ <f>(1 - <f>) dz: the thickness, were <f> linear across it
  double theta = 0;  // ∫ <f (1 - f)> dz / ∫ <f> <1 - f> dz (Youngs 1991): 0 unmixed, 1 fully mixed
};

/// Integrals and extremes over the whole box.
struct Diagnostics {
  double mass = 0;
  Vec3 momentum{};
  double energy = 0;            // internal + kinetic
  Vec3 kinetic_energy{};        // of the motion along each axis
  double potential_energy = 0;  // −g ∫ ρ z dV
  double enstrophy = 0;         // ∫ ½ω² dV
  double baroclinic = 0;  // ∫ ω · (∇ρ × ∇p) / ρ² dV, which baroclinic torque adds to that in unit time
  double max_mach = 0;
  double max_w = 0;
  double min_density = 0;
  double min_pressure = 0;
  std::optional<MixingLayer> layer;
};

MixingLayer measure_layer(std::span<const PlaneSums> planes, const Grid& grid, const Layers& layers);
Diagnostics diagnose(std::span<const PlaneSums> planes, const Grid& grid, double gravity,
                     const std::optional<Layers>& layers);

class DiagnosticsLog {
 public:
  DiagnosticsLog(const std::string& path, const Grid& grid, double gravity, std::optional<Layers> layers,
                 LastRow last = {});
  /// `limited_faces`: since the last row. Returns what the row says.
  Diagnostics append(std::int64_t step, double time, std::span<const PlaneSums> planes,
                     std::uint64_t limited_faces);
  LogFile& file() { return file_; }

 private:
  Grid grid_;
  double gravity_;
  std::optional<Layers> layers_;
  LogFile file_;
};

}  // namespace tayra
