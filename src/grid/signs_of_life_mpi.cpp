// Messages of one number; nobody waits for them.
#include "grid/signs_of_life_mpi.hpp"

#include <mpi.h>

#include <algorithm>

#include "grid/wait_mpi.hpp"

namespace tayra {
namespace {

struct World {
  World() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
  }
  int rank = 0, size = 1;
};

double seconds_between(SignsOfLife::WallClock::time_point from, SignsOfLife::WallClock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

void SignsOfLife::exchange(Sign mine, WallClock::time_point since) {
  constexpr double signs_in_patience = 8;
  const auto now = WallClock::now();
  if (seconds_between(std::max(since, last_exchange_), now) < mpi_patience() / signs_in_patience) return;
  const bool began_before = last_exchange_ >= since;  // else what lies there may be old
  last_exchange_ = now;
  tell_all(mine);
  hear_all(began_before);
}

// To a rank that is no more it may fail: that is found out by its silence.
void SignsOfLife::tell_all(Sign mine) const {
  static const int words[]{static_cast<int>(Sign::waiting), static_cast<int>(Sign::at_files)};
  const World world;
  for (int rank = 0; rank < world.size; ++rank) {
    MPI_Request request;
    if (rank != world.rank && MPI_Isend(&words[static_cast<int>(mine)], 1, MPI_INT, rank, sign_tag,
                                        MPI_COMM_WORLD, &request) == MPI_SUCCESS)
      MPI_Request_free(&request);
  }
}

void SignsOfLife::hear_all(bool counts) {
  heard_.resize(World().size);
  int waits = 0;
  MPI_Status status;
  while (MPI_Iprobe(MPI_ANY_SOURCE, sign_tag, MPI_COMM_WORLD, &waits, &status) == MPI_SUCCESS && waits) {
    int word = 0;
    check_mpi(MPI_Recv(&word, 1, MPI_INT, status.MPI_SOURCE, sign_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
              "hearing of other ranks");
    if (!counts) continue;
    heard_[status.MPI_SOURCE] = WallClock::now();
    if (word == static_cast<int>(Sign::at_files)) last_at_files_ = WallClock::now();
  }
}

std::optional<int> SignsOfLife::silent_rank(WallClock::time_point since) const {
  const int own = World().rank;
  for (int rank = 0; rank < static_cast<int>(heard_.size()); ++rank)
    if (rank != own && seconds_between(std::max(since, heard_[rank]), WallClock::now()) > mpi_patience())
      return rank;
  return std::nullopt;
}

}  // namespace tayra
