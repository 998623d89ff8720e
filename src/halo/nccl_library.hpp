// NCCL, loaded when it is first asked for: so a program starts where it is missing, and has the other
// backends.
#pragma once

#include <nccl.h>

#include <string>

namespace tayra {

struct NcclLibrary {
  std::string missing;  // why it can't be used; empty: it can
  decltype(&ncclGetErrorString) error_text;
  decltype(&ncclGetUniqueId) get_unique_id;
  decltype(&ncclCommInitRank) init_rank;
  decltype(&ncclCommDestroy) destroy;
  decltype(&ncclCommAbort) abort;
  decltype(&ncclGroupStart) group_start;
  decltype(&ncclGroupEnd) group_end;
  decltype(&ncclSend) send;
  decltype(&ncclRecv) receive;
  decltype(&ncclAllGather) all_gather;
};

const NcclLibrary& nccl();

}  // namespace tayra
