// Ranks by MPI.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <thread>
#include <utility>

#include "grid/ranks.hpp"
#include "grid/wait_mpi.hpp"
#include "grid/watchdog.hpp"

namespace tayra {
namespace {

/// From the first use to the end of the process.
class MpiLibrary {
 public:
  MpiLibrary() {
    int level = 0;
    check_mpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level), "starting");
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

/// What ranks merge just now: MPI hands an operation nothing of the caller's.
struct Merging {
  std::size_t bytes = 0;
  Merge merge;
};

class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    use_mpi();
    check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "querying the rank");
    check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &size_), "counting ranks");
    MPI_Comm node;
    check_mpi(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node),
              "looking for ranks on the same node");
    MPI_Comm_rank(node, &rank_on_node_);
    MPI_Comm_size(node, &size_of_node_);
    share_work(node);
    MPI_Comm_free(&node);
    check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &failures_), "setting up");
    constexpr int commutes = 1;
    check_mpi(MPI_Op_create(merge_values, commutes, &merge_), "setting up");
    const int node_begins = rank_on_node_ == 0 ? 1 : 0;
    check_mpi(MPI_Allreduce(&node_begins, &nodes_, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), "counting nodes");
    start_watchdog();
  }

  void gather_to_all(const void* mine, std::size_t bytes, void* all) override {
    MPI_Request request;
    const int count = static_cast<int>(bytes);
    check_mpi(MPI_Iallgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, MPI_COMM_WORLD, &request),
              "gathering");
    finish(request);
  }

  void gather_to_first(const void* mine, std::size_t bytes, void* all) override {
    MPI_Request request;
    const int count = static_cast<int>(bytes);
    check_mpi(MPI_Igather(mine, count, MPI_BYTE, all, count, MPI_BYTE, 0, MPI_COMM_WORLD, &request),
              "gathering");
    finish(request);
  }

  // Few gather: a tree's way is longer, and where ranks share cores each hop may wait for one.
  void merge_on_all(void* mine, std::size_t bytes, const Merge& merge) override {
    if (size_ <= most_that_gather) return merge_gathered(mine, bytes, merge);
    merging_ = {bytes, merge};
    MPI_Request request;
    check_mpi(MPI_Iallreduce(MPI_IN_PLACE, mine, 1, value_of(bytes), merge_, MPI_COMM_WORLD, &request),
              "merging");
    finish(request);
  }

  void broadcast(void* data, std::size_t bytes, int from) override {
    for (std::size_t done = 0; done < bytes; done += piece) {
      MPI_Request request;
      check_mpi(
          MPI_Ibcast(static_cast<std::byte*>(data) + done, static_cast<int>(std::min(piece, bytes - done)),
                     MPI_BYTE, from, MPI_COMM_WORLD, &request),
          "broadcasting");
      finish(request, from);
    }
  }

  void swap(const std::vector<Parcel>& leaving, const std::vector<Parcel>& arriving) override {
    std::vector<MPI_Request> requests;
    const auto start = [&](const std::vector<Parcel>& parcels, auto start_piece) {
      for (const Parcel& parcel : parcels)
        for (std::size_t done = 0; done < parcel.size; done += piece)
          check_mpi(start_piece(parcel.bytes + done, static_cast<int>(std::min(piece, parcel.size - done)),
                                parcel.rank, &requests.emplace_back()),
                    "swapping");
    };
    constexpr int tag = 1;  // pieces arrive in the order in which they left
    start(arriving, [](std::byte* bytes, int count, int rank, MPI_Request* request) {
      return MPI_Irecv(bytes, count, MPI_BYTE, rank, tag, MPI_COMM_WORLD, request);
    });
    start(leaving, [](const std::byte* bytes, int count, int rank, MPI_Request* request) {
      return MPI_Isend(bytes, count, MPI_BYTE, rank, tag, MPI_COMM_WORLD, request);
    });
    const Awaiting awaiting;
    wait_for_all(requests);
  }

  // On a communicator of its own: others may be in any other call.
  std::vector<std::size_t> gather_failures(std::size_t mine, double seconds) override {
    static std::size_t saying;  // which MPI may still read when this has returned
    static std::vector<std::size_t> sayings(size_);
    saying = mine;
    MPI_Request request;
    check_mpi(MPI_Iallgather(&saying, sizeof saying, MPI_BYTE, sayings.data(), sizeof saying, MPI_BYTE,
                             failures_, &request),
              "gathering failures");
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    for (int done = 0; std::chrono::steady_clock::now() < end; std::this_thread::yield())
      if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done) return sayings;
    return {};
  }

  void abort(ExitCode code) override {
    MPI_Abort(MPI_COMM_WORLD, static_cast<int>(code));
    std::_Exit(static_cast<int>(code));
  }

 private:
  static constexpr std::size_t piece = std::size_t(1) << 30;  // counts are ints

  static constexpr int most_that_gather = 32;

  void merge_gathered(void* mine, std::size_t bytes, const Merge& merge) {
    std::vector<std::byte> all(bytes * size_);
    gather_to_all(mine, bytes, all.data());
    for (int rank = 0; rank < size_; ++rank)
      if (rank != rank_) merge(mine, &all[rank * bytes]);
  }

  /// Where memory can't be shared each rank only knows of itself.
  void share_work(MPI_Comm node) {
    works_ = {{rank_, work_}};
    MPI_Win window;
    RankWork* mine = nullptr;
    const int rank = rank_;
    std::vector<int> members(size_of_node_);
    if (MPI_Allgather(&rank, 1, MPI_INT, members.data(), 1, MPI_INT, node) != MPI_SUCCESS ||
        MPI_Win_allocate_shared(sizeof(RankWork), 1, MPI_INFO_NULL, node, static_cast<void*>(&mine),
                                &window) != MPI_SUCCESS)
      return;
    work_ = new (mine) RankWork;
    for (int i = 0; i < size_of_node_; ++i) {
      MPI_Aint bytes = 0;
      int unit = 0;
      RankWork* work = nullptr;
      if (MPI_Win_shared_query(window, i, &bytes, &unit, static_cast<void*>(&work)) == MPI_SUCCESS)
        works_[members[i]] = work;
    }
  }

  static void merge_values(void* part, void* sum, int* count, MPI_Datatype*) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(*count); ++i)
      merging_.merge(static_cast<std::byte*>(sum) + i * merging_.bytes,
                     static_cast<const std::byte*>(part) + i * merging_.bytes);
  }

  /// So many bytes that belong together.
  MPI_Datatype value_of(std::size_t bytes) {
    const auto [known, is_new] = values_.try_emplace(bytes);
    if (is_new) {
      check_mpi(MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &known->second), "setting up");
      check_mpi(MPI_Type_commit(&known->second), "setting up");
    }
    return known->second;
  }

  static void finish(MPI_Request request, int awaited = some_rank) {
    const Awaiting awaiting(awaited);
    std::vector<MPI_Request> one{request};
    wait_for_all(one);
  }

  inline static Merging merging_;
  MPI_Op merge_ = MPI_OP_NULL;
  std::map<std::size_t, MPI_Datatype> values_;  // by bytes
  MPI_Comm failures_ = MPI_COMM_NULL;
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
