// The writer threads of all ranks as one: a file is published when every rank has written its part of it.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "io/memory_pool.hpp"
#include "io/plane_file.hpp"
#include "io/writer_thread.hpp"

namespace tayra {

/// What a rank has written of a file, or all ranks have.
struct WrittenPart {
  std::string problem;            // what went wrong
  std::vector<PlaneFacts> facts;  // of each plane its fields'
};

class Writers {
 public:
  /// Runs on the first rank's thread.
  using Publication = std::function<void(const WrittenPart& whole)>;

  Writers(std::size_t memory, OnWriteError on_error, Device device);

  WriterThread& thread() { return thread_; }
  /// Memory for a piece of a file, within what the config allows. Waits until some is free.
  std::shared_ptr<std::byte> take(std::size_t bytes);
  /// Has memory for so many pieces ready, as far as the config allows, so that the flow never waits for a
  /// GPU's to be pinned.
  void stock(std::size_t bytes, std::size_t pieces);
  /// By the thread, file by file in the same order on all ranks.
  void note_part(WrittenPart part);
  /// What the first rank is to do once all parts of the next file are written. Left out where an earlier
  /// failure stops the run: a checkpoint must not count files that are missing. All ranks at once.
  void publish(Publication publication);

  /// Whether files wait for other ranks' parts; those are heard of when the ranks meet. The same on all.
  bool is_behind() const { return !awaited_.empty(); }
  /// All ranks at once.
  void meet();
  /// Until nothing is waiting, all ranks at once.
  void finish();

 private:
  WrittenPart take_part();
  void publish_whole_files();

  MemoryPool pool_;
  std::mutex mutex_;
  std::deque<WrittenPart> parts_;               // of this rank
  std::deque<Publication> awaited_;             // of files; empty ones on the other ranks
  std::vector<std::deque<WrittenPart>> heard_;  // by rank, of the files awaited
  WriterThread thread_;                         // the last: it ends before what it works with
};

}  // namespace tayra
