// Polling rather than MPI_Wait: ranks may share cores.
#include "grid/wait_mpi.hpp"

#include <string>

#include "core/error.hpp"

namespace tayra {

void check_mpi(int status, const char* doing) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw Error(ExitCode::lost, std::string("MPI failed while ") + doing + ": " + std::string(text, length));
}

void wait_for_all(std::vector<MPI_Request>& requests) {
  poll([&] {
    int done = 0;
    check_mpi(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE),
              "waiting for messages");
    return done != 0;
  });
}

}  // namespace tayra
