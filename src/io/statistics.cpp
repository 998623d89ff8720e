// Profiles, spectra and histograms, and what they are of.
#include "io/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "solver/plane_counts.hpp"
#include "solver/plane_waves.hpp"
#include "solver/profiles.hpp"

namespace tayra {
namespace {

using Rows = std::vector<std::vector<double>>;  // one a group

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

std::string power_of(const std::string& units, const std::string& power) {
  return units == "1" ? units : "(" + units + ")" + power;
}

/// In which both fluids are, by the means of f.
std::vector<int> planes_of_layer(const std::vector<double>& heavy_fraction, double above) {
  std::vector<int> planes;
  for (int z = 0; z < static_cast<int>(heavy_fraction.size()); ++z)
    if (4 * heavy_fraction[z] * (1 - heavy_fraction[z]) > above) planes.push_back(z);
  return planes;
}

std::vector<int> all_planes_of(const Grid& grid) {
  std::vector<int> planes(grid.cells[2]);
  std::iota(planes.begin(), planes.end(), 0);
  return planes;
}

int plane_at(const Grid& grid, double height) {
  const int plane = static_cast<int>(std::floor((height - grid.lower[2]) / grid.spacing(2)));
  return std::clamp(plane, 0, grid.cells[2] - 1);
}

/// By their numbers in the list.
std::vector<int> profiles_of(bool layered) {
  std::vector<int> numbers;
  for (int number = 0; number < profile_count; ++number)
    if (layered || !profile_facts()[number].is_of_layers) numbers.push_back(number);
  return numbers;
}

StatisticsPart profiles_part(const Config& config, bool layered) {
  const Grid& grid = config.solver.grid;
  StatisticsGroup group{"profiles", {"z", "length", "centres of the cells along z"}, {}, {}};
  for (int z = 0; z < grid.cells[2]; ++z) group.places.push_back(grid.centre(2, z));
  for (const int number : profiles_of(layered)) {
    const auto& [name, units, meaning, is_of_layers] = profile_facts()[number];
    group.quantities.push_back({name, units, "mean over a plane: " + meaning});
  }
  return {config.statistics.of_profiles(), {group}, [layered](Simulation&, PlaneMeans& means) -> Rows {
            std::vector<double> numbers;
            for (const int number : profiles_of(layered))
              for (std::size_t at = number; at < means.values().size(); at += profile_count)
                numbers.push_back(means.values()[at]);
            return {numbers};
          }};
}

/// The outermost plane in which bubbles, which are light, still take up this share.
constexpr double share_at_front = 0.1;
std::vector<int> plane_of_bubbles(const std::vector<double>& heavy_fraction, bool heavy_above) {
  const auto has_bubbles = [](double heavy) { return 1 - heavy >= share_at_front; };
  const auto lowest = std::find_if(heavy_fraction.begin(), heavy_fraction.end(), has_bubbles);
  if (lowest == heavy_fraction.end()) return {};
  const auto highest = std::find_if(heavy_fraction.rbegin(), heavy_fraction.rend(), has_bubbles);
  return {static_cast<int>((heavy_above ? highest.base() - 1 : lowest) - heavy_fraction.begin())};
}

/// Spectra of some fields, and where they are taken.
class Spectra {
 public:
  Spectra(const Config& config, const std::optional<Layers>& layers)
      : settings_(config.statistics.spectra), grid_(config.solver.grid), layers_(layers), plan_(grid_) {
    for (const std::string& name : settings_.fields)
      fields_.push_back(plane_field_named(name, config.solver.scalars));
  }

  StatisticsGroup group() const {
    StatisticsGroup group{"spectra",
                          {"wavenumber", "1 / length",
                           fmt::format("2 pi / wavelength, the middles of shells {} apart", plan_.spacing)},
                          {},
                          {}};
    for (int shell = 1; shell <= plan_.shells; ++shell) group.places.push_back(shell * plan_.spacing);
    const auto add = [&](const PlaneFieldFacts& of, const std::string& suffix, const std::string& where) {
      group.quantities.push_back({of.name + suffix, power_of(of.units, "^2"),
                                  "variance of horizontal waves in a shell, " + where + ": " + of.meaning});
    };
    for (const PlaneFieldFacts& field : fields_) {
      for (const double height : settings_.heights)
        add(field, fmt::format("_z={:g}", height), fmt::format("in the plane at z = {:g}", height));
      if (settings_.heights.empty())
        add(field, "",
            fmt::format("mean over the planes in which 4 <f> (1 - <f>) is above {:g}", settings_.layer));
    }
    if (layers_)
      add(plane_field_named("heavy_fraction", {}), "_at_bubbles",
          fmt::format("in the outermost plane in which the light fluid is still {:g} of the volume",
                      share_at_front));
    return group;
  }

