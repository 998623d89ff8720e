// Rows are gathered by the first rank, which alone has the file.
#include "io/part_file.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>

#include "core/tree_sum.hpp"
#include "grid/ranks.hpp"
#include "io/hdf5.hpp"
#include "io/xdmf.hpp"

namespace tayra {
namespace {

constexpr int z_axis = 2;

bool is_summed(const SnapshotPlan& plan) { return plan.choice.summed >= 0; }

const OutputField& field_of(const SnapshotPlan& plan, int number) { return plan.fields[number]; }

GrowingAxis axis_of(const SnapshotPlan& plan, int axis) {
  const std::string name(1, "xyz"[axis]);
  if (axis == plan.choice.summed)
    return {{name, "length", "the middle of the cells along " + name + " whose mean the fields are"},
            {plan.lower[axis] + 0.5 * plan.spacing[axis]}};
  GrowingAxis made{{name, "length", "centres of the cells along " + name}, {}};
  for (int i = 0; i < plan.choice.axes[axis].count; ++i)
    made.places.push_back(plan.lower[axis] + (i + 0.5) * plan.spacing[axis]);
  return made;
}

std::string lower_along(int axis) { return std::string("lower_") + "xyz"[axis]; }
std::string spacing_along(int axis) { return std::string("spacing_") + "xyz"[axis]; }

std::vector<double> numbers_in(std::string_view bytes) {
  std::vector<double> numbers(bytes.size() / sizeof(double));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

/// All numbers of a branch of the tree of planes.
struct BranchSums {
  std::vector<double> numbers;
};

void combine(BranchSums& lower, const BranchSums& upper) {
  for (std::size_t i = 0; i < lower.numbers.size(); ++i) lower.numbers[i] += upper.numbers[i];
}

template <class Number>
std::vector<std::byte> bytes_of_means(const std::vector<double>& sums, int count) {
  std::vector<std::byte> bytes(sums.size() * sizeof(Number));
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto mean = static_cast<Number>(sums[i] / count);
    std::memcpy(&bytes[i * sizeof mean], &mean, sizeof mean);
  }
  return bytes;
}

/// Of the whole box.
std::vector<SlabRange> layers_of(const SimulationFacts& facts) {
  std::vector<SlabRange> layers;
  int first = 0;
  for (std::size_t slab = 0; slab < facts.slab_planes.size(); slab += facts.cut_y) {
    layers.push_back({first, facts.slab_planes[slab]});
    first += layers.back().planes;
  }
  return layers;
}

bool contains(const SlabRange& planes, int plane) {
  return plane >= planes.first && plane < planes.first + planes.planes;
}

}  // namespace

GrowingGroup part_group(const SnapshotPlan& plan) {
  GrowingGroup group{"/", {axis_of(plan, 2), axis_of(plan, 1), axis_of(plan, 0)}, {}};
  const std::string mean =
      is_summed(plan) ? std::string("mean along ") + "xyz"[plan.choice.summed] + ": " : "";
  for (const int number : plan.choice.fields) {
    const OutputField& field = field_of(plan, number);
    group.columns.push_back({{field.name, field.units, mean + field.meaning},
                             field.components,
                             static_cast<int>(word_bytes(plan.choice.precision))});
  }
  return group;
}

PartReader::PartReader(SnapshotPlan plan, Simulation& simulation)
    : plan_(std::move(plan)), choice_(plan_.choice), simulation_(simulation) {
  if (is_summed(plan_)) choice_.precision = Precision::double_;
  const int planes = choice_.summed == z_axis
                         ? 1
                         : selected_in(choice_.axes[2], simulation.planes_of_ranks()[ranks().rank()]).planes;
  memory_ = Buffer<std::byte>(simulation.device(), std::max<std::size_t>(planes * choice_.plane_bytes(), 1),
                              Memory::pinned);
}

std::string PartReader::fields_of(int first, int count, int planes) {
  simulation_.start_fields(choice_, first, count, memory_.data()).wait();
  return {reinterpret_cast<const char*>(memory_.data()), planes * choice_.plane_bytes()};
}

std::string PartReader::own_planes() {
  const SlabRange mine = selected_in(choice_.axes[2], simulation_.planes_of_ranks()[ranks().rank()]);
  return fields_of(mine.first, mine.planes, mine.planes);
}

/// Those of the tree of all planes that lie in one layer each. Of ranks that share a layer the one with its
/// first plane has them.
std::string PartReader::own_branches() {
  std::string all;
  const SlabRange mine = simulation_.planes_of_ranks()[ranks().rank()];
  for (const SlabRange& layer : simulation_.layers_here()) {
    const SlabRange planes = selected_in(choice_.axes[2], layer);
    const int end = planes.first + planes.planes, wanted = contains(mine, layer.first) ? 1 : 0;
    for (int first = planes.first; first < end; first += branch_terms(first, end))
      all += fields_of(first, wanted * branch_terms(first, end), wanted);
  }
  return all;
}

/// Of each field the planes of one rank after the other.
std::string PartReader::joined(const std::vector<std::string>& of_ranks) const {
  std::string row;
  std::vector<std::size_t> done(of_ranks.size());
  for (int i = 0; i < static_cast<int>(choice_.fields.size()); ++i)
    for (std::size_t rank = 0; rank < of_ranks.size(); ++rank) {
      const int planes = selected_in(choice_.axes[2], simulation_.planes_of_ranks()[rank]).planes;
      const std::size_t bytes = planes * choice_.plane_bytes(i);
      row.append(of_ranks[rank], done[rank], bytes);
      done[rank] += bytes;
    }
  return row;
}

std::vector<double> PartReader::summed(std::string_view branches) const {
  TreeSum<BranchSums> tree;
  for (const SlabRange& layer : layers_of(simulation_.facts())) {
    const SlabRange planes = selected_in(choice_.axes[2], layer);
    const int end = planes.first + planes.planes;
    for (int first = planes.first, terms; first < end; first += terms) {
      terms = branch_terms(first, end);
      tree.add(first, terms, {numbers_in(branches.substr(0, choice_.plane_bytes()))});
      branches.remove_prefix(choice_.plane_bytes());
    }
  }
  return tree.whole().numbers;
}

std::vector<std::byte> PartReader::row() {
  const bool is_along_z = choice_.summed == z_axis;
  const auto of_ranks = ranks().gather_texts_to_first(is_along_z ? own_branches() : own_planes());
  if (!ranks().is_first()) return {};
  if (choice_.summed < 0) {
    const std::string row = joined(of_ranks);
    const auto bytes = std::as_bytes(std::span(row));
    return {bytes.begin(), bytes.end()};
  }
  const auto sums = is_along_z ? summed(std::accumulate(of_ranks.begin(), of_ranks.end(), std::string()))
                               : numbers_in(joined(of_ranks));
  const int count = choice_.axes[choice_.summed].count;
  return plan_.choice.precision == Precision::single ? bytes_of_means<float>(sums, count)
                                                     : bytes_of_means<double>(sums, count);
}

PartFile::PartFile(const std::string& path, const Config& config, const SnapshotPlan& plan,
                   const LastRow& last)
    : PartFile(path, config, {part_group(plan)}, Cells{plan.lower, plan.spacing}, last) {}

PartFile::PartFile(const std::string& path, const Config& config, const LastRow& last)
    : PartFile(path, config, {}, cells_in(path), last) {}

PartFile::PartFile(const std::string& path, const Config& config, std::vector<GrowingGroup> groups,
                   const std::optional<Cells>& cells, const LastRow& last)
    : GrowingFile(path, head_of(config, cells), std::move(groups), last), cells_(cells) {
  write_list();
}

GrowingHead PartFile::head_of(const Config& config, const std::optional<Cells>& cells) {
  GrowingHead head{{}, config.flow_yaml};
  for (int axis = 0; cells && axis < 3; ++axis) {
    head.numbers[lower_along(axis)] = cells->lower[axis];
    head.numbers[spacing_along(axis)] = cells->spacing[axis];
  }
  return head;
}

// Whatever else is wrong with the file is said when it is continued.
std::optional<PartFile::Cells> PartFile::cells_in(const std::string& path) try {
  const auto alone = h5::prepare_alone();
  const h5::Handle file = h5::open_file(path);
  Cells cells{};
  for (int axis = 0; axis < 3; ++axis) {
    h5::read_attribute(file, lower_along(axis), std::span(&cells.lower[axis], 1));
    h5::read_attribute(file, spacing_along(axis), std::span(&cells.spacing[axis], 1));
  }
  return cells;
} catch (const Error&) {
  return std::nullopt;
}

// The list says how much room there is.
void PartFile::append(std::size_t group, std::int64_t step, double time, std::vector<std::byte> numbers) {
  const std::int64_t room = tables()[group].room;
  GrowingFile::append(group, step, time, std::move(numbers));
  if (tables()[group].room != room) write_list();
}

void PartFile::sync() {
  GrowingFile::sync();
  write_list();
}

void PartFile::trim() {
  GrowingFile::trim();
  write_list();
}

void PartFile::write_list() const {
  if (!cells_) return;
  const GrowingTable& table = tables().front();
  XdmfGrid grid{0, {}, cells_->lower, cells_->spacing, {}};
  for (int axis = 0; axis < 3; ++axis)
    grid.cells[axis] = static_cast<int>(table.group.axes[2 - axis].places.size());
  if (grid.cells == std::array{1, 1, 1}) return;
  const std::filesystem::path file(path());
  std::vector<XdmfGrid> rows;
  for (const double time : times(0)) {
    grid.time = time;
    grid.fields.clear();
    for (const GrowingColumn& column : table.group.columns)
      grid.fields.push_back({column.facts.name, column.components,
                             xdmf_row(grid.cells, {column.components, column.number_bytes, table.room},
                                      static_cast<std::int64_t>(rows.size()),
                                      file.filename().string() + ":/" + column.facts.name)});
    rows.push_back(grid);
  }
  write_text_file(std::filesystem::path(file).replace_extension(".xmf").string(),
                  xdmf_text(file.stem().string(), rows));
}

}  // namespace tayra
