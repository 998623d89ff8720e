// What a step takes on a machine, predicted from what was measured of one GPU and of its links.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tayra {

/// Pairs (x, y) by x: between them a straight line, before the first and after the last as the last nearest.
using Curve = std::vector<std::pair<double, double>>;
double value_at(const Curve& curve, double x);

/// A backend's way between neighbours. A stage's exchange takes latency + bytes / rate.
struct Link {
  Curve latency_us;           // by GPUs that exchange
  Curve row_latency_us = {};  // the same where the box is cut along y; empty: no other
  double gb_per_second = 0;   // out of a GPU, both of its neighbours together
  bool fused = false;         // the sweep itself stores boundaries: no rim of its own
  double slows_sweep = 0;     // share by which its kernels lengthen the sweep
  double strided_cost = 1.1;  // of a y face, in z faces of the same bytes
  double never_hidden = 0;    // share of an exchange that shows under the longest sweep
};

/// Times a step of one device, as measured, by cells; beyond the largest in proportion.
struct SpeedOf {
  std::string scheme, precision;
  Curve step_ms;
};

struct Machine {
  std::string name;
  int gpus_per_node = 1;     // that reach each other's memory
  double gigabytes = 0;      // of a GPU; 0: not known
  double cost_per_hour = 0;  // of a GPU; 0: not known
  double late_share = 0;     // of a sweep, by which the slowest of several GPUs is later than one alone
  Curve rim_ms;              // by a slab's cells: what sweeping the boundary by itself adds to a step
  Curve rim_rows_ms;         // the same of boundary rows; empty: not measured
  std::vector<SpeedOf> speeds;
  std::map<std::string, Link> inside, between;  // by backend; within a node and between nodes
};

struct ModelCase {
  std::vector<int> cells;  // of the whole box
  int along_z = 1, along_y = 1;
  std::string scheme, precision, halo;
  int gpus() const { return along_z * along_y; }
};

/// Milliseconds of a step, in parts that add up.
struct Prediction {
  double sweep = 0;      // of the largest block, as one GPU alone takes
  double late = 0;       // waiting for the slowest GPU, and kernels of the exchange that slow the sweep
  double rim = 0;        // boundaries swept by themselves
  double latency = 0;    // of exchanges, as far as it shows
  double transfer = 0;   // of bytes, as far as it shows
  double reduction = 0;  // of the step's length, between nodes
  double one_gpu = 0;    // the whole box on one GPU, were it large enough
  double bytes = 0;      // of memory on a GPU
  int gpus = 1;

  double step() const { return sweep + late + rim + latency + transfer + reduction; }
  double exposed() const { return latency + transfer + reduction; }
  double efficiency() const { return one_gpu / (gpus * step()); }
  double gpu_hours(double steps) const { return steps * step() * gpus / 3.6e6; }
};

/// Throws Error(bad_input) where the machine lacks the scheme, precision or backend, or blocks are too thin.
Prediction predict(const Machine& machine, const ModelCase& what);

/// The backends that reach all of these GPUs, without `none`.
std::vector<std::string> backends_for(const Machine& machine, int gpus);

/// The fastest backend and cut for this many GPUs; the case's own halo, unless "auto", and cut, where
/// `along_y` isn't 0, are kept. Throws Error(bad_input) where no cut has blocks for all.
ModelCase best_case(const Machine& machine, ModelCase what, int gpus);

/// What the numbers take for granted and no measurement shows yet.
std::vector<std::string> assumptions_of(const Machine& machine, const ModelCase& what);

}  // namespace tayra
