// The directory of a run: where its files lie, and that earlier results are never lost by accident.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace tayra {

enum class ExistingResults { refuse, replace };

inline constexpr const char* snapshots_folder = "snapshots";
inline constexpr const char* live_folder = "live";  // of the newest state's pictures
/// Beside a file: the parts of it, of which earlier versions wrote one on every rank.
inline constexpr const char* parts_folder = "ranks";

class RunDirectory {
 public:
  explicit RunDirectory(std::string path) : path_(std::move(path)) {}

  /// Throws Error(bad_input) if the run can't be put here; changes nothing on the disk.
  void check(
      ExistingResults existing,
      const std::string& remedy =
          "go on with --resume, choose another directory with --output, or replace them with --force") const;
  /// Throws Error(bad_input) for a config that the run would replace by its own, without the comments.
  void require_apart(const std::string& config) const;
  /// check(), then removes earlier results of Tayra (by name: nothing else is touched), with folders that
  /// held nothing else, and makes the folders.
  void create(ExistingResults existing) const;

  /// Makes the directory alone; throws as create() does.
  void make() const;

  bool has_results() const;
  /// Bytes that are free for it on its disk; as many as there can be where nobody can say.
  std::uint64_t room() const;
  /// Removes what a run wrote after it had so many snapshots in each folder and was at `step`, pictures of
  /// those snapshots, those of the newest state, all lists of snapshots, and half files; spares the
  /// checkpoints of some steps. The logs are cut back by those who write them.
  void cut_back(const std::map<std::string, std::int64_t>& snapshots, std::int64_t step,
                const std::set<std::int64_t>& spared = {}) const;
  /// Makes a folder for the snapshots of a part; throws as create() does.
  void add_folder(const std::string& folder) const;

  const std::string& path() const { return path_; }
  std::string config() const { return path_ + "/config.yaml"; }
  std::string record() const { return path_ + "/run.json"; }
  std::string timings() const { return path_ + "/timings.csv"; }
  std::string slab_timings() const { return path_ + "/slab_timings.csv"; }
  std::string diagnostics() const { return path_ + "/diagnostics.csv"; }
  std::string statistics() const { return path_ + "/statistics.h5"; }
  std::string snapshots() const { return folder(snapshots_folder); }
  /// A folder in the run's own.
  std::string folder(const std::string& name) const { return path_ + "/" + name; }
  std::string checkpoints() const { return path_ + "/checkpoints"; }

 private:
  void require_folders_inside() const;

  std::string path_;
};

}  // namespace tayra
