// One file that all ranks write in pieces behind the flow: each its planes, then the first one the rest and
// the name. Several ranks write together into the file itself where HDF5 can do that, otherwise each into a
// part of its own.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "io/file_beside.hpp"
#include "io/hdf5.hpp"
#include "io/shares.hpp"
#include "io/writers.hpp"

namespace tayra {

/// A file of planes as one rank sees it while they are written.
struct PlaneFile {
  std::string path;
  SlabRange planes;  // that it holds
  SlabRange mine;    // of those, that this rank writes
  h5::Sharing sharing;

  /// The place in it of planes that are counted from the first of all.
  SlabRange place(int first, int count) const { return {first - planes.first, count}; }
};

/// Has `make` create datasets in a new file, which then has room for `bytes` of them, and opens it. Several
/// ranks: the first one makes it, so that a folder that is gone or a full disk is heard before the others
/// join in; HDF5 would wait for ever for a rank that fails later.
h5::Handle make_file(const PlaneFile& file, h5::Format format, std::size_t bytes,
                     const std::function<void(hid_t file)>& make);

/// Files that hold the planes of the file at `path`; none: it holds them itself.
std::vector<h5::Part> parts_of(const std::string& path, const Shares& shares);
/// Removes the parts of a file, as far as they are there.
void remove_parts(const std::string& path);

/// The files that a file is made of; removed at the end unless it is published.
class Unpublished {
 public:
  Unpublished(std::string path, const Shares& shares);
  ~Unpublished();
  Unpublished(const Unpublished&) = delete;
  Unpublished& operator=(const Unpublished&) = delete;

  const PlaneFile& file() const { return file_; }
  const std::vector<h5::Part>& parts() const { return parts_; }
  const std::string& path() const { return path_; }
  /// This rank's part is whole.
  void keep_part(Durability durability);
  /// Where the first rank completes the file.
  const std::string& beside();
  void publish(Durability durability);

 private:
  std::string path_;
  std::vector<h5::Part> parts_;
  std::optional<FileBeside> part_, whole_;
  PlaneFile file_;
  bool published_ = false;
};

/// `Data` takes a PlaneFile and more to be made, then has finish().
template <class Data>
class CommonFile {
 public:
  /// `kind`: what messages call it. Made on all ranks, for the same files in the same order.
  CommonFile(Writers& writers, std::string kind, const std::string& path, const Shares& shares)
      : writers_(writers), state_(std::make_shared<State>(std::move(kind), path, shares)) {}

  template <class... Arguments>
  void open(Arguments... arguments) {
    step(0, [=](State& state) {
      const PlaneFile& file = state.files.file();
      const bool has_work = file.mine.planes > 0 || file.sharing == h5::Sharing::together;
      if (has_work) state.data.emplace(file, arguments...);
    });
  }
  /// `work` gets the data. `reserved` is what it holds of the writer thread's memory.
  template <class Work>
  void add(std::size_t reserved, Work work) {
    step(reserved, [work = std::move(work)](State& state) {
      if (state.data) work(*state.data);
    });
  }
  /// Comes after all planes.
  void close(Durability durability) {
    step(0, [durability](State& state) {
      if (!state.data) return;
      state.data->finish();
      state.data.reset();
      state.files.keep_part(durability);
    });
    writers_.thread().run(0, [state = state_, &writers = writers_] {
      state->data.reset();
      writers.note_part(state->problem);
    });
  }
  /// On the first rank: `complete` gets where the file is to be completed, and its parts; `then` runs when it
  /// has its name.
  template <class Complete, class Then>
  void publish(Durability durability, Complete complete, Then then) {
    writers_.publish([=, state = std::move(state_)](const std::string& problem) {
      try {
        require(problem.empty(), ExitCode::failed, problem);
        complete(state->files.beside(), state->files.parts());
        state->files.publish(durability);
        then();
      } catch (const Error& error) {
        throw Error(error.code(),
                    state->kind + " " + state->files.path() + " was not written: " + error.what());
      }
    });
  }

 private:
  struct State {
    State(std::string what, const std::string& path, const Shares& shares)
        : kind(std::move(what)), files(path, shares) {}
    std::string kind;
    Unpublished files;  // outlives the data, which holds a file open
    std::optional<Data> data;
    std::string problem;
  };

  /// After a failure only what others wait for is still done.
  template <class Work>
  void step(std::size_t reserved, Work work) {
    writers_.thread().run(reserved, [state = state_, work = std::move(work)] {
      const bool goes_on =
          state->problem.empty() || (state->data && state->files.file().sharing == h5::Sharing::together);
      if (!goes_on) return;
      try {
        work(*state);
      } catch (const Error& error) {
        if (state->problem.empty()) state->problem = error.what();
      }
    });
  }

  Writers& writers_;
  std::shared_ptr<State> state_;
};

}  // namespace tayra
