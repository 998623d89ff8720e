// Halo backend `mpi`: persistent messages straight from the GPU's memory where the library is known to take
// it, else through pinned memory in pieces whose number is measured.
#include <mpi.h>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

#include <algorithm>

#include "grid/together.hpp"
#include "grid/wait_mpi.hpp"
#include "halo/messages.hpp"
#include "halo/transport.hpp"

namespace tayra {
namespace {

/// An unaware library crashes on a GPU's address, so it is asked, never tried.
bool library_says_gpu_aware() {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

bool may_use_gpu_buffers(const HaloSite& site) {
  const auto gpus = site.gpus();
  const bool one_gpu = std::count(gpus.begin(), gpus.end(), gpus.front()) == std::ptrdiff_t(gpus.size());
  if (site.gpu_aware_mpi == GpuAwareMpi::on) {
    require(one_gpu, ExitCode::unavailable,
            "mpi.gpu_aware is on, but MPI reads the memory of only one GPU in each process, and this process "
            "drives several: start one rank for each GPU");
    return true;
  }
  return site.gpu_aware_mpi == GpuAwareMpi::automatic && one_gpu && library_says_gpu_aware();
}

/// A known pattern goes round the ranks from one GPU's memory to the next.
void check_pattern(const Queue& queue) {
  constexpr int words = 1 << 15, pattern_tag = 0;
  const Buffer<int> sent(queue.device(), words), received(queue.device(), words);
  std::vector<int> pattern(words), arrived(words, -1);
  const auto fill = [&](int rank) {
    for (int i = 0; i < words; ++i) pattern[i] = 31 * rank + 7 * i;
  };
  fill(ranks().rank());
  queue.copy(sent.data(), pattern.data(), sent.bytes());
  queue.synchronize();
  const int size = ranks().size(), next = (ranks().rank() + 1) % size,
            before = (ranks().rank() + size - 1) % size;
  std::vector<MPI_Request> requests(2);
  check_mpi(MPI_Irecv(received.data(), words, MPI_INT, before, pattern_tag, MPI_COMM_WORLD, &requests[0]),
            "checking GPU buffers");
  check_mpi(MPI_Isend(sent.data(), words, MPI_INT, next, pattern_tag, MPI_COMM_WORLD, &requests[1]),
            "checking GPU buffers");
  {
    const Awaiting awaiting(before);
    wait_for_all(requests);
  }
  queue.copy(arrived.data(), received.data(), received.bytes());
  queue.synchronize();
  fill(before);
  require(arrived == pattern, ExitCode::unavailable,
          "MPI does not carry GPU memory intact: set mpi.gpu_aware to off, or use an MPI library built with "
          "CUDA");
}

class MpiTransport final : public Transport {
 public:
  explicit MpiTransport(HaloSite site) : Transport(std::move(site)) {
    if (!on_gpu()) {
      path_ = "from host memory";
      use({.staged = false, .pieces = 1});
    } else if (all_may_use_gpu_buffers()) {
      do_together([&] { check_pattern(*site_.slabs.front().queue); });
      path_ = "from GPU memory";
      use({.staged = false, .pieces = 1});
    } else {
      const int pieces = best_pieces();
      path_ = "through pinned memory, in " + std::to_string(pieces) + (pieces == 1 ? " piece" : " pieces");
      use({.staged = true, .pieces = pieces});
    }
  }

  void start_moves(int field) override {
    if (messages_) messages_->start(field);
  }
  void finish_moves(int field) override {
    if (messages_) messages_->finish(field);
  }
  TransportTraits traits() const override { return {.path = path_}; }

 private:
  bool all_may_use_gpu_buffers() const {
    bool may = false;
    do_together([&] { may = may_use_gpu_buffers(site_); });
    return holds_on_all_ranks(may);
  }

  bool on_gpu() const { return site_.slabs.front().queue->device().kind == DeviceKind::cuda; }

  void use(MessageRoute route) {
    messages_.reset();
    messages_ = make_messages(site_, Moves::all, route);
  }

  /// Pieces below this are all latency.
  static constexpr std::size_t smallest_piece = 128 << 10;

  int best_pieces() {
    int best = 1;
    double best_seconds = 1e300;
    for (int pieces = 1; pieces == 1 || (pieces <= 16 && site_.plan.largest / pieces >= smallest_piece);
         pieces *= 2) {
      use({.staged = true, .pieces = pieces});
      const double seconds = seconds_per_exchange(site_, [this](int field) {
        start_moves(field);
        finish_moves(field);
      });
      if (seconds < best_seconds) {
        best = pieces;
        best_seconds = seconds;
      }
    }
    return best;
  }

  std::unique_ptr<Messages> messages_;
  std::string path_;
};

}  // namespace

std::unique_ptr<Transport> make_mpi_transport(HaloSite site) {
  return std::make_unique<MpiTransport>(std::move(site));
}

std::string mpi_lacks(const HaloPlace&) { return start_mpi(); }

}  // namespace tayra
