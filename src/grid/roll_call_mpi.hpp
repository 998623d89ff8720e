// A text from every rank to every other, as far as they come.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace tayra {

/// Must outlive what it has sent to ranks that have not taken it yet: to the end of the process, where some
/// are silent.
class RollCall {
 public:
  explicit RollCall(std::string text);
  RollCall(const RollCall&) = delete;
  RollCall& operator=(const RollCall&) = delete;

  /// Carries texts on, those of this rank, too: long ones are fetched from it in pieces. True when all have
  /// come and all were fetched; for `seconds` at most.
  bool carry_on(double seconds);
  bool has_come(int rank) const { return entries_[rank].progress == Progress::here; }
  const std::string& text_of(int rank) const { return entries_[rank].text; }

 private:
  enum class Progress { nothing, under_way, here };
  struct Entry {
    Progress progress = Progress::nothing;
    std::string text;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  bool advance();
  static void advance(int rank, Entry& entry);

  std::string mine_;
  std::vector<MPI_Request> sent_;
  std::vector<Entry> entries_;  // by rank
};

}  // namespace tayra
