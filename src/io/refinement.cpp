// Every cell becomes up to eight, on limited slopes that cancel in their sum.
#include "io/refinement.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/number.hpp"
#include "grid/boundary.hpp"
#include "grid/layout.hpp"
#include "io/checkpoint_file.hpp"
#include "io/coarse_planes.hpp"
#include "io/file.hpp"
#include "physics/gas.hpp"

namespace tayra {
namespace {

using Plane = FieldPlane;
using Factors = std::array<int, 3>;

/// Raw numbers of either precision as doubles, and back.
template <class Number>
Plane widened(const std::vector<std::byte>& raw) {
  std::vector<Number> numbers(raw.size() / sizeof(Number));
  std::memcpy(numbers.data(), raw.data(), raw.size());
  return {numbers.begin(), numbers.end()};
}

template <class Number>
std::vector<std::byte> narrowed(const Plane& plane) {
  const std::vector<Number> numbers(plane.begin(), plane.end());
  std::vector<std::byte> raw(numbers.size() * sizeof(Number));
  std::memcpy(raw.data(), numbers.data(), raw.size());
  return raw;
}

Grid coarse_grid(const Config& config, const CheckpointHead& head) {
  Grid grid = config.solver.grid;
  for (int axis = 0; axis < 3; ++axis) grid.cells[axis] = static_cast<int>(head.cells[axis]);
  return grid;
}

Factors factors_of(const std::string& from, const Config& config, const CheckpointHead& head) {
  Factors factors{};
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t fine = config.solver.grid.cells[axis], coarse = head.cells[axis];
    require(fine == coarse || fine == 2 * coarse, ExitCode::bad_input,
            fmt::format("grid.cells: {} along {}, where {} has {}: take {} or {}", fine, "xyz"[axis], from,
                        coarse, coarse, 2 * coarse));
    factors[axis] = static_cast<int>(fine / coarse);
  }
  return factors;
}

/// The grid's cells and all of numerics may differ, the rest is the flow.
void require_same_flow(const std::string& from, const CheckpointHead& head, const Config& config) {
  auto differing = differing_keys(head.config, config.flow_yaml);
  std::erase_if(differing, [](const std::string& key) {
    return key.starts_with("grid.cells ") || key.starts_with("numerics.");
  });
  require(differing.empty(), ExitCode::bad_input,
          fmt::format("{} is of another flow: {}: only grid.cells and numerics may change", from,
                      fmt::join(differing, "; ")));
}

/// Where a child lies in its parent: -1 or 1 along an axis that is refined, 0 along others.
using Side = std::array<int, 3>;

bool is_gas(const Conserved& cell, double background_energy) {
  const double kinetic = 0.5 * (cell[1] * cell[1] + cell[2] * cell[2] + cell[3] * cell[3]) / cell[0];
  return cell[0] > 0 && cell[4] + background_energy > kinetic;
}

class Refiner {
 public:
  Refiner(const CheckpointFile& from, const Config& config, const Factors& factors)
      : coarse_(coarse_grid(config, from.head())),
        fine_(config.solver.grid),
        factors_(factors),
        gas_(config.solver.gamma),
        energies_(background_energies(config, fine_)),
        coarse_energies_(background_energies(config, coarse_)),
        variables_(field_variables + from.head().scalars),
        near_(coarse_, variables_, [&from](int z) { return read(from, z); }) {
    for (int axis = 0; axis < 3; ++axis) inverse_spacing_[axis] = fine_.inverse_spacing(axis);
  }

  /// The fine planes that the coarse plane z becomes, from the lowest on.
  std::vector<Plane> planes(int z) {
    near_.go_to(z);
    std::vector<Plane> fine(factors_[2], Plane(std::size_t(variables_) * fine_.cells[0] * fine_.cells[1]));
    double fastest = signal_rate_;
#pragma omp parallel for reduction(max : fastest)
    for (int y = 0; y < coarse_.cells[1]; ++y)
      for (int x = 0; x < coarse_.cells[0]; ++x) fastest = std::max(fastest, refine_cell(x, y, z, fine));
    signal_rate_ = fastest;
    return fine;
  }

  /// The fastest of all cells so far.
  double signal_rate() const { return signal_rate_; }

 private:
  static Plane read(const CheckpointFile& file, int z) {
    std::vector<std::byte> raw(file.head().plane_bytes());
    file.read(z, 1, raw.data());
    return file.head().bytes_per_number == sizeof(float) ? widened<float>(raw) : widened<double>(raw);
  }
  /// By plane; it is made for each grid, since a problem may look at its cells.
  static std::vector<double> background_energies(const Config& config, const Grid& grid) {
    Config own = config;
    own.solver.grid = grid;
    const auto problem = make_problem(own);
    std::vector<double> energies;
    for (const Background& plane : plane_backgrounds(*problem, own.solver))
      energies.push_back(plane.pressure / (config.solver.gamma - 1));
    return energies;
  }

