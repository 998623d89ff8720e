// A simulation that stands still in a state given by a formula, for tests of what is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "solver/output_fields.hpp"
#include "solver/simulation.hpp"

namespace tayra {

/// Conserved values of the cell x, y, z: density, momentum x, y, z, energy.
using StateFormula = std::function<std::array<double, 5>(int x, int y, int z)>;

class FakeSimulation : public Simulation {
 public:
  FakeSimulation(const Grid& grid, double time, StateFormula state, double gamma = 1.4, int scalars = 0)
      : grid_(grid),
        gamma_(gamma),
        variables_(5 + scalars),
        planes_{{0, grid.cells[2]}},
        state_(std::move(state)) {
    clock_.time = time;
    clock_.step = 42;
  }

  void advance(std::int64_t, double) override {}
  std::vector<StepRecord> finish() override { return {}; }
  std::vector<PlaneSums> plane_sums(Sums) override { return {}; }
  std::vector<double> profiles() override { return {}; }
  std::vector<double> plane_spectra(const WavePlan&, const std::vector<PlaneField>&,
                                    const std::vector<int>&) override {
    return {};
  }
  std::vector<std::int64_t> plane_counts(const CountedField&, const std::vector<int>&) override { return {}; }
  const SimulationFacts& facts() const override { return facts_; }
  void read_planes(int first, int count, std::span<double> out) override {
    const auto [nx, ny, nz] = grid_.cells;
    if (first < 0 || first + count > nz) throw std::out_of_range("planes beyond the box are read");
    if (out.size() != std::size_t(variables_) * nx * ny * count) throw std::out_of_range("room for planes");
    std::size_t at = 0;
    for (int z = first; z < first + count; ++z)
      for (int variable = 0; variable < variables_; ++variable)
        for (int y = 0; y < ny; ++y)
          for (int x = 0; x < nx; ++x) out[at++] = variable < 5 ? state_(x, y, z)[variable] : 0;
  }

  const std::vector<SlabRange>& planes_of_ranks() const override { return planes_; }
  std::vector<SlabRange> layers_here() const override { return planes_; }
  Device device() const override { return {}; }
  Arrival start_copy(int first, int count, std::byte* out) override {
    std::vector<double> values(std::size_t(5) * grid_.cells[0] * grid_.cells[1] * count);
    read_planes(first, count, values);
    std::memcpy(out, values.data(), values.size() * sizeof(double));
    return Arrival({});
  }
  Arrival start_fields(const FieldChoice& choice, int first, int count, std::byte* out) override {
    const auto [nx, ny, nz] = grid_.cells;
    const Layout layout{nx, ny, nz};
    std::vector<double> field(layout.size());
    read_planes(0, nz, std::span(field).subspan(layout.plane_start(0), nz * layout.plane_stride()));
    // At rest without a background.
    const std::vector<PlaneBackground<double>> background(nz);
    const auto [x, y, z] = choice.axes;
    if (choice.summed >= 0) throw std::logic_error("nothing here sums up");
    const FlowView<double> flow{{layout,
                                 0,
                                 beyond_end(),
                                 beyond_end(),
                                 grid_.boundary[0],
                                 RowsInBox::all(ny, grid_.boundary[1]),
                                 {},
                                 background.data()},
                                field.data(),
                                gamma_,
                                {{grid_.spacing(0), grid_.spacing(1), grid_.spacing(2)}}};
    for (const int number : choice.fields) {
      const FieldChoice alone{{number}, choice.precision, choice.axes};
      const AxisSelection planes{z.at(first), count, z.stride};
      const FieldWork<double> work{flow, x, y, planes, choice.precision, 1, {{number, out}}};
      const auto put =
          choice.precision == Precision::single ? put_row<float, double> : put_row<double, double>;
      for (int row = 0; row < work.rows(); ++row) put(work, work.targets[0], row, 0, 1);
      out += count * alone.plane_bytes();
    }
    return Arrival({});
  }
  void write_raw(int, int, const std::byte*) override {}
  std::size_t plane_bytes() const override {
    return std::size_t(5) * grid_.cells[0] * grid_.cells[1] * sizeof(double);
  }
  const StepClock& clock() const override { return clock_; }
  void restart(const StepClock& clock) override { clock_ = clock; }

 private:
  Beyond beyond_end() const { return tayra::beyond_end(grid_.boundary[2]); }

  Grid grid_;
  double gamma_;
  int variables_;
  std::vector<SlabRange> planes_;
  StepClock clock_;
  StateFormula state_;
  SimulationFacts facts_;
};

}  // namespace tayra
