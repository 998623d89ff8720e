// The threads that write files while the flow goes on, one on each rank, with as much waiting for them as the
// config allows. A file is published when every rank has written its part of it.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/device.hpp"
#include "core/error.hpp"
#include "io/config.hpp"

namespace tayra {

/// Host memory that comes back: pinned for a GPU, so that copies run at full speed beside the flow. Pinning,
/// or mapping large pieces anew each time, would cost more than the copies.
class MemoryPool {
 public:
  MemoryPool(Device device, std::size_t most) : device_(device), most_(most) {}
  /// Waits until so much is free: back-pressure. More than the whole memory gets through alone. The pool's
  /// again once nobody holds them; any thread may let go of them, while there is the pool.
  std::shared_ptr<std::byte> take(std::size_t bytes);
  /// For a GPU: has so many pieces ready, or as many as it may keep, that taking them is a matter of no time.
  void stock(std::size_t bytes, std::size_t pieces);
  /// Bytes taken and kept.
  std::size_t held() const;

 private:
  Buffer<std::byte> find(std::size_t bytes);

  Device device_;
  const std::size_t most_;
  mutable std::mutex mutex_;
  std::condition_variable given_back_;
  std::size_t taken_ = 0, held_ = 0;
  std::vector<Buffer<std::byte>> free_;
};

/// What is to be known of a plane of a field.
struct PlaneFacts {
  std::uint64_t sum, bytes;  // the checksum, and how many bytes are in the file
};

/// What a rank has written of a file, or all ranks have.
struct WrittenPart {
  std::string problem;            // what went wrong
  std::vector<PlaneFacts> facts;  // of each plane its fields'
};

class Writers {
 public:
  using Task = std::function<void()>;
  /// Runs on the first rank's thread.
  using Publication = std::function<void(const WrittenPart& whole)>;
  /// Small files take hardly any memory, and without end a run would be minutes ahead of what it has written.
  static constexpr std::size_t most_waiting = 1024;

  /// Without memory the caller waits for everything. All ranks at once; each has as much as the one with the
  /// least, since they may read pieces of files together, which are then of the same size.
  Writers(std::size_t memory, OnWriteError on_error, Device device);
  /// Finishes what is waiting.
  ~Writers();
  Writers(const Writers&) = delete;
  Writers& operator=(const Writers&) = delete;

  /// How large a piece of a file may be, so that reading and writing overlap.
  std::size_t piece_bytes(std::size_t wanted) const;
  /// Memory for a piece, within what the config allows. Waits until some is free.
  std::shared_ptr<std::byte> take(std::size_t bytes) { return pool_.take(bytes); }
  /// Has memory for so many pieces ready, as far as the config allows, so that the flow never waits for a
  /// GPU's to be pinned.
  void stock(std::size_t bytes, std::size_t pieces) { pool_.stock(bytes, pieces); }
  /// This rank's thread runs the task after all before it; waits where too many do.
  void run(Task task);
  /// Until nothing is waiting.
  void wait();
  /// What failed since the last call.
  std::vector<Error> take_failures();

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
  void work();
  void run_if_sound(Task task);
  WrittenPart take_part();
  void publish_whole_files();

  std::size_t memory_;
  OnWriteError on_error_;
  MemoryPool pool_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> waiting_;
  bool busy_ = false, failed_ = false, ends_ = false;
  std::vector<Error> failures_;
  std::deque<WrittenPart> parts_;    // of this rank
  std::deque<Publication> awaited_;  // of files; empty ones on the other ranks
  /// By rank, of the files awaited: few. An empty deque would take half a KiB of each rank.
  std::vector<std::vector<WrittenPart>> heard_;
  std::thread thread_;  // the last: it begins when all else is there
};

}  // namespace tayra
