// Ranks by MPI. Collectives are started without blocking and polled, so that a lost rank is noticed.
#include <mpi.h>

#include <chrono>
#include <cstdlib>
#include <numeric>
#include <set>
#include <thread>

#include "grid/ranks_start.hpp"
#include "grid/wait_mpi.hpp"

namespace tayra {
namespace {

/// From the first use to the end of the process.
class MpiLibrary {
 public:
  MpiLibrary() {
    int level = 0;
    // Writer threads that share files talk to each other while the flow does.
    constexpr int wanted = TAYRA_PARALLEL_HDF5 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SERIALIZED;
    check_mpi(MPI_Init_thread(nullptr, nullptr, wanted, &level), "starting");
    check_mpi(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "setting up");
  }
  ~MpiLibrary() {
    int over = 0;
    if (MPI_Finalized(&over) == MPI_SUCCESS && !over) MPI_Finalize();
  }
  MpiLibrary(const MpiLibrary&) = delete;
  MpiLibrary& operator=(const MpiLibrary&) = delete;
};

void use_mpi() { static const MpiLibrary library; }

class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    use_mpi();
    check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "asking for the rank");
    check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &size_), "counting ranks");
    MPI_Comm node;
    check_mpi(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node),
              "looking for ranks on the same node");
    MPI_Comm_rank(node, &rank_on_node_);
    MPI_Comm_size(node, &size_of_node_);
    MPI_Comm_free(&node);
    const auto places = gather_values(rank_on_node_);
    nodes_ = static_cast<int>(std::count(places.begin(), places.end(), 0));
  }

  void gather_to_all(const void* mine, std::size_t bytes, void* all) override {
    MPI_Request request;
    const int count = static_cast<int>(bytes);
    check_mpi(MPI_Iallgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, MPI_COMM_WORLD, &request),
              "gathering");
    finish(request, "all ranks' numbers");
  }

  void broadcast(void* data, std::size_t bytes) override {
    MPI_Request request;
    check_mpi(MPI_Ibcast(data, static_cast<int>(bytes), MPI_BYTE, 0, MPI_COMM_WORLD, &request),
              "broadcasting");
    finish(request, "word from rank 0");
  }

  void carry(int from, int to, void* data, std::size_t bytes) override {
    if (from == to || (rank_ != from && rank_ != to)) return;
    constexpr std::size_t piece = std::size_t(1) << 30;  // counts are ints
    for (std::size_t done = 0; done < bytes; done += piece) {
      const int count = static_cast<int>(std::min(piece, bytes - done));
      void* at = static_cast<std::byte*>(data) + done;
      MPI_Request request;
      check_mpi(rank_ == to ? MPI_Irecv(at, count, MPI_BYTE, from, carry_tag, MPI_COMM_WORLD, &request)
                            : MPI_Isend(at, count, MPI_BYTE, to, carry_tag, MPI_COMM_WORLD, &request),
                "carrying planes");
      finish(request, rank_ == to ? "planes of rank " + std::to_string(from)
                                  : "rank " + std::to_string(to) + " to take planes");
    }
  }

  bool meet(double seconds) override {
    MPI_Request request;
    if (MPI_Ibarrier(MPI_COMM_WORLD, &request) != MPI_SUCCESS) return false;
    const auto start = std::chrono::steady_clock::now();
    for (int done = 0;;) {
      if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
      if (done) return true;
      if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > seconds)
        return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  void abort(ExitCode code) override {
    MPI_Abort(MPI_COMM_WORLD, static_cast<int>(code));
    std::_Exit(static_cast<int>(code));
  }

  void set_patience(double seconds) override { set_mpi_patience(seconds); }

 private:
  static constexpr int carry_tag = 1;

  static void finish(MPI_Request request, const std::string& awaited) {
    std::vector<MPI_Request> one{request};
    wait_for_all(one, [&](std::size_t) {
      return "waited " + std::to_string(static_cast<int>(mpi_patience())) + " s in vain for " + awaited +
             " (a rank hangs or has died)";
    });
  }
};

}  // namespace

bool built_with_mpi() { return true; }
std::unique_ptr<Ranks> start_mpi_ranks() { return std::make_unique<MpiRanks>(); }

std::string start_mpi() {
  try {
    use_mpi();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace tayra
