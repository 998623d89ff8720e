// How slabs come to know, at the end of a step, what all have found in it: then every clock turns alike.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/error.hpp"
#include "grid/together.hpp"
#include "solver/gathered_reports.hpp"
#include "solver/letterboxes.hpp"
#include "solver/slab_flow.hpp"

namespace tayra {

enum class StepEndWay { letterboxes, mailbox, gathering, hosts };

template <class Real>
class StepEnd {
 public:
  /// All ranks must construct it together; the slabs must stay where they are.
  StepEnd(const std::vector<SlabFlow<Real>>& slabs, const Placement& placement, double patience)
      : slabs_(slabs), reports_(slabs.front().device(), 2 * places(), Memory::pinned) {
    if (Letterboxes::serve(placement.halo_place(), static_cast<int>(placement.ranges.size())))
      open_letterboxes(placement, patience);
  }

  /// The quickest way beside this backend. All ranks must choose together.
  void choose(const Halo& halo) {
    if (letterboxes_ && (slabs_.size() == 1 || !halo.ties_queues()))
      way_ = StepEndWay::letterboxes;
    else if (ranks().size() == 1)
      way_ = StepEndWay::mailbox;
    else
      way_ = halo.gathering_gpus() > 0 ? StepEndWay::gathering : StepEndWay::hosts;
    if (way_ == StepEndWay::gathering) gathered_.emplace(core_queues(), halo.gathering_gpus());
    whole_step_ = part_of_whole_step(halo);
  }

  StepEndWay way() const { return way_; }
  /// The part whose queue has all work of a step, if one has.
  std::optional<SlabPart> whole_step() const { return whole_step_; }
  const char* name() const {
    constexpr std::array names{"letterboxes", "mailbox", "gathering", "hosts"};
    return names[static_cast<int>(way_)];
  }

  /// Enqueues the part of a step's end that needs no host; a graph may hold it.
  void enqueue(Halo& halo) const {
    switch (way_) {
      case StepEndWay::letterboxes:
        return end_by_letterboxes();
      case StepEndWay::mailbox:
        return end_by_mailbox();
      case StepEndWay::gathering:
        return end_by_gathering(halo);
      case StepEndWay::hosts:
        return post_reports();
    }
  }

  /// What is left to the hosts once all of this rank's slabs have posted. Time and step length are the same
  /// on all ranks to the last bit, because all merge the same reports.
  void end_by_hosts(unsigned turn) const {
    const Mailbox box = mailbox();
    SlabReport* row = box.row(turn);
    SlabReport mine, others;
    for (int place = 0; place + 1 < box.places; ++place) merge(mine, row[place]);
    const auto all = ranks().gather_values(mine);
    for (int rank = 0; rank < ranks().size(); ++rank)
      if (rank != ranks().rank()) merge(others, all[rank]);
    row[box.places - 1] = others;
    turn_clocks();
  }

  /// Throws when a GPU has given up waiting for another's.
  void check() const {
    if (letterboxes_) letterboxes_->check();
  }

 private:
  /// Ranks of a node may still be kept from each other's GPUs: no peer access, or a container's walls.
  void open_letterboxes(const Placement& placement, double patience) {
    try {
      do_together([&] { letterboxes_ = std::make_unique<Letterboxes>(placement, patience); });
    } catch (const Error& error) {
      if (error.code() == ExitCode::lost) throw;
      letterboxes_.reset();
    }
  }

  std::optional<SlabPart> part_of_whole_step(const Halo& halo) const {
    if (slabs_.front().is_alone()) return SlabPart::core;
    if (way_ == StepEndWay::letterboxes && halo.lets_sweeps_store()) return SlabPart::rim;
    return std::nullopt;
  }

  void end_by_letterboxes() const {
    for (std::size_t i = 0; i < slabs_.size(); ++i)
      slabs_[i].engine().post_and_turn(letterboxes_->round(i), whole_step_);
  }

  void end_by_mailbox() const {
    post_reports();
    for (const SlabFlow<Real>& slab : slabs_)
      for (const SlabFlow<Real>& other : slabs_) slab.follow_posted(other);
    turn_clocks();
  }

  void end_by_gathering(Halo& halo) const {
    for (std::size_t i = 0; i < slabs_.size(); ++i)
      slabs_[i].engine().post(gathered_->posts(i), gathered_->place(i));
    gathered_->gather_by(halo);
    for (std::size_t i = 0; i < slabs_.size(); ++i) slabs_[i].engine().turn(gathered_->posts_of_all(i));
  }

  void post_reports() const {
    for (std::size_t i = 0; i < slabs_.size(); ++i) {
      slabs_[i].engine().post(mailbox(), static_cast<int>(i));
      slabs_[i].note_posted();
    }
  }

  void turn_clocks() const {
    for (const SlabFlow<Real>& slab : slabs_) slab.engine().turn(mailbox());
  }

  std::vector<const Queue*> core_queues() const {
    std::vector<const Queue*> queues;
    for (const SlabFlow<Real>& slab : slabs_) queues.push_back(&slab.engine().queue(SlabPart::core));
    return queues;
  }

  Mailbox mailbox() const { return {reports_.data(), static_cast<int>(places())}; }
  /// One more for what the other ranks have found.
  std::size_t places() const { return slabs_.size() + (ranks().size() > 1 ? 1 : 0); }

  const std::vector<SlabFlow<Real>>& slabs_;
  Buffer<SlabReport> reports_;  // two rows, which take turns
  std::unique_ptr<Letterboxes> letterboxes_;
  std::optional<GatheredReports> gathered_;
  StepEndWay way_ = StepEndWay::mailbox;
  std::optional<SlabPart> whole_step_;
};

}  // namespace tayra
