// The moves of a plan as persistent MPI messages. messages_no_mpi.cpp stands in for messages_mpi.cpp in
// builds without MPI, where no move crosses processes.
#pragma once

#include <memory>

#include "halo/halo.hpp"

namespace tayra {

/// Straight from and into the fields' memory, or through pinned host memory in that many pieces.
struct MessageRoute {
  bool staged = false;
  int pieces = 1;
};

class Messages {
 public:
  /// Of all the moves, or only of those that cross processes. All ranks must construct it together; keeps a
  /// reference to the site.
  enum class Moves { all, between_processes };
  Messages(const HaloSite& site, Moves moves, MessageRoute route);
  ~Messages();
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  bool empty() const;
  void send(int field);
  void wait(int field);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tayra
