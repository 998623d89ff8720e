// The formulas of docs/scaling.md.
#include "app/model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/error.hpp"
#include "grid/decomposition.hpp"
#include "grid/layout.hpp"
#include "halo/transport.hpp"
#include "solver/sweep.hpp"

namespace tayra {
namespace {

constexpr int rim_planes = 2 * ghost_planes;  // of a block, both ends together

int word_bytes_of(const std::string& precision) { return precision == "single" ? 4 : 8; }

int largest_part(int cells, int parts) { return (cells + parts - 1) / parts; }

double in_milliseconds(double microseconds) { return microseconds / 1000; }

/// Below the smallest measured grid the line through the two smallest, but no faster than in proportion to
/// the cells; beyond the largest in proportion.
double step_of_one(const Curve& step_ms, double cells) {
  const auto& [most, slowest] = step_ms.back();
  const auto& [least, fastest] = step_ms.front();
  if (cells > most) return slowest * cells / most;
  if (cells >= least || step_ms.size() == 1) return value_at(step_ms, cells);
  const double slope = (step_ms[1].second - fastest) / (step_ms[1].first - least);
  return std::clamp(fastest - slope * (least - cells), fastest * cells / least, fastest);
}

const Curve& speed_of(const Machine& machine, const ModelCase& what) {
  std::vector<std::string> known;
  for (const SpeedOf& speed : machine.speeds) {
    if (speed.scheme == what.scheme && speed.precision == what.precision) return speed.step_ms;
    known.push_back(speed.scheme + " in " + speed.precision);
  }
  throw Error(ExitCode::bad_input,
              fmt::format("{} has no times of {} in {} on one GPU (it has: {}): add a file of `tayra bench "
                          "step --scheme {} --precision {}`",
                          machine.name, what.scheme, what.precision, fmt::join(known, ", "), what.scheme,
                          what.precision));
}

const Link& link_of(const Machine& machine, const ModelCase& what) {
  const bool is_inside = what.gpus() <= machine.gpus_per_node;
  const auto& links = is_inside ? machine.inside : machine.between;
  const auto found = links.find(what.halo);
  if (found != links.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [name, link] : links) known.push_back(name);
  const char* place = is_inside ? "inside" : "between";
  throw Error(ExitCode::bad_input,
              fmt::format("{} has no link {} for '{}' (it has: {}): {}", machine.name, place, what.halo,
                          known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", ")),
                          is_inside ? "add a file of `tayra bench halo`, or an entry of `inside`"
                                    : "add an entry of `between`: docs/scaling.md"));
}

struct Block {
  int planes, rows;
  double cells;
};

Block largest_block(const ModelCase& what) {
  const Block block{largest_part(what.cells[2], what.along_z), largest_part(what.cells[1], what.along_y), 0};
  const int least_planes = what.along_z > 1 ? what.cells[2] / what.along_z : ghost_planes;
  const int least_rows = what.along_y > 1 ? what.cells[1] / what.along_y : rim_planes;
  require(least_planes >= ghost_planes, ExitCode::bad_input,
          fmt::format("{} planes are too few for {} GPUs along z (at least {} each): take fewer, or cut "
                      "along y, too",
                      what.cells[2], what.along_z, ghost_planes));
  require(least_rows >= rim_planes, ExitCode::bad_input,
          fmt::format("{} rows are too few for {} GPUs along y (at least {} each): take fewer", what.cells[1],
                      what.along_y, rim_planes));
  return {block.planes, block.rows, double(what.cells[0]) * block.rows * block.planes};
}

/// Of one face, two planes or rows deep, each in z faces' worth of time.
struct Faces {
  double z, y;
};

Faces face_bytes(const ModelCase& what, const Block& block, const Link& link) {
  const double deep = double(ghost_planes) * field_variables * word_bytes_of(what.precision) * what.cells[0];
  return {what.along_z > 1 ? deep * block.rows : 0,
          what.along_y > 1 ? deep * block.planes * link.strided_cost : 0};
}

