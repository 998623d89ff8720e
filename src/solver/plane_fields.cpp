// The list of a cell's numbers as data.
#include "solver/plane_fields.hpp"

#include <algorithm>

namespace tayra {

std::vector<PlaneFieldFacts> plane_fields_with(const std::vector<std::string>& scalars) {
  std::vector<PlaneFieldFacts> all{
      {"heavy_fraction", "1", "f, volume fraction of the heavy fluid", heavy_fraction_field}};
  const auto fields = output_fields_with(scalars);
  for (int field = 0; field < static_cast<int>(fields.size()); ++field) {
    const auto& [name, components, units, meaning, reads_neighbours] = fields[field];
    for (int i = 0; !reads_neighbours && i < components; ++i)
      all.push_back({components > 1 ? name + "_" + "xyz"[i] : name, units, meaning, {field, i}});
  }
  return all;
}

std::vector<std::string> plane_field_names(const std::vector<std::string>& scalars) {
  std::vector<std::string> names;
  for (const PlaneFieldFacts& one : plane_fields_with(scalars)) names.push_back(one.name);
  return names;
}

PlaneFieldFacts plane_field_named(const std::string& name, const std::vector<std::string>& scalars) {
  const auto all = plane_fields_with(scalars);
  return *std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
}

}  // namespace tayra
