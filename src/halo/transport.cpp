// What sites and transports have in common.
#include "halo/transport.hpp"

#include <chrono>

namespace tayra {

std::vector<int> HaloSite::gpus() const {
  std::vector<int> numbers;
  for (const HaloSlab& slab : slabs) numbers.push_back(slab.queue->device().number);
  return numbers;
}

HaloPlace HaloSite::place() const { return {slabs.front().queue->device().kind, gpus()}; }

Transport::Transport(HaloSite site) : site_(std::move(site)) {
  for (const Move& move : site_.plan.row_moves) {
    if (!site_.is_here(move.source_slab) || !site_.is_here(move.destination_slab)) continue;
    rows_here_.push_back(move);
    rows_copied_.push_back(field_events(site_.queue(move.source_slab).device()));
  }
}

void Transport::start(int field) {
  auto copied = rows_copied_.begin();
  for (const Move& move : rows_here_) {
    copy_rows(move, field);
    (*copied++)[field].record(site_.queue(move.source_slab));
  }
  for (const Move& move : site_.plan.packed) copy_rows(move, field);
  start_moves(field);
}

void Transport::finish(int field) {
  auto copied = rows_copied_.begin();
  for (const Move& move : rows_here_) site_.queue(move.destination_slab).wait((*copied++)[field]);
  finish_moves(field);
  for (const Move& move : site_.plan.unpacked) copy_rows(move, field);
}

void Transport::copy_rows(const Move& move, int field) const {
  site_.queue(move.source_slab)
      .copy_pieces(site_.destination(move, field), move.destination_apart, site_.source(move, field),
                   move.source_apart, move.bytes, move.pieces);
}

void Transport::exchange(int field) {
  copy_swept(field);
  start(field);
  finish(field);
}

double seconds_per_exchange(const HaloSite& site, const std::function<void(int field)>& exchange) {
  constexpr int warm_up = 2, repeats = 8;
  std::chrono::steady_clock::time_point start;
  for (int i = 0; i < warm_up + repeats; ++i) {
    if (i == warm_up) start = std::chrono::steady_clock::now();
    exchange(1);
    for (const HaloSlab& slab : site.slabs) await_done(*slab.queue);
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  return ranks().greatest(elapsed.count()) / repeats;
}

}  // namespace tayra