/// Along z boxes end at walls: both neighbours, or the only one of two blocks.
int z_faces(int blocks) { return std::min(blocks - 1, 2); }
/// Along y they are periodic.
int y_faces(int blocks) { return blocks > 1 ? 2 : 0; }

/// What the busiest GPU sends. Ranks lie along y first, then along z, so of a node's blocks only those at its
/// ends have neighbours elsewhere.
double bytes_out(const Machine& machine, const ModelCase& what, const Faces& faces) {
  const int node = machine.gpus_per_node;
  if (what.gpus() <= node) return faces.z * z_faces(what.along_z) + faces.y * y_faces(what.along_y);
  const auto outside = [&](int faces_of_block, int side_by_side) {
    return std::min(faces_of_block, side_by_side > 1 ? 1 : 2);
  };
  const bool z_leaves_whole = what.along_y >= node;
  return faces.z * outside(z_faces(what.along_z), z_leaves_whole ? 1 : node / what.along_y) +
         (z_leaves_whole && what.along_y > node ? faces.y * outside(y_faces(what.along_y), node) : 0);
}

double memory_bytes(const ModelCase& what, const Block& block) {
  const double rows = block.rows + (what.along_y > 1 ? rim_planes : 0);
  return double(what.cells[0]) * rows * (block.planes + rim_planes) * rotating_fields * field_variables *
         word_bytes_of(what.precision);
}

/// One sweep of a whole slab a stage, which stores its edges: of cut rows the boundary is swept first.
bool is_fused(const ModelCase& what, const Link& link) { return link.fused && what.along_y == 1; }

double rim_of(const Machine& machine, const ModelCase& what, double cells) {
  const double planes = value_at(machine.rim_ms, cells);
  if (what.along_y == 1) return planes;
  if (machine.rim_rows_ms.empty()) return 2 * planes;
  return (what.along_z > 1 ? planes : 0) + value_at(machine.rim_rows_ms, cells);
}

double latency_of(const Link& link, const ModelCase& what) {
  const bool own = what.along_y > 1 && !link.row_latency_us.empty();
  return in_milliseconds(value_at(own ? link.row_latency_us : link.latency_us, what.gpus()));
}

/// Of a stage, what the sweep meanwhile can hide.
double cover(const ModelCase& what, const Block& block, const Link& link, double sweep) {
  if (is_fused(what, link)) return sweep / stages;
  const auto interior = [](int cells, int parts) {
    return parts > 1 ? std::max(0, cells - rim_planes) / double(cells) : 1;
  };
  return sweep / stages * interior(block.planes, what.along_z) * interior(block.rows, what.along_y);
}

/// Latency shows first.
void add_exchange(Prediction& of, const Link& link, bool fused, double latency, double transfer,
                  double covered) {
  if (fused) {  // arrival is told after the sweep, stores go on meanwhile
    of.latency = stages * latency;
    of.transfer = stages * std::max(0., transfer - covered);
    return;
  }
  const double all = latency + transfer;
  const double shown = std::max(all - covered, link.never_hidden * all);
  of.latency = stages * std::min(shown, latency);
  of.transfer = stages * std::max(0., shown - latency);
}

/// A tree there and back, of the fastest link between nodes.
double reduction_ms(const Machine& machine, int gpus, double latency) {
  const double nodes = std::ceil(double(gpus) / machine.gpus_per_node);
  return nodes > 1 ? 2 * latency * std::ceil(std::log2(nodes)) : 0;
}

}  // namespace

double value_at(const Curve& curve, double x) {
  if (curve.empty()) return 0;
  const auto above = std::lower_bound(curve.begin(), curve.end(), x,
                                      [](const auto& point, double at) { return point.first < at; });
  if (above == curve.begin()) return curve.front().second;
  if (above == curve.end()) return curve.back().second;
  const auto& [x0, y0] = *(above - 1);
  const auto& [x1, y1] = *above;
  return y0 + (y1 - y0) * (x - x0) / (x1 - x0);
}

