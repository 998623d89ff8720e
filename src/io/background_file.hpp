// One file that is written in pieces by the writer thread: beside, in order, and renamed when it is whole.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "io/file_beside.hpp"
#include "io/writer_thread.hpp"

namespace tayra {

/// `Writer` takes a path and more to be made, then has finish().
template <class Writer>
class BackgroundFile {
 public:
  /// `kind`: what messages call it.
  BackgroundFile(WriterThread& thread, std::string kind, std::string path)
      : thread_(thread), state_(std::make_shared<State>(std::move(kind), std::move(path))) {}

  template <class... Arguments>
  void open(Arguments... arguments) {
    step(0, [=](State& state) {
      state.beside.emplace(state.path);
      state.writer.emplace(state.beside->name(), arguments...);
    });
  }
  /// `work` gets the writer. `reserved` is what it holds of the thread's memory.
  template <class Work>
  void add(std::size_t reserved, Work work) {
    step(reserved, [work = std::move(work)](State& state) { work(*state.writer); });
  }
  /// `check` sees the whole file before it gets its name, `then` runs after that.
  template <class Check, class Then>
  void publish(Durability durability, Check check, Then then) {
    step(0, [=](State& state) {
      state.writer->finish();
      state.writer.reset();
      check(state.beside->name());
      state.beside->publish(durability);
      then();
    });
  }

 private:
  struct State {
    State(std::string what, std::string where) : kind(std::move(what)), path(std::move(where)) {}
    std::string kind, path;
    std::optional<FileBeside> beside;  // outlives the writer, which holds the file open
    std::optional<Writer> writer;
    bool failed = false;
  };

  template <class Work>
  void step(std::size_t reserved, Work work) {
    thread_.run(reserved, [state = state_, work = std::move(work)] {
      if (state->failed) return;
      try {
        work(*state);
      } catch (const Error& error) {
        state->failed = true;
        state->writer.reset();
        state->beside.reset();
        throw Error(error.code(), state->kind + " " + state->path + " was not written: " + error.what());
      }
    });
  }

  WriterThread& thread_;
  std::shared_ptr<State> state_;
};

}  // namespace tayra