  /// Fields hold the energy less the background's, whose mean over the fine planes is another: that
  /// difference goes into the cell, so that its whole energy stays.
  double energy_difference(int z) const {
    double mean = 0;
    for (int k = 0; k < factors_[2]; ++k) mean += energies_[factors_[2] * z + k] / factors_[2];
    return coarse_energies_[z] - mean;
  }

  /// Children lie on slopes; where one would be no gas they are all like their parent; and where the
  /// background takes more from one than its parent has, each has its parent's whole energy. Returns the
  /// fastest one's signal rate.
  double refine_cell(int x, int y, int z, std::vector<Plane>& fine) const {
    enum Way { on_slopes, alike, of_whole_energy };
    const Conserved parent = near_.at(x, y, 0);
    auto slopes = near_.slopes_at(x, y, factors_);
    Conserved middle = parent;
    keep_carried(middle, slopes, factors_);
    const double difference = energy_difference(z);
    const auto child = [&](int way, const Side& side, int plane) {
      Conserved cell = way == on_slopes ? middle : parent;
      cell[4] += way == of_whole_energy ? coarse_energies_[z] - energies_[plane] : difference;
      for (int axis = 0; axis < 3 && way == on_slopes; ++axis)
        for (int v = 0; v < variables_; ++v) cell[v] += 0.25 * side[axis] * slopes[axis][v];
      return cell;
    };
    const auto all_are_gas = [&](int way) {
      bool all = true;
      each_child(z, [&](const Side& side, int, int, int plane) {
        all = all && is_gas(child(way, side, plane), energies_[plane]);
      });
      return all;
    };
    const int way = all_are_gas(on_slopes) ? on_slopes : all_are_gas(alike) ? alike : of_whole_energy;
    double fastest = 0;
    each_child(z, [&](const Side& side, int i, int j, int plane) {
      const Conserved cell = child(way, side, plane);
      fastest = std::max(fastest, signal_rate_of(cell, plane));
      put(cell, factors_[0] * x + i, factors_[1] * y + j, fine[plane - factors_[2] * z]);
    });
    return fastest;
  }

  /// Of a cell in plane z: its side, its place in it along x and y, and its plane of the fine grid.
  template <class Do>
  void each_child(int z, const Do& act) const {
    const auto side = [&](int axis, int place) { return factors_[axis] == 1 ? 0 : 2 * place - 1; };
    for (int k = 0; k < factors_[2]; ++k)
      for (int j = 0; j < factors_[1]; ++j)
        for (int i = 0; i < factors_[0]; ++i)
          act(Side{side(0, i), side(1, j), side(2, k)}, i, j, factors_[2] * z + k);
  }

  double signal_rate_of(const Conserved& cell, int plane) const {
    const State<double> state{cell[0], {{cell[1], cell[2], cell[3]}}, cell[4]};
    return tayra::signal_rate(make_cell(state, energies_[plane] * gas_.gamma_minus_1, gas_),
                              inverse_spacing_);
  }

  void put(const Conserved& cell, int x, int y, Plane& plane) const {
    const std::size_t word = std::size_t(fine_.cells[0]) * fine_.cells[1];
    for (int v = 0; v < variables_; ++v) plane[v * word + std::size_t(y) * fine_.cells[0] + x] = cell[v];
  }

  Grid coarse_, fine_;
  Factors factors_;
  Gas<double> gas_;
  Vector<double> inverse_spacing_;
  std::vector<double> energies_, coarse_energies_;
  int variables_;
  CoarsePlanes near_;
  double signal_rate_ = 0;
};

}  // namespace

void require_refinable(const std::string& from, const CheckpointHead& head, const Config& config) {
  require_same_flow(from, head, config);
  factors_of(from, config, head);
}

void refine_checkpoint(const std::string& from, const Config& config, const std::string& to) {
  const CheckpointFile file(from);
  const Factors factors = factors_of(from, config, file.head());
  // Time and step go on; output starts anew.
  CheckpointHead head = checkpoint_head(config, {.clock = file.head().position.clock,
                                                 .potential_energy = file.head().position.potential_energy});
  Refiner refiner(file, config, factors);
  const auto write = [&](const auto& work) {
    try {
      work();
    } catch (const Error& error) {
      throw Error(error.code(), "checkpoint " + to + " was not written: " + error.what());
    }
  };
  FileBeside beside(to);
  const SlabRange all{0, static_cast<int>(head.cells[2])};
  std::optional<PlaneWriter> out;
  write([&] {
    const Offsets offsets = make_checkpoint(beside.name(), head);
    out.emplace(beside.name(), all, checkpoint_layout(head), offsets);
  });
  for (int z = 0; z < file.head().cells[2]; ++z) {
    int place = factors[2] * z;
    for (const Plane& plane : refiner.planes(z)) {
      const auto numbers =
          head.bytes_per_number == sizeof(float) ? narrowed<float>(plane) : narrowed<double>(plane);
      write([&] { out->add({place++, 1, numbers.data()}); });
    }
  }
  head.position.clock.last.signal_rate = refiner.signal_rate();
  write([&] {
    complete_checkpoint(beside.name(), head, out->finish());
    beside.publish();
  });
}

}  // namespace tayra
