// Numbers of a cell of which spectra and histograms of planes are made: f, the fields of files that need no
// neighbours, component by component, and scalars.
#pragma once

#include <string>
#include <vector>

#include "solver/cell_sums.hpp"
#include "solver/output_fields.hpp"

namespace tayra {

/// A field's number in files, and which of its components.
struct PlaneField {
  int field, component;
};
/// f, the volume fraction of the heavy fluid; files don't hold it.
inline constexpr PlaneField heavy_fraction_field{-1, 0};

/// What files say of it.
struct PlaneFieldFacts {
  std::string name, units, meaning;
  PlaneField field;

  bool is_of_layers() const { return field.field == heavy_fraction_field.field; }
  /// Whether it lies between 0 and 1.
  bool is_fraction() const { return is_of_layers() || is_scalar(field.field); }
};
std::vector<PlaneFieldFacts> plane_fields_with(const std::vector<std::string>& scalars);
std::vector<std::string> plane_field_names(const std::vector<std::string>& scalars);
/// Of a name that is one of them.
PlaneFieldFacts plane_field_named(const std::string& name, const std::vector<std::string>& scalars);

/// A slab's flow, and the fluids in it.
template <class Real>
struct PlanesView {
  FlowView<Real> flow;
  Layers layers;

  TAYRA_HD double value(PlaneField which, int x, int y, int k) const {
    const CellView<Real> cell(flow, x, y, k);
    if (which.field == heavy_fraction_field.field)
      return layers.carried >= 0 ? heavy_volume(cell.scalar(layers.carried), layers.density_ratio)
                                 : heavy_fraction(cell.density(), cell.pressure(), flow.gamma, layers);
    if (which.field >= output_field_count) return cell.scalar(which.field - output_field_count);
    return value_by_number(cell, which, std::make_index_sequence<output_field_count>());
  }

 private:
  template <std::size_t... I>
  static TAYRA_HD double value_by_number(const CellView<Real>& cell, PlaneField which,
                                         std::index_sequence<I...>) {
    double value = 0;
    ((static_cast<int>(I) == which.field
          ? static_cast<void>(value = value_of<std::tuple_element_t<I, OutputFields>>(cell, which.component))
          : static_cast<void>(0)),
     ...);
    return value;
  }
  template <class Field>
  static TAYRA_HD double value_of(const CellView<Real>& cell, int component) {
    if constexpr (Field::reads_neighbours)
      return 0;  // no name leads here
    else
      return Field::value(cell, component);
  }
};

}  // namespace tayra