Prediction predict(const Machine& machine, const ModelCase& what) {
  const Curve& alone = speed_of(machine, what);
  const Block block = largest_block(what);
  Prediction of;
  of.gpus = what.gpus();
  of.sweep = step_of_one(alone, block.cells);
  of.one_gpu = step_of_one(alone, double(what.cells[0]) * what.cells[1] * what.cells[2]);
  of.bytes = memory_bytes(what, block);
  if (of.gpus == 1) return of;
  of.late = machine.late_share * of.sweep;
  const double rim = rim_of(machine, what, block.cells);
  if (what.halo == "none") {
    of.rim = rim;
    return of;
  }
  const Link& link = link_of(machine, what);
  of.late += link.slows_sweep * of.sweep;
  const bool fused = is_fused(what, link);
  if (!fused) of.rim = rim;
  const double latency = latency_of(link, what);
  const double transfer = bytes_out(machine, what, face_bytes(what, block, link)) / link.gb_per_second / 1e6;
  add_exchange(of, link, fused, latency, transfer, cover(what, block, link, of.sweep));
  of.reduction = reduction_ms(machine, of.gpus, latency);
  return of;
}

std::vector<std::string> backends_for(const Machine& machine, int gpus) {
  std::vector<std::string> names;
  for (const auto& [name, link] : gpus <= machine.gpus_per_node ? machine.inside : machine.between)
    names.push_back(name);
  return names;
}

ModelCase best_case(const Machine& machine, ModelCase what, int gpus) {
  const bool any_halo = what.halo == "auto";
  auto halos = any_halo ? backends_for(machine, gpus) : std::vector{what.halo};
  if (gpus == 1) halos = {"none"};
  require(!halos.empty(), ExitCode::bad_input,
          fmt::format("{} has no links for {} GPUs: add entries of `{}` (docs/scaling.md)", machine.name,
                      gpus, gpus <= machine.gpus_per_node ? "inside" : "between"));
  const int only = what.along_y;
  std::optional<ModelCase> best;
  double least = 0;
  for (int along_y = only > 0 ? only : 1; along_y <= (only > 0 ? only : gpus); ++along_y) {
    what.along_y = along_y;
    what.along_z = gpus / along_y;
    if (gpus % along_y != 0 || (what.along_z > 1 && what.cells[2] / what.along_z < ghost_planes) ||
        (along_y > 1 && what.cells[1] / along_y < rows_of_group))
      continue;
    for (const std::string& halo : halos) {
      what.halo = halo;
      if (any_halo && halo == "direct" && along_y > 1 && link_of(machine, what).row_latency_us.empty())
        continue;  // it was not measured: sweeps store no rows
      const double time = predict(machine, what).step();
      if (!best || time < least) {
        best = what;
        least = time;
      }
    }
  }
  require(best.has_value(), ExitCode::bad_input,
          fmt::format("{} cells can't be cut into {} equal blocks of at least {} planes and {} rows{}: take "
                      "fewer GPUs or another cut",
                      fmt::join(what.cells, " x "), gpus, ghost_planes, rim_planes,
                      only > 0 ? fmt::format(" with {} along y", only) : ""));
  return *best;
}

std::vector<std::string> assumptions_of(const Machine& machine, const ModelCase& what) {
  std::vector<std::string> all;
  if (what.along_y > 1) {
    if (machine.rim_rows_ms.empty())
      all.push_back("cuts along y: the rim costs twice what it does with cuts along z alone (not measured)");
    all.push_back(fmt::format("y faces: {:.2f} times the time of z faces of the same bytes",
                              what.halo == "none" ? 1 : link_of(machine, what).strided_cost));
  }
  if (what.gpus() > machine.gpus_per_node) {
    all.push_back("between nodes: latency and rate as the machine file says; nothing was measured there");
    all.push_back("the step's length: a tree over the nodes, there and back");
    if (what.halo != "none" && link_of(machine, what).fused)
      all.push_back("stores of the sweep reach other nodes: no backend does that yet");
  }
  if (what.gpus() > 4) all.push_back("more than 4 GPUs: the slowest is as much later as among 4");
  return all;
}

}  // namespace tayra
