// One file that all ranks write in pieces behind the flow: each its planes, then the first one the rest and
// the name. Several ranks write together into the file itself where HDF5 can do that, otherwise each into a
// part of its own.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
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
/// ranks: the first one makes it, and all see whether it is there for them, so that a folder that is gone, a
/// full disk or a disk of one node alone is heard before they join in; HDF5 would wait for ever for a rank
/// that fails later.
h5::Handle make_file(const PlaneFile& file, h5::Format format, std::size_t bytes,
                     const std::function<void(hid_t file)>& make);

/// Does a step; if ranks share the file, all must, and it fails on all when it fails on one.
void take_step_together(h5::Sharing sharing, const std::function<void()>& step);

/// Files that hold the planes of the file at `path`; none: it holds them itself.
std::vector<h5::Part> parts_of(const std::string& path, const Shares& shares);
/// Removes the parts of a file, as far as they are there.
void remove_parts(const std::string& path);
/// Moves them to where a file of the same name in `folder` has its own.
void move_parts(const std::string& path, const std::string& folder, std::error_code& problem);

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
  void keep_part();
  /// Where the first rank completes the file.
  const std::string& beside();
  void publish();

 private:
  std::string path_;
  std::vector<h5::Part> parts_;
  std::optional<FileBeside> part_, whole_;
  PlaneFile file_;
  bool published_ = false;
};

/// Attempts one thing after the other, whatever fails: other ranks may wait for any of them.
class AllAttempted {
 public:
  template <class Part>
  void attempt(Part part) {
    try {
      part();
    } catch (const std::exception&) {
      if (!failure_) failure_ = std::current_exception();
    }
  }
  void rethrow_first() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::exception_ptr failure_;
};

/// Some planes of a file in host memory. None: the others wait for this rank's part in a write all the same.
struct PlaneBlock {
  int first = 0, count = 0;
  const std::byte* bytes = nullptr;
};

/// `Data` is made from a PlaneFile and the arguments of open(); it has add(PlaneBlock) and finish().
template <class Data>
class CommonFile {
 public:
  /// `kind`: what messages call it. Made on all ranks, for the same files in the same order.
  CommonFile(Writers& writers, std::string kind, const std::string& path, const Shares& shares)
      : writers_(writers), state_(std::make_shared<State>(std::move(kind), path, shares)) {}

  template <class... Arguments>
  void open(Arguments... arguments) {
    step([=](State& state) {
      const PlaneFile& file = state.files.file();
      if (file.mine.planes > 0 || state.is_shared()) state.data.emplace(file, arguments...);
    });
  }
  /// `read` begins to read a block, here, and gives a function that waits for it and returns it, on the
  /// thread. When either fails the file is not published.
  template <class Read>
  void add(Read read) {
    std::optional<decltype(read())> block;
    std::string problem;
    if (!lost_) try {
        block.emplace(read());
      } catch (const std::exception& failure) {
        const Error error = as_error(failure);
        problem = error.what();
        if (error.code() == ExitCode::lost) lost_ = error;
      }
    step([problem, block = std::move(block)](State& state) {
      state.note(problem);
      if (state.data) state.add(block);
    });
  }
  /// Comes after all planes. Throws what read() has thrown when a rank or a device was lost: only now, when
  /// the others need not wait for this rank to close the file.
  void close() {
    step([](State& state) {
      if (!state.data) return;
      state.data->finish();
      state.data.reset();
      state.files.keep_part();
    });
    writers_.thread().run([state = state_, &writers = writers_] {
      state->data.reset();
      writers.note_part(state->problem);
    });
    if (lost_) throw Error(*lost_);
  }
  /// On the first rank `complete` gets where the file is to be completed, and its parts; `then` runs when it
  /// has its name, and tells itself which other file it failed at.
  template <class Complete, class Then>
  void publish(Complete complete, Then then) {
    writers_.publish([=, state = std::move(state_)](const std::string& problem) {
      try {
        require(problem.empty(), ExitCode::failed, problem);
        complete(state->files.beside(), state->files.parts());
        state->files.publish();
      } catch (const std::exception& failure) {
        const Error error = as_error(failure);
        throw Error(error.code(),
                    state->kind + " " + state->files.path() + " was not written: " + error.what());
      }
      then();
    });
  }

 private:
  struct State {
    State(std::string what, const std::string& path, const Shares& shares)
        : kind(std::move(what)), files(path, shares) {}

    bool is_shared() const { return files.file().sharing == h5::Sharing::together; }
    void note(const std::string& what) {
      if (problem.empty()) problem = what;
    }
    /// Where a file is shared the others wait for this rank's block, even if there is none.
    template <class Make>
    void add(const std::optional<Make>& make) {
      PlaneBlock block;
      AllAttempted all;
      all.attempt([&] {
        if (problem.empty()) block = (*make)();
      });
      all.attempt([&] { data->add(block); });
      all.rethrow_first();
    }

    std::string kind;
    Unpublished files;  // outlives the data, which holds a file open
    std::optional<Data> data;
    std::string problem;
  };

  /// After a failure only what others wait for is still done.
  template <class Work>
  void step(Work work) {
    writers_.thread().run([state = state_, work = std::move(work)] {
      const bool goes_on = state->problem.empty() || (state->data && state->is_shared());
      if (!goes_on) return;
      try {
        work(*state);
      } catch (const std::exception& failure) {
        state->note(as_error(failure).what());
      }
    });
  }

  Writers& writers_;
  std::shared_ptr<State> state_;
  std::optional<Error> lost_;
};

}  // namespace tayra
