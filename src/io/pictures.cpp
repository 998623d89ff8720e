// Files like those of snapshots, of so few cells that the first rank writes them alone.
#include "io/pictures.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <span>
#include <utility>

#include "grid/ranks.hpp"
#include "io/file.hpp"

namespace tayra {
namespace {

constexpr const char* axes = "xyz";

std::array<int, 3> strides(const Grid& grid) {
  std::array<int, 3> strides{};
  for (int axis = 0; axis < 3; ++axis)
    strides[axis] = (grid.cells[axis] + most_picture_cells - 1) / most_picture_cells;
  return strides;
}

/// As pictures are drawn of snapshots: across an axis along which the box is thin, else upright.
int usual_axis(const Grid& grid) {
  const auto& cells = grid.cells;
  const int axis = static_cast<int>(std::min_element(cells.begin(), cells.end()) - cells.begin());
  const int fewest_others = std::min(cells[(axis + 1) % 3], cells[(axis + 2) % 3]);
  return 4 * cells[axis] <= fewest_others ? axis : 1;
}

PictureView slice_across(const Config& config, int axis, double place) {
  const Grid& grid = config.solver.grid;
  Vec3 lower = grid.lower, upper = grid.upper;
  lower[axis] = upper[axis] = place;
  return {std::string("slice_") + axes[axis],
          {.cadence = {},
           .fields = config.pictures.fields,
           .lower = lower,
           .upper = upper,
           .stride = strides(grid)}};
}

PictureView mean_along(const Config& config, int axis) {
  PictureView view{std::string("mean_") + axes[axis],
                   {.cadence = {},
                    .fields = config.pictures.fields,
                    .stride = strides(config.solver.grid),
                    .mean_along = static_cast<MeanAlong>(axis + 1)}};
  view.cells.stride[axis] = 1;
  return view;
}

/// Of a mean, as of one cell that is as long as the box.
SnapshotPlan plan_of_file(SnapshotPlan plan) {
  if (plan.choice.summed < 0) return plan;
  const int axis = std::exchange(plan.choice.summed, -1);
  plan.choice.axes[axis].count = 1;
  for (OutputField& field : plan.fields)
    field.meaning = std::string("mean along ") + axes[axis] + ": " + field.meaning;
  return plan;
}

/// Of one field after the other. Returns what is to be known of the planes.
std::vector<PlaneFacts> write_planes(const std::string& path, const SnapshotPlan& plan,
                                     const Offsets& offsets, std::span<const std::byte> numbers) {
  const PlaneLayout layout = plan.layout();
  const std::size_t fields = layout.field_bytes.size(), planes = plan.choice.axes[2].count;
  std::vector<PlaneFacts> facts(fields * planes);
  Descriptor file(path, O_WRONLY | O_NOFOLLOW);
  for (std::size_t i = 0; i < fields; ++i) {
    const std::size_t plane = layout.field_bytes[i];
    const auto field = numbers.first(plane * planes);
    require_done(file.id() >= 0 && file.write_at(offsets[i], field), "write planes");
    for (std::size_t z = 0; z < planes; ++z)
      facts[z * fields + i] = {layout.sum(field.subspan(z * plane, plane)), plane};
    numbers = numbers.subspan(field.size());
  }
  require_done(file.close(), "close the file");
  return facts;
}

void write_file(const std::string& path, const SnapshotPlan& plan, const Instant& instant,
                std::span<const std::byte> numbers) {
  require_held_directory();
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  FileBeside beside(path);
  const Offsets offsets = make_snapshot(beside.name(), plan);
  complete_snapshot(beside.name(), plan, instant, write_planes(beside.name(), plan, offsets, numbers));
  beside.publish_unforced();
}

}  // namespace

std::vector<PictureView> picture_views(const Config& config) {
  const PictureSettings& wanted = config.pictures;
  std::vector<PictureView> views;
  if (!wanted.are_wanted()) return views;
  for (int axis = 0; axis < 3; ++axis)
    if (wanted.slices[axis]) views.push_back(slice_across(config, axis, *wanted.slices[axis]));
  for (const std::string& axis : wanted.projections) views.push_back(mean_along(config, axis[0] - 'x'));
  if (!views.empty()) return views;
  const Grid& grid = config.solver.grid;
  const int axis = usual_axis(grid);
  return {slice_across(config, axis, 0.5 * grid.lower[axis] + 0.5 * grid.upper[axis])};
}

Pictures::Pictures(const Config& config, const std::string& folder, Simulation& simulation, Writers& writers)
    : writers_(writers) {
  for (const PictureView& view : picture_views(config)) {
    const SnapshotPlan plan(config, view.cells);
    pictures_.push_back({folder + "/" + view.name + ".vtkhdf", plan_of_file(plan), {plan, simulation}});
  }
}

void Pictures::make(const Simulation& simulation) {
  const auto numbers = std::make_shared<Numbers>();
  numbers->instant = {simulation.time(), simulation.step()};
  for (Picture& picture : pictures_) numbers->of_pictures.push_back(picture.reader.row());
  if (!ranks().is_first() || are_waiting_.exchange(true)) return;
  writers_.run([this, numbers] {
    write(*numbers);
    are_waiting_ = false;
  });
}

void Pictures::write(const Numbers& numbers) {
  for (std::size_t i = 0; i < pictures_.size(); ++i) try {
      write_file(pictures_[i].path, pictures_[i].plan, numbers.instant, numbers.of_pictures[i]);
    } catch (const std::exception& failure) {
      const std::lock_guard lock(failures_mutex_);
      failures_.push_back("picture " + pictures_[i].path + " was not written: " + failure.what() +
                          ". The run goes on");
    }
}

std::vector<std::string> Pictures::take_failures() {
  const std::lock_guard lock(failures_mutex_);
  return std::exchange(failures_, {});
}

}  // namespace tayra
