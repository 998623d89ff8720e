// Only calls that don't wait: some ranks may never come.
#include "grid/roll_call_mpi.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "grid/wait_mpi.hpp"

namespace tayra {

RollCall::RollCall(std::string text) : mine_(std::move(text)) {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  entries_.resize(size);
  sent_.resize(size, MPI_REQUEST_NULL);
  for (int rank = 0; rank < size; ++rank)
    MPI_Isend(mine_.data(), static_cast<int>(mine_.size()), MPI_BYTE, rank, roll_call_tag, MPI_COMM_WORLD,
              &sent_[rank]);
}

bool RollCall::carry_on(double seconds) {
  using WallClock = std::chrono::steady_clock;
  const auto end = WallClock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    if (advance()) return true;
    if (WallClock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

bool RollCall::advance() {
  for (std::size_t rank = 0; rank < entries_.size(); ++rank) advance(static_cast<int>(rank), entries_[rank]);
  int all_sent = 0;
  MPI_Testall(static_cast<int>(sent_.size()), sent_.data(), &all_sent, MPI_STATUSES_IGNORE);
  return all_sent && std::all_of(entries_.begin(), entries_.end(),
                                 [](const Entry& entry) { return entry.progress == Progress::here; });
}

void RollCall::advance(int rank, Entry& entry) {
  int done = 0;
  if (entry.progress == Progress::nothing) {
    MPI_Message message;
    MPI_Status status;
    if (MPI_Improbe(rank, roll_call_tag, MPI_COMM_WORLD, &done, &message, &status) != MPI_SUCCESS || !done)
      return;
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    entry.text.resize(bytes);
    if (MPI_Imrecv(entry.text.data(), bytes, MPI_BYTE, &message, &entry.request) == MPI_SUCCESS)
      entry.progress = Progress::under_way;
  }
  if (entry.progress == Progress::under_way &&
      MPI_Test(&entry.request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done)
    entry.progress = Progress::here;
}

}  // namespace tayra
