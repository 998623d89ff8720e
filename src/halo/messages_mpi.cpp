// Persistent requests, made once. On the CPU they are started as soon as the edges are there. A GPU's edges
// are waited for by their own event, never by the device, after the interior has been enqueued: so sends
// start in finish().
#include <mpi.h>

#include <array>
#include <span>

#include "grid/wait_mpi.hpp"
#include "halo/messages.hpp"

namespace tayra {
namespace {

enum class Direction { in, out };
enum class Progress { not_yet, under_way, done };

/// A piece of a move's edge, at one end of its way.
struct Piece {
  int slab;            // at this end
  int other_rank;      // at the other one
  std::byte* place;    // in the field
  std::byte* carried;  // what MPI reads or writes: the same, or pinned memory
  std::size_t bytes;
  Event ready;  // MPI may read or write what is carried
  Progress progress = Progress::not_yet;
};

/// All that one field sends, or all that it receives.
struct Batch {
  Direction direction;
  std::vector<Piece> pieces;
  std::vector<MPI_Request> requests;
};

class MpiMessages final : public Messages {
 public:
  MpiMessages(const HaloSite& site, Moves moves, MessageRoute route)
      : site_(site), route_(route), on_gpu_(site_.slabs.front().queue->device().kind == DeviceKind::cuda) {
    check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &world_), "setting up the halo's messages");
    for (int field = 0; field < rotating_fields; ++field) {
      incoming_[field].direction = Direction::in;
      outgoing_[field].direction = Direction::out;
      for (const Move& move : site_.plan.moves)
        if (moves == Moves::all || crosses(move)) add(move, field);
    }
  }

  ~MpiMessages() override {
    for (auto* batches : {&outgoing_, &incoming_})
      for (Batch& batch : *batches)
        for (MPI_Request& request : batch.requests) MPI_Request_free(&request);
    MPI_Comm_free(&world_);
  }
  MpiMessages(const MpiMessages&) = delete;
  MpiMessages& operator=(const MpiMessages&) = delete;

  void start(int field) override {
    for (Batch* batch : {&incoming_[field], &outgoing_[field]})
      for (std::size_t i = 0; i < batch->pieces.size(); ++i) make_ready(*batch, i);
  }

  void finish(int field) override {
    const Awaiting awaiting;
    poll([&] {
      bool all_done = true;
      for (Batch* batch : {&incoming_[field], &outgoing_[field]})
        for (std::size_t i = 0; i < batch->pieces.size(); ++i)
          if (!advance(*batch, i)) {
            all_done = false;
            awaiting.name(batch->pieces[i].other_rank);
          }
      return all_done;
    });
  }

 private:
  bool crosses(const Move& move) const {
    return site_.rank_of_slab[move.source_slab] != site_.rank_of_slab[move.destination_slab];
  }

  void add(const Move& move, int field) {
    const int pieces = pieces_of(move.bytes, route_.pieces);
    for (int piece = 0; piece < pieces; ++piece) {
      const std::size_t begin = move.bytes * piece / pieces;
      const std::size_t bytes = move.bytes * (piece + 1) / pieces - begin;
      const int tag = (move.number * rotating_fields + field) * pieces + piece;
      if (site_.is_here(move.destination_slab))
        add_piece(incoming_[field], tag, move.destination_slab, site_.rank_of_slab[move.source_slab],
                  {site_.destination(move, field) + begin, bytes});
      if (site_.is_here(move.source_slab))
        add_piece(outgoing_[field], tag, move.source_slab, site_.rank_of_slab[move.destination_slab],
                  {site_.source(move, field) + begin, bytes});
    }
  }

  void add_piece(Batch& batch, int tag, int slab, int other_rank, std::span<std::byte> place) {
    const Device device = site_.queue(slab).device();
    std::byte* carried = place.data();
    if (route_.staged) {
      pinned_.emplace_back(device, place.size(), Memory::pinned);
      carried = pinned_.back().data();
    }
    batch.pieces.push_back({slab, other_rank, place.data(), carried, place.size(), Event(device)});
    MPI_Request& request = batch.requests.emplace_back();
    const int count = static_cast<int>(place.size());
    check_mpi(batch.direction == Direction::in
                  ? MPI_Recv_init(carried, count, MPI_BYTE, other_rank, tag, world_, &request)
                  : MPI_Send_init(carried, count, MPI_BYTE, other_rank, tag, world_, &request),
              "preparing the halo's messages");
  }

  /// Ghosts may be overwritten once the slab's own edges are there: what read them last was enqueued before.
  void make_ready(Batch& batch, std::size_t i) {
    Piece& piece = batch.pieces[i];
    const Queue& queue = site_.queue(piece.slab);
    if (route_.staged && batch.direction == Direction::out)
      queue.copy(piece.carried, piece.place, piece.bytes);
    piece.ready.record(queue);
    piece.progress = Progress::not_yet;
    if (!on_gpu_) advance(batch, i);
  }

  /// One look at a piece; true when nothing is left to do.
  bool advance(Batch& batch, std::size_t i) {
    Piece& piece = batch.pieces[i];
    if (piece.progress == Progress::not_yet && piece.ready.has_happened()) {
      check_mpi(MPI_Start(&batch.requests[i]), "sending edges");
      piece.progress = Progress::under_way;
    }
    if (piece.progress == Progress::under_way && is_over(batch.requests[i])) {
      if (route_.staged && batch.direction == Direction::in)
        site_.queue(piece.slab).copy(piece.place, piece.carried, piece.bytes);
      piece.progress = Progress::done;
    }
    return piece.progress == Progress::done;
  }

  static bool is_over(MPI_Request& request) {
    int done = 0;
    check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "waiting for edges");
    return done != 0;
  }

  const HaloSite& site_;
  MessageRoute route_;
  bool on_gpu_;
  MPI_Comm world_ = MPI_COMM_NULL;
  std::array<Batch, rotating_fields> outgoing_, incoming_;
  std::vector<Buffer<std::byte>> pinned_;
};

}  // namespace

std::unique_ptr<Messages> make_messages(const HaloSite& site, Moves moves, MessageRoute route) {
  if (ranks().size() == 1 && (moves == Moves::between_processes || site.plan.moves.empty())) return nullptr;
  return std::make_unique<MpiMessages>(site, moves, route);
}

}  // namespace tayra