  Rows measure(Simulation& simulation, PlaneMeans& means) const {
    std::vector<double> numbers =
        settings_.heights.empty() ? of_layer(simulation, means) : at_heights(simulation);
    if (layers_) {
      const auto front = plane_of_bubbles(means.heavy_fraction(), layers_->heavy_above);
      const auto at_bubbles = mean_over(simulation, {heavy_fraction_field}, front);
      numbers.insert(numbers.end(), at_bubbles.begin(), at_bubbles.end());
    }
    return {numbers};
  }

 private:
  std::vector<PlaneField> numbers_of_fields() const {
    std::vector<PlaneField> all;
    for (const PlaneFieldFacts& field : fields_) all.push_back(field.field);
    return all;
  }

  /// [field][shell]; no numbers where there is no plane.
  std::vector<double> mean_over(Simulation& simulation, const std::vector<PlaneField>& fields,
                                const std::vector<int>& planes) const {
    std::vector<double> means(fields.size() * plan_.shells, planes.empty() ? no_number : 0);
    const auto of_planes = simulation.plane_spectra(plan_, fields, planes);
    for (std::size_t i = 0; i < of_planes.size(); ++i) means[i % means.size()] += of_planes[i];
    for (double& mean : means) mean /= static_cast<double>(planes.size());
    return means;
  }

  std::vector<double> of_layer(Simulation& simulation, PlaneMeans& means) const {
    return mean_over(simulation, numbers_of_fields(),
                     planes_of_layer(means.heavy_fraction(), settings_.layer));
  }

  /// [field][height][shell].
  std::vector<double> at_heights(Simulation& simulation) const {
    std::vector<int> planes;
    for (const double height : settings_.heights) planes.push_back(plane_at(grid_, height));
    std::sort(planes.begin(), planes.end());
    planes.erase(std::unique(planes.begin(), planes.end()), planes.end());
    const auto of_planes = simulation.plane_spectra(plan_, numbers_of_fields(), planes);
    std::vector<double> numbers;
    for (std::size_t field = 0; field < fields_.size(); ++field)
      for (const double height : settings_.heights) {
        const auto plane = std::find(planes.begin(), planes.end(), plane_at(grid_, height)) - planes.begin();
        const auto from = of_planes.begin() + (plane * fields_.size() + field) * plan_.shells;
        numbers.insert(numbers.end(), from, from + plan_.shells);
      }
    return numbers;
  }

