// Persistent requests, made once. On the CPU they are started as soon as the edges are there. A GPU's edges
// are waited for by their own event, never by the device, after the core has been enqueued: so sends start in
// wait().
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
struct Letter {
  int slab;            // at this end
  int other_rank;      // at the other one
  std::byte* place;    // in the field
  std::byte* carried;  // what MPI reads or writes: the same, or pinned memory
  std::size_t bytes;
  Event ready;  // MPI may read or write what is carried
  Progress progress = Progress::not_yet;
};

/// All that one field sends, or all that it receives.
struct Mail {
  Direction direction;
  std::vector<Letter> letters;
  std::vector<MPI_Request> requests;
};

}  // namespace

struct Messages::Implementation {
  Implementation(const HaloSite& halo_site, Moves moves, MessageRoute message_route)
      : site(halo_site),
        route(message_route),
        on_gpu(site.slabs.front().queue->device().kind == DeviceKind::cuda) {
    check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &world), "setting up the halo's messages");
    for (int field = 0; field < rotating_fields; ++field) {
      incoming[field].direction = Direction::in;
      outgoing[field].direction = Direction::out;
      for (std::size_t i = 0; i < site.plan.moves.size(); ++i)
        if (moves == Moves::all || crosses(site.plan.moves[i])) add(site.plan.moves[i], int(i), field);
    }
  }

  ~Implementation() {
    for (auto* mails : {&outgoing, &incoming})
      for (Mail& mail : *mails)
        for (MPI_Request& request : mail.requests) MPI_Request_free(&request);
    MPI_Comm_free(&world);
  }

  bool crosses(const Move& move) const {
    return site.rank_of_slab[move.source_slab] != site.rank_of_slab[move.destination_slab];
  }

  void add(const Move& move, int number, int field) {
    const int pieces = pieces_of(move.bytes, route.pieces);
    for (int piece = 0; piece < pieces; ++piece) {
      const std::size_t begin = move.bytes * piece / pieces;
      const std::size_t bytes = move.bytes * (piece + 1) / pieces - begin;
      const int tag = (number * rotating_fields + field) * pieces + piece;
      if (site.is_here(move.destination_slab))
        add_letter(incoming[field], tag, move.destination_slab, site.rank_of_slab[move.source_slab],
                   {site.destination(move, field) + begin, bytes});
      if (site.is_here(move.source_slab))
        add_letter(outgoing[field], tag, move.source_slab, site.rank_of_slab[move.destination_slab],
                   {site.source(move, field) + begin, bytes});
    }
  }

  void add_letter(Mail& mail, int tag, int slab, int other_rank, std::span<std::byte> place) {
    const Device device = site.queue(slab).device();
    std::byte* carried = place.data();
    if (route.staged) {
      pinned.emplace_back(device, place.size(), Memory::pinned);
      carried = pinned.back().data();
    }
    mail.letters.push_back({slab, other_rank, place.data(), carried, place.size(), Event(device)});
    MPI_Request& request = mail.requests.emplace_back();
    const int count = static_cast<int>(place.size());
    check_mpi(mail.direction == Direction::in
                  ? MPI_Recv_init(carried, count, MPI_BYTE, other_rank, tag, world, &request)
                  : MPI_Send_init(carried, count, MPI_BYTE, other_rank, tag, world, &request),
              "preparing the halo's messages");
  }

  void send(int field) {
    for (Mail* mail : {&incoming[field], &outgoing[field]})
      for (std::size_t i = 0; i < mail->letters.size(); ++i) make_ready(*mail, i);
  }

  /// Ghosts may be overwritten once the slab's own edges are there: what read them last was enqueued before.
  void make_ready(Mail& mail, std::size_t i) {
    Letter& letter = mail.letters[i];
    const Queue& queue = site.queue(letter.slab);
    if (route.staged && mail.direction == Direction::out)
      queue.copy(letter.carried, letter.place, letter.bytes);
    letter.ready.record(queue);
    letter.progress = Progress::not_yet;
    if (!on_gpu) advance(mail, i);
  }

  void wait(int field) {
    const auto progress = [&] {
      bool done = true;
      for (Mail* mail : {&incoming[field], &outgoing[field]})
        for (std::size_t i = 0; i < mail->letters.size(); ++i) done = advance(*mail, i) && done;
      return done;
    };
    poll(progress, [&] { return lost(field); });
  }

  /// One look at a letter; true when nothing is left to do.
  bool advance(Mail& mail, std::size_t i) {
    Letter& letter = mail.letters[i];
    if (letter.progress == Progress::not_yet && letter.ready.has_happened()) {
      check_mpi(MPI_Start(&mail.requests[i]), "sending edges");
      letter.progress = Progress::under_way;
    }
    if (letter.progress == Progress::under_way && is_over(mail.requests[i])) {
      if (route.staged && mail.direction == Direction::in)
        site.queue(letter.slab).copy(letter.place, letter.carried, letter.bytes);
      letter.progress = Progress::done;
    }
    return letter.progress == Progress::done;
  }

  static bool is_over(MPI_Request& request) {
    int done = 0;
    check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "waiting for edges");
    return done != 0;
  }

  std::string lost(int field) const {
    for (const Mail* mail : {&incoming[field], &outgoing[field]})
      for (const Letter& letter : mail->letters)
        if (letter.progress != Progress::done) return lost_rank_message(letter.other_rank, mpi_patience());
    return "";
  }

  const HaloSite& site;
  MessageRoute route;
  bool on_gpu;
  MPI_Comm world = MPI_COMM_NULL;
  std::array<Mail, rotating_fields> outgoing, incoming;
  std::vector<Buffer<std::byte>> pinned;
};

Messages::Messages(const HaloSite& site, Moves moves, MessageRoute route) {
  const bool crossing = ranks().size() > 1;
  if (crossing || (moves == Moves::all && !site.plan.moves.empty()))
    implementation_ = std::make_unique<Implementation>(site, moves, route);
}

Messages::~Messages() = default;
bool Messages::empty() const { return implementation_ == nullptr; }
void Messages::send(int field) {
  if (implementation_) implementation_->send(field);
}
void Messages::wait(int field) {
  if (implementation_) implementation_->wait(field);
}

}  // namespace tayra
