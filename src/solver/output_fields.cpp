// The list of fields as data.
#include "solver/output_fields.hpp"

namespace tayra {
namespace {

template <class... Fields>
std::vector<OutputField> describe(std::tuple<Fields...>) {
  return {{Fields::name, Fields::components, Fields::units, Fields::meaning, Fields::reads_neighbours}...};
}

}  // namespace

const std::vector<OutputField>& output_fields() {
  static const std::vector<OutputField> fields = describe(OutputFields());
  return fields;
}

std::vector<OutputField> output_fields_with(const std::vector<std::string>& scalars) {
  std::vector<OutputField> fields = output_fields();
  for (const std::string& name : scalars)
    fields.push_back({name, 1, "1", "mass fraction that the flow carries", false});
  return fields;
}

std::size_t FieldChoice::plane_bytes(int i) const {
  const int components = is_scalar(fields[i]) ? 1 : output_fields()[fields[i]].components;
  const auto along = [&](int axis) { return std::size_t(axis == summed ? 1 : axes[axis].count); };
  return along(0) * along(1) * components * word_bytes(precision);
}

std::size_t FieldChoice::plane_bytes() const {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < fields.size(); ++i) bytes += plane_bytes(static_cast<int>(i));
  return bytes;
}

std::vector<std::string> output_field_names(const std::vector<std::string>& scalars) {
  std::vector<std::string> names;
  for (const OutputField& field : output_fields_with(scalars)) names.push_back(field.name);
  return names;
}

}  // namespace tayra
