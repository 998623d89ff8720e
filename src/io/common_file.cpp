// Names of parts, and who tidies what up.
#include "io/common_file.hpp"

#include <fcntl.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "io/descriptor.hpp"
#include "io/hdf5_ranks.hpp"
#include "io/held_directory.hpp"
#include "io/run_directory.hpp"

namespace tayra {
namespace {

namespace fs = std::filesystem;

/// "results/snapshots/000012.vtkhdf" has parts "ranks/000012-0.h5" and so on.
std::string part_name(const std::string& path, std::size_t rank) {
  return std::string(parts_folder) + "/" + fs::path(path).stem().string() + "-" + std::to_string(rank) +
         ".h5";
}

/// Beside what HDF5 itself needs.
void take_room(const std::string& path, std::size_t bytes) {
  constexpr std::size_t for_hdf5 = 1 << 16;
  // Not to write alone: where the disk can't take room the C library reads, too.
  const Descriptor file(path, O_RDWR | O_NOFOLLOW);
  const int problem =
      file.id() < 0 ? errno : posix_fallocate(file.id(), 0, static_cast<off_t>(bytes + for_hdf5));
  require(problem == 0, ExitCode::failed,
          std::string("cannot reserve disk space (") + std::strerror(problem) + ")");
}

/// On another node the folder may be another one.
void require_visible(const std::string& path) {
  const Descriptor file(path, O_RDWR | O_NOFOLLOW);
  require(file.id() >= 0, ExitCode::failed,
          std::string("cannot open the file that rank 0 has made (") + std::strerror(errno) + ")");
}

bool has_parts(const Shares& shares) { return shares.size() > 1 && !h5::ranks_share_files(); }

/// Those that are there.
std::vector<fs::path> parts_beside(const std::string& path, std::error_code& problem) {
  const std::string own = fs::path(path).stem().string() + "-";
  std::vector<fs::path> parts;
  for (fs::directory_iterator entry(h5::path_of(path, parts_folder), problem), end; !problem && entry != end;
       entry.increment(problem))
    if (entry->path().filename().string().starts_with(own)) parts.push_back(entry->path());
  return parts;
}

}  // namespace

void take_step_together(h5::Sharing sharing, const std::function<void()>& step) {
  if (sharing == h5::Sharing::alone) return step();
  std::string problem;
  try {
    step();
  } catch (const std::exception& failure) {
    problem = as_error(failure).what();
  }
  const bool all_go_on = h5::all_ranks_agree(problem.empty());
  require(all_go_on, ExitCode::failed, problem.empty() ? failed_elsewhere : problem);
}

h5::Handle make_file(const PlaneFile& file, h5::Format format, std::size_t bytes,
                     const std::function<void(hid_t file)>& make) {
  h5::prepare();
  if (file.sharing == h5::Sharing::alone) {
    require_held_directory();
    h5::Handle made = h5::create_file(file.path, format);
    make(made);
    return made;
  }
  take_step_together(file.sharing, [&] {
    require_held_directory();
    if (!ranks().is_first()) return;
    h5::Handle made = h5::create_file(file.path, format);
    make(made);
    h5::flush_and_close(made);
    take_room(file.path, bytes);
  });
  take_step_together(file.sharing, [&] { require_visible(file.path); });
  return h5::open_to_add(file.path, format, h5::Sharing::together);
}

std::vector<h5::Part> parts_of(const std::string& path, const Shares& shares) {
  std::vector<h5::Part> parts;
  if (!has_parts(shares)) return parts;
  for (std::size_t rank = 0; rank < shares.size(); ++rank)
    if (shares[rank].planes > 0) parts.push_back({part_name(path, rank), shares[rank]});
  return parts;
}

void remove_parts(const std::string& path) {
  std::error_code ignored;  // one too many does no harm
  for (const fs::path& part : parts_beside(path, ignored)) fs::remove(part, ignored);
}

void move_parts(const std::string& path, const std::string& folder, std::error_code& problem) {
  const auto parts = parts_beside(path, problem);
  if (problem == std::errc::no_such_file_or_directory) problem.clear();  // it has none
  if (problem || parts.empty()) return;
  const fs::path to = fs::path(folder) / parts_folder;
  fs::create_directory(to, problem);
  for (const fs::path& part : parts)
    if (!problem) fs::rename(part, to / part.filename(), problem);
}

Unpublished::Unpublished(std::string path, const Shares& shares)
    : path_(std::move(path)), parts_(parts_of(path_, shares)) {
  const SlabRange mine = my_share(shares);
  if (has_parts(shares)) {
    std::error_code made;  // if it was not made, the part says why
    fs::create_directory(h5::path_of(path_, parts_folder), made);
    part_.emplace(h5::path_of(path_, part_name(path_, ranks().rank())));
    file_ = {part_->name(), mine, mine, h5::Sharing::alone};
  } else {
    const auto sharing = shares.size() > 1 ? h5::Sharing::together : h5::Sharing::alone;
    file_ = {path_ + ".tmp", whole(shares), mine, sharing};
  }
  if (ranks().is_first()) whole_.emplace(path_);
}

Unpublished::~Unpublished() {
  if (!published_ && ranks().is_first() && !parts_.empty() && held_directory_is_there()) remove_parts(path_);
}

void Unpublished::keep_part() {
  if (part_)
    part_->publish();
  else if (!ranks().is_first())
    require_on_disk(file_.path);  // the first rank forces its own when it publishes
}

const std::string& Unpublished::beside() {
  require_held_directory();
  return whole_->name();
}

void Unpublished::publish() {
  whole_->publish();
  published_ = true;
}

}  // namespace tayra
