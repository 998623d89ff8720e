// Ranks by MPI. Collectives are started without blocking and polled, so that a lost rank is noticed.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <numeric>
#include <sstream>
#include <thread>

#include "grid/ranks_start.hpp"
#include "grid/roll_call_mpi.hpp"
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

/// What it said may still be fetched while the library ends.
std::unique_ptr<RollCall>& last_roll_call() {
  static std::unique_ptr<RollCall> roll;
  return roll;
}

void use_mpi() {
  last_roll_call();  // what is made first goes last
  static const MpiLibrary library;
}

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

  void broadcast(void* data, std::size_t bytes, int from) override {
    constexpr std::size_t piece = std::size_t(1) << 30;  // counts are ints
    for (std::size_t done = 0; done < bytes; done += piece) {
      MPI_Request request;
      check_mpi(
          MPI_Ibcast(static_cast<std::byte*>(data) + done, static_cast<int>(std::min(piece, bytes - done)),
                     MPI_BYTE, from, MPI_COMM_WORLD, &request),
          "broadcasting");
      finish(request, "word from rank " + std::to_string(from));
    }
  }

  void carry(int from, int to, void* data, std::size_t bytes) override {
    if (from == to || (rank_ != from && rank_ != to)) return;
    MPI_Request request;
    const int count = static_cast<int>(bytes);
    check_mpi(rank_ == to ? MPI_Irecv(data, count, MPI_BYTE, from, carry_tag, MPI_COMM_WORLD, &request)
                          : MPI_Isend(data, count, MPI_BYTE, to, carry_tag, MPI_COMM_WORLD, &request),
              "carrying bytes");
    finish(request, rank_ == to ? "bytes of rank " + std::to_string(from)
                                : "rank " + std::to_string(to) + " to take bytes");
  }

  std::vector<RankAnswer> call_roll(const std::string& mine, double seconds) override {
    last_roll_call() = std::make_unique<RollCall>(mine + '\0' + seen_here());
    RollCall& roll = *last_roll_call();
    roll.carry_on(seconds);
    std::vector<RankAnswer> answers(size_);
    for (int rank = 0; rank < size_; ++rank)
      if (roll.has_come(rank)) take_in(rank, roll.text_of(rank), answers);
    return answers;
  }

  void be_heard(double seconds) override {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (std::chrono::steady_clock::now() < end) {
      last_roll_call()->carry_on(0);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  void abort(ExitCode code) override {
    MPI_Abort(MPI_COMM_WORLD, static_cast<int>(code));
    std::_Exit(static_cast<int>(code));
  }

  void set_patience(double seconds) override { set_mpi_patience(seconds); }

  void stay_in_touch(std::chrono::steady_clock::time_point since) override { tayra::stay_in_touch(since); }

 private:
  /// Where memory can't be shared each rank only knows of itself.
  void share_work(MPI_Comm node) {
    MPI_Win window;
    RankWork* mine = nullptr;
    const int rank = rank_;
    std::vector<int> members(size_of_node_);
    if (MPI_Allgather(&rank, 1, MPI_INT, members.data(), 1, MPI_INT, node) != MPI_SUCCESS ||
        MPI_Win_allocate_shared(sizeof(RankWork), 1, MPI_INFO_NULL, node, static_cast<void*>(&mine),
                                &window) != MPI_SUCCESS)
      return;
    work_ = new (mine) RankWork;
    work_->begin(Phase::computing);  // begin() stamps the time only when the phase changes, so change it once
    work_->begin(Phase::setting_up);
    for (int i = 0; i < size_of_node_; ++i) {
      MPI_Aint bytes = 0;
      int unit = 0;
      RankWork* work = nullptr;
      if (MPI_Win_shared_query(window, i, &bytes, &unit, static_cast<void*>(&work)) == MPI_SUCCESS)
        works_[members[i]] = work;
    }
  }

  /// A line for each rank of this node: its number and what it is at.
  std::string seen_here() const {
    std::string lines;
    for (const auto& [rank, work] : works_) lines += std::to_string(rank) + " " + work->description() + "\n";
    return lines;
  }

  static void take_in(int rank, const std::string& text, std::vector<RankAnswer>& answers) {
    answers[rank].came = true;
    answers[rank].said = text.c_str();
    std::istringstream lines(text.c_str() + answers[rank].said.size() + 1);
    std::size_t seen = 0;
    for (std::string what; lines >> seen && std::getline(lines >> std::ws, what);)
      if (seen < answers.size()) answers[seen].seen = what;
  }

  std::map<int, RankWork*> works_;  // of the ranks of this node, by rank

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
