// Files by step, all but the newest removed.
#include "io/checkpoint.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "core/number_in.hpp"
#include "grid/together.hpp"
#include "io/common_file.hpp"
#include "io/file.hpp"
#include "io/run_directory.hpp"

namespace tayra {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t block_bytes = 8u << 20;  // read for the checksum while it is still in the cache

/// Digits that no step can have are somebody else's.
bool is_name_of_checkpoint(const fs::path& path) {
  const std::string step = path.stem().string();
  return path.extension() == ".h5" && step.size() >= 6 &&
         step.find_first_not_of("0123456789") == std::string::npos && step_of_checkpoint(path.string()) >= 0;
}

void require_same_physics(const std::string& path, const std::string& before, const Config& config) {
  if (gravity_changes(before, config)) return;
  const auto differing = differing_keys(before, config.flow_yaml);
  require(differing.empty(), ExitCode::bad_input,
          fmt::format(
              "{} cannot go on with this config, which describes another flow: {}: give the same values "
              "(only run, mpi and output may change, and physics.gravity to an expression or a table that "
              "begins with what it was at t = 0)",
              path, fmt::join(differing, "; ")));
}

/// Those that are there of a file that earlier versions wrote on several ranks: of "000012.h5"
/// "ranks/000012-0.h5" and so on.
std::vector<fs::path> parts_of(const fs::path& file, std::error_code& problem) {
  std::vector<fs::path> parts;
  for (fs::directory_iterator entry(file.parent_path() / parts_folder, problem), end;
       !problem && entry != end; entry.increment(problem))
    if (entry->path().filename().string().starts_with(file.stem().string() + "-"))
      parts.push_back(entry->path());
  if (problem == std::errc::no_such_file_or_directory) problem.clear();  // it has none
  return parts;
}

}  // namespace

CheckpointWriter::CheckpointWriter(const Config& config, std::string directory, Writers& writers)
    : config_(config), directory_(std::move(directory)), writers_(writers) {}

void CheckpointWriter::write(RunPosition position, Simulation& simulation) {
  position.clock = simulation.clock();
  if (const auto books = simulation.gravity_books()) position.potential_energy = books->potential_energy;
  const CheckpointHead head = checkpoint_head(config_, position);
  std::error_code made;  // if it was not made, the file says why
  fs::create_directory(directory_, made);
  CommonFile file{.kind = "checkpoint",
                  .path = fmt::format("{}/{:06}.h5", directory_, position.clock.step),
                  .of_ranks = simulation.planes_of_ranks(),
                  .layout = checkpoint_layout(head),
                  .block_bytes = block_bytes};
  file.make = [&](const std::string& beside) { return make_checkpoint(beside, head); };
  file.read = [&](int first, int count, std::byte* out) { return simulation.start_copy(first, count, out); };
  file.complete = [head](const std::string& beside, const auto& facts) {
    complete_checkpoint(beside, head, facts);
  };
  file.then = [this, right = right_] { remove_older(right); };
  write_common_file(writers_, file);
}

void CheckpointWriter::remove_older(std::int64_t right) const {
  if (config_.checkpoints.keep == 0) return;
  std::error_code ignored;  // one too many does no harm
  try {
    require_held_directory();
    const auto all = checkpoints_in(directory_);
    for (std::size_t i = config_.checkpoints.keep; i < all.size(); ++i) {
      if (step_of_checkpoint(all[i]) <= right && step_of_checkpoint(all[i - 1]) > right) continue;
      fs::remove(all[i], ignored);
      for (const fs::path& part : parts_of(all[i], ignored)) fs::remove(part, ignored);
    }
  } catch (const Error&) {  // nor does a folder that cannot be read just now, or is no longer there
  }
}

std::vector<std::string> checkpoints_in(const std::string& directory) {
  std::vector<std::string> found;
  std::error_code problem, unknown;
  for (fs::directory_iterator entry(directory, problem), end; !problem && entry != end;
       entry.increment(problem))
    if (is_name_of_checkpoint(entry->path())) found.push_back(entry->path().string());
  const bool is_missing = problem == std::errc::no_such_file_or_directory &&
                          !fs::is_symlink(fs::symlink_status(directory, unknown));
  require(!problem || is_missing, ExitCode::failed,
          "cannot read " + directory + " (" + problem.message() +
              "), where checkpoints may lie: make it readable; nothing was changed");
  std::sort(found.begin(), found.end(), [](const std::string& one, const std::string& other) {
    return step_of_checkpoint(one) > step_of_checkpoint(other);
  });
  return found;
}

std::int64_t step_of_checkpoint(const std::string& path) {
  return number_in<std::int64_t>(fs::path(path).stem().string()).value_or(-1);
}

std::string move_to_damaged(const std::string& path) {
  const fs::path file(path);
  std::error_code problem;
  fs::path to;
  for (int number = 1; to.empty() || fs::exists(fs::symlink_status(to, problem)); ++number)
    to = file.parent_path() / (number == 1 ? "damaged" : fmt::format("damaged-{}", number)) / file.filename();
  fs::create_directory(to.parent_path(), problem);
  // The file goes last: until then the next --resume finds it, and goes on here.
  const auto parts = problem ? std::vector<fs::path>() : parts_of(file, problem);
  for (const fs::path& part : parts) {
    const fs::path folder = to.parent_path() / parts_folder;
    if (!problem) fs::create_directory(folder, problem);
    if (!problem) fs::rename(part, folder / part.filename(), problem);
  }
  if (!problem) fs::rename(file, to, problem);
  require(!problem, ExitCode::bad_input,
          fmt::format("cannot keep the damaged {} as {} ({}): make its folder writable, or move it away",
                      path, to.string(), problem.message()));
  return to.string();
}

CheckpointFile open_checkpoint(const std::string& path, const Config& config) {
  CheckpointFile file(path);
  require_same_physics(path, file.head().config, config);
  file.require_parts();
  return file;
}

void load_planes(const CheckpointFile& file, Simulation& simulation) {
  const std::size_t plane_bytes = file.head().plane_bytes();
  std::vector<std::byte> block;
  do_together([&] { block.resize(std::max(block_bytes, plane_bytes)); });
  std::exception_ptr damage;
  each_block_together(simulation.planes_of_ranks(), plane_bytes, block_bytes, [&](int first, int count) {
    try {
      file.read(first, count, block.data());
    } catch (const std::exception&) {  // others wait for what is read here
      if (!damage) damage = std::current_exception();
    }
    simulation.write_raw(first, count, block.data());
  });
  if (damage) std::rethrow_exception(damage);
}

}  // namespace tayra
