// The moves of a plan as persistent MPI messages. messages_no_mpi.cpp stands in for messages_mpi.cpp in
// builds without MPI, where no move crosses processes.
#pragma once

#include <algorithm>
#include <memory>

#include "halo/transport.hpp"

namespace tayra {

/// Straight from and into the fields' memory, or through pinned host memory in that many pieces.
struct MessageRoute {
  bool staged = false;
  int pieces = 1;
};

/// As many as wanted, or more where MPI, which counts in ints, could not carry them.
inline int pieces_of(std::size_t bytes, int wanted) {
  constexpr std::size_t most_bytes = std::size_t(1) << 30;
  return std::max(wanted, static_cast<int>((bytes + most_bytes - 1) / most_bytes));
}

class Messages {
 public:
  virtual ~Messages() = default;
  virtual void start(int field) = 0;
  virtual void finish(int field) = 0;
};

enum class Moves { all, between_processes };
/// Of all the moves, or only of those that cross processes; null where there are none. All ranks must call it
/// together; keeps a reference to the site.
std::unique_ptr<Messages> make_messages(const HaloSite& site, Moves moves, MessageRoute route);

}  // namespace tayra