  SpectraSettings settings_;
  Grid grid_;
  std::optional<Layers> layers_;
  WavePlan plan_;
  std::vector<PlaneFieldFacts> fields_;
};

StatisticsPart spectra_part(const Config& config, const std::optional<Layers>& layers) {
  const auto spectra = std::make_shared<const Spectra>(config, layers);
  return {
      config.statistics.of_spectra(),
      {spectra->group()},
      [spectra](Simulation& simulation, PlaneMeans& means) { return spectra->measure(simulation, means); }};
}

std::vector<CountedField> counted_fields(const Config& config) {
  const PdfSettings& pdf = config.statistics.pdf;
  std::vector<CountedField> all;
  for (std::size_t i = 0; i < pdf.fields.size(); ++i)
    all.push_back({plane_field_named(pdf.fields[i], config.solver.scalars).field,
                   {pdf.lower.empty() ? 0 : pdf.lower[i], pdf.upper.empty() ? 1 : pdf.upper[i],
                    static_cast<int>(pdf.bins)}});
  return all;
}

double width_of(const Bins& bins) { return (bins.upper - bins.lower) / bins.count; }

StatisticsGroup pdf_group(const PlaneFieldFacts& of, const Bins& bins, const std::optional<double>& layer) {
  StatisticsGroup group{
      "pdf_" + of.name, {of.name, of.units, "the middles of the bins: " + of.meaning}, {}, {}};
  for (int bin = 0; bin < bins.count; ++bin)
    group.places.push_back(bins.lower + (bin + 0.5) * width_of(bins));
  const std::string where =
      layer ? fmt::format("of the planes in which 4 <f> (1 - <f>) is above {:g}", *layer) : "of the box";
  group.quantities.push_back(
      {"probability_density", power_of(of.units, "^-1"),
       fmt::format("share of the cells {} that lie in a bin, over the bin's width; the "
                   "{} bins reach from {:g} to {:g}",
                   where, bins.count, bins.lower, bins.upper)});
  return group;
}

StatisticsPart pdf_part(const Config& config) {
  const auto fields = counted_fields(config);
  const Grid grid = config.solver.grid;
  const std::optional<double> layer = config.statistics.pdf.layer;
  StatisticsPart part{config.statistics.of_pdf(), {}, {}};
  for (std::size_t i = 0; i < fields.size(); ++i)
    part.groups.push_back(pdf_group(plane_field_named(config.statistics.pdf.fields[i], config.solver.scalars),
                                    fields[i].bins, layer));
  part.measure = [fields, grid, layer](Simulation& simulation, PlaneMeans& means) {
    const auto planes = layer ? planes_of_layer(means.heavy_fraction(), *layer) : all_planes_of(grid);
    const double cells =
        static_cast<double>(grid.cells[0]) * grid.cells[1] * static_cast<double>(planes.size());
    Rows rows;
    for (const CountedField& field : fields) {
      rows.emplace_back();
      for (const std::int64_t count : simulation.plane_counts(field, planes))
        rows.back().push_back(static_cast<double>(count) / (cells * width_of(field.bins)));
    }
    return rows;
  };
  return part;
}

}  // namespace

const std::vector<double>& PlaneMeans::values() {
  if (values_.empty()) values_ = simulation_.profiles();
  return values_;
}

std::vector<double> PlaneMeans::heavy_fraction() {
  const auto& facts = profile_facts();
  const auto number =
      std::find_if(facts.begin(), facts.end(),
                   [](const ProfileFacts& one) { return one.name == std::string("heavy_fraction"); }) -
      facts.begin();
  std::vector<double> fraction;
  for (std::size_t at = number; at < values().size(); at += profile_count) fraction.push_back(values()[at]);
  return fraction;
}

StatisticsHead statistics_head(const Config& config, const Problem& problem) {
  const Grid& grid = config.solver.grid;
  StatisticsHead head{{{"gravity_varies", config.solver.gravity_course.varies() ? 1 : 0},
                       {"gamma", config.solver.gamma},
                       {"gravity", config.solver.gravity}},
                      config.flow_yaml};
  for (int axis = 0; axis < 3; ++axis) {
    const std::string name(1, "xyz"[axis]);
    head.numbers["lower_" + name] = grid.lower[axis];
    head.numbers["upper_" + name] = grid.upper[axis];
    head.numbers["cells_" + name] = grid.cells[axis];
  }
  if (const auto layers = problem.layers()) {
    head.numbers["light_density"] = layers->light_density;
    head.numbers["heavy_density"] = layers->heavy_density;
    head.numbers["interface_height"] = layers->interface_height;
    head.numbers["interface_pressure"] = layers->interface_pressure;
    head.numbers["heavy_above"] = layers->heavy_above ? 1 : 0;
  }
  return head;
}

std::vector<StatisticsPart> statistics_parts(const Config& config, const Problem& problem) {
  const StatisticsSettings& wanted = config.statistics;
  const auto layers = problem.layers();
  std::vector<StatisticsPart> parts;
  if (wanted.of_profiles().is_set()) parts.push_back(profiles_part(config, layers.has_value()));
  if (wanted.of_spectra().is_set()) parts.push_back(spectra_part(config, layers));
  if (wanted.of_pdf().is_set()) parts.push_back(pdf_part(config));
  return parts;
}

std::vector<StatisticsGroup> groups_of(const std::vector<StatisticsPart>& parts) {
  std::vector<StatisticsGroup> groups;
  for (const StatisticsPart& part : parts)
    groups.insert(groups.end(), part.groups.begin(), part.groups.end());
  return groups;
}

}  // namespace tayra
