// Fields that files hold, computed from the flow by the device that has it. Adding one: a struct with its
// value in a cell, and its name in the list below.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/tree_sum.hpp"
#include "grid/decomposition.hpp"
#include "solver/simulation.hpp"
#include "solver/sweep.hpp"

namespace tayra {

template <class Real>
struct FlowView {
  Slab<Real> slab;
  const Real* u;
  double gamma;
  Vector<double> spacing;
};

/// One cell of a flow, in double whatever that is in.
template <class Real>
class CellView {
 public:
  TAYRA_HD CellView(const FlowView<Real>& flow, int x, int y, int k)
      : flow_(flow), place_{x, y, k}, start_(flow.u + flow.slab.layout.plane_start(k) + offset(x, y)) {}

  TAYRA_HD double density() const { return word(0); }
  TAYRA_HD double momentum(int axis) const { return word(1 + axis); }
  TAYRA_HD double velocity(int axis) const { return momentum(axis) / density(); }
  TAYRA_HD double energy() const { return word(4) + background_pressure() / (flow_.gamma - 1); }
  TAYRA_HD double pressure() const {
    const State<double> state{density(), {{momentum(0), momentum(1), momentum(2)}}, word(4)};
    return whole_pressure(state, background_pressure(), flow_.gamma);
  }
  TAYRA_HD double scalar(int number) const { return word(field_variables + number); }
  TAYRA_HD double sound_speed() const { return ::sqrt(flow_.gamma * pressure() / density()); }

 protected:
  const FlowView<Real>& flow_;
  int place_[3];

 private:
  TAYRA_HD std::size_t offset(int x, int y) const {
    return static_cast<std::size_t>(y) * flow_.slab.layout.nx + x;
  }
  TAYRA_HD double word(int number) const {
    return static_cast<double>(start_[number * flow_.slab.layout.variable_stride()]);
  }
  TAYRA_HD double background_pressure() const {
    return static_cast<double>(flow_.slab.background[place_[2]].pressure);
  }

  const Real* start_;
};

/// A cell that sees those beside it: what fields are given that say `reads_neighbours`.
template <class Real>
class CellAmongOthers : public CellView<Real> {
 public:
  using CellView<Real>::CellView;

  /// By central differences.
  TAYRA_HD double velocity_derivative(int component, int along) const {
    return (velocity_beside(component, along, 1) - velocity_beside(component, along, -1)) /
           (2 * this->flow_.spacing[along]);
  }
  /// The cell there; next to a wall or an open end this one itself.
  TAYRA_HD CellView<Real> beside(int along, int side) const {
    int place[] = {this->place_[0], this->place_[1], this->place_[2]};
    place[along] = source_beside(along, side).index;
    return {this->flow_, place[0], place[1], place[2]};
  }

 private:
  TAYRA_HD double velocity_beside(int component, int along, int side) const {
    const double velocity = beside(along, side).velocity(component);
    return component == along && source_beside(along, side).flipped ? -velocity : velocity;
  }
  TAYRA_HD Source source_beside(int along, int side) const {
    const Slab<Real>& slab = this->flow_.slab;
    const int place = this->place_[along] + side;
    if (along == 0) return ghost_source(place, slab.layout.nx, slab.x);
    if (along == 1) return row_source(place, slab);
    return plane_source(place, slab);
  }
};

template <int count>
struct FieldOf {
  static constexpr int components = count;
  static constexpr bool reads_neighbours = false;
};

struct DensityField : FieldOf<1> {
  static constexpr const char *name = "density", *units = "mass / length^3", *meaning = "mass per volume";
  static TAYRA_HD double value(const auto& cell, int) { return cell.density(); }
};

struct VelocityField : FieldOf<3> {
  static constexpr const char *name = "velocity", *units = "length / time", *meaning = "velocity (x, y, z)";
  static TAYRA_HD double value(const auto& cell, int component) { return cell.velocity(component); }
};

struct PressureField : FieldOf<1> {
  static constexpr const char *name = "pressure", *units = "mass / (length time^2)",
                              *meaning = "(gamma - 1) times internal energy per volume";
  static TAYRA_HD double value(const auto& cell, int) { return cell.pressure(); }
};

struct MomentumField : FieldOf<3> {
  static constexpr const char *name = "momentum", *units = "mass / (length^2 time)",
                              *meaning = "momentum per volume (x, y, z)";
  static TAYRA_HD double value(const auto& cell, int component) { return cell.momentum(component); }
};

struct EnergyField : FieldOf<1> {
  static constexpr const char *name = "energy", *units = "mass / (length time^2)",
                              *meaning = "internal + kinetic energy per volume";
  static TAYRA_HD double value(const auto& cell, int) { return cell.energy(); }
};

struct TemperatureField : FieldOf<1> {
  static constexpr const char *name = "temperature", *units = "length^2 / time^2",
                              *meaning = "pressure / density: temperature times the gas constant";
  static TAYRA_HD double value(const auto& cell, int) { return cell.pressure() / cell.density(); }
};

struct MachField : FieldOf<1> {
  static constexpr const char *name = "mach", *units = "1", *meaning = "speed / speed of sound";
  static TAYRA_HD double value(const auto& cell, int) {
    const double u = cell.velocity(0), v = cell.velocity(1), w = cell.velocity(2);
    return ::sqrt((u * u + v * v) + w * w) / cell.sound_speed();  // of zero, too: not square_root()
  }
};

struct VorticityField : FieldOf<3> {
  static constexpr bool reads_neighbours = true;
  static constexpr const char *name = "vorticity", *units = "1 / time",
                              *meaning = "curl of the velocity (x, y, z) by central differences";
  static TAYRA_HD double value(const auto& cell, int component) {
    const int next = (component + 1) % 3, after = (component + 2) % 3;
    return cell.velocity_derivative(after, next) - cell.velocity_derivative(next, after);
  }
};

using OutputFields = std::tuple<DensityField, VelocityField, PressureField, MomentumField, EnergyField,
                                TemperatureField, MachField, VorticityField>;
inline constexpr int output_field_count = std::tuple_size_v<OutputFields>;

/// What files say of a field. A field's number is its place in the list; scalars' numbers follow.
struct OutputField {
  std::string name;
  int components;
  std::string units;
  std::string meaning;
  bool reads_neighbours;
};
const std::vector<OutputField>& output_fields();
std::vector<OutputField> output_fields_with(const std::vector<std::string>& scalars);
inline bool is_scalar(int field) { return field >= output_field_count; }
std::vector<std::string> output_field_names(const std::vector<std::string>& scalars = {});

/// Fields of some cells of the box, for a file.
struct FieldChoice {
  std::vector<int> fields;  // numbers in output_fields()
  Precision precision;      // of what is written
  std::array<AxisSelection, 3> axes;
  int summed = -1;  // an axis along which there is one number, the sum over its cells (tree_sum); or none

