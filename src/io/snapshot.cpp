// Writing snapshots one after the other: beside, then renamed, then listed.
#include "io/snapshot.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "io/snapshot_file.hpp"
#include "io/text_file.hpp"

namespace tayra {
namespace {

std::vector<SnapshotField> chosen_fields(const std::vector<std::string>& names) {
  std::vector<SnapshotField> chosen;
  for (const SnapshotField& field : snapshot_fields())
    for (const std::string& name : names)
      if (field.name == name) {
        chosen.push_back(field);
        break;
      }
  return chosen;
}

/// A file under a temporary name, removed unless it was given its final one.
class Beside {
 public:
  explicit Beside(std::string path) : final_(std::move(path)), name_(final_ + ".tmp") {}
  ~Beside() {
    if (!renamed_) discard();
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  const std::string& name() const { return name_; }
  void rename() {
    renamed_ = std::rename(name_.c_str(), final_.c_str()) == 0;
    require(renamed_, ExitCode::failed, std::string("cannot rename it (") + std::strerror(errno) + ")");
  }

 private:
  /// HDF5 keeps a file open whose closing failed: cut to nothing, it gives its room on the disk back all the
  /// same.
  void discard() const {
    std::error_code ignored;
    std::filesystem::resize_file(name_, 0, ignored);
    std::filesystem::remove(name_, ignored);
  }

  std::string final_, name_;
  bool renamed_ = false;
};

}  // namespace

SnapshotWriter::SnapshotWriter(const Config& config, std::string directory)
    : config_(config),
      directory_(std::move(directory)),
      index_{.grid = config.solver.grid,
             .precision = config.snapshots.precision,
             .fields = chosen_fields(config.snapshots.fields),
             .snapshots = {}} {}

std::string SnapshotWriter::write(Simulation& simulation) {
  const std::string file = fmt::format("{:06}.vtkhdf", index_.snapshots.size());
  const std::string path = directory_ + "/" + file;
  try {
    Beside beside(path);
    write_snapshot_file(beside.name(), config_, index_.fields, simulation);
    beside.rename();
  } catch (const Error& error) {
    throw Error(error.code(), "snapshot " + path + " was not written: " + error.what());
  }
  index_.snapshots.push_back({file, simulation.time()});
  write_lists();
  return path;
}

std::string SnapshotWriter::last() const {
  return index_.snapshots.empty() ? "" : directory_ + "/" + index_.snapshots.back().file;
}

void SnapshotWriter::write_lists() const {
  write_text_file(directory_ + "/snapshots.xmf", xdmf_text(index_));
  write_text_file(directory_ + "/snapshots.vtkhdf.series", series_text(index_));
}

}  // namespace tayra