  std::size_t plane_bytes(int i) const;  // of the i-th field
  std::size_t plane_bytes() const;
};

/// A field of some cells: where its numbers go as [z][y][x][component].
struct FieldTarget {
  int field;
  std::byte* out;
};

/// What a device is asked for of one slab. Planes count from the slab's first.
template <class Real>
struct FieldWork {
  FlowView<Real> flow;
  AxisSelection x, y, z;
  Precision precision;  // of what is written
  int count;
  FieldTarget targets[output_field_count + most_scalars];
  // Where each number is a sum: of so many cells from the selected one on along an axis.
  int summed = -1, terms = 1, apart = 1;
  // Where rows of each plane that is written are another slab's.
  int rows_before = 0, rows_of_plane = -1;  // -1: as many as are selected

  /// Of those that are written.
  TAYRA_HD std::size_t place_of(int row) const {
    if (rows_of_plane < 0) return row;
    return static_cast<std::size_t>(row / y.count) * rows_of_plane + rows_before + row % y.count;
  }
  TAYRA_HD int rows() const { return y.count * z.count; }
};

/// Of a cell, or the sum of those with it along an axis.
template <class Real, class Value>
TAYRA_HD double number_of(const FieldWork<Real>& work, int x, int y, int k, const Value& value) {
  if (work.summed < 0) return value(x, y, k);
  return tree_sum(work.terms, [&](int term) {
    const int on = term * work.apart;
    return value(x + (work.summed == 0 ? on : 0), y + (work.summed == 1 ? on : 0),
                 k + (work.summed == 2 ? on : 0));
  });
}

template <class Field, class Number, class Real>
TAYRA_HD void put_row_of(const FieldWork<Real>& work, std::byte* out, int row, int first, int step) {
  using View = std::conditional_t<Field::reads_neighbours, CellAmongOthers<Real>, CellView<Real>>;
  const int y = work.y.at(row % work.y.count), k = work.z.at(row / work.y.count);
  const int numbers = work.x.count * Field::components;
  Number* to = reinterpret_cast<Number*>(out) + work.place_of(row) * numbers;
  for (int i = first; i < numbers; i += step) {
    const auto value = [&](int at_x, int at_y, int at_k) {
      return Field::value(View(work.flow, at_x, at_y, at_k), i % Field::components);
    };
    to[i] = static_cast<Number>(number_of(work, work.x.at(i / Field::components), y, k, value));
  }
}

template <class Number, class Real>
TAYRA_HD void put_row_of_scalar(const FieldWork<Real>& work, const FieldTarget& target, int row, int first,
                                int step) {
  const int y = work.y.at(row % work.y.count), k = work.z.at(row / work.y.count);
  Number* to = reinterpret_cast<Number*>(target.out) + work.place_of(row) * work.x.count;
  const auto value = [&](int at_x, int at_y, int at_k) {
    return CellView<Real>(work.flow, at_x, at_y, at_k).scalar(target.field - output_field_count);
  };
  for (int i = first; i < work.x.count; i += step)
    to[i] = static_cast<Number>(number_of(work, work.x.at(i), y, k, value));
}

template <class Number, class Real, std::size_t... I>
TAYRA_HD void put_row_by_number(const FieldWork<Real>& work, const FieldTarget& target, int row, int first,
                                int step, std::index_sequence<I...>) {
  ((static_cast<int>(I) == target.field
        ? put_row_of<std::tuple_element_t<I, OutputFields>, Number>(work, target.out, row, first, step)
        : void()),
   ...);
}

/// Every step-th number of a row of cells from the first on, as a number of the work's precision.
template <class Number, class Real>
TAYRA_HD void put_row(const FieldWork<Real>& work, const FieldTarget& target, int row, int first, int step) {
  if (target.field >= output_field_count) put_row_of_scalar<Number>(work, target, row, first, step);
  put_row_by_number<Number>(work, target, row, first, step, std::make_index_sequence<output_field_count>());
}

}  // namespace tayra
