// Shu & Osher's Runge-Kutta step (1988) over the slabs of this process, in step with those of others.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/named_range.hpp"
#include "grid/ranks.hpp"
#include "halo/halo.hpp"
#include "solver/slab_flow.hpp"
#include "solver/step_end.hpp"

namespace tayra {

/// Its stages.
inline constexpr std::array<Stage, stages> ssp_rk3{{{0., false}, {3. / 4, false}, {1. / 3, true}}};

template <class Real>
class TimeStep {
 public:
  TimeStep(const std::vector<SlabFlow<Real>>& slabs, int first_slab, Halo& halo, const StepEnd<Real>& end)
      : slabs_(slabs), first_slab_(first_slab), halo_(halo), end_(end) {}

  /// From u to a field, as far as the GPUs get without their hosts. Fields and copies may still be made from
  /// u, which waits for them before it is overwritten.
  void enqueue(Field result, bool copies_under_way) const {
    if (!end_.whole_step())
      for (const SlabFlow<Real>& slab : slabs_) fork(slab.engine().queues());
    ssp_rk3_step(result, copies_under_way);
    end_.enqueue(halo_);
  }

 private:
  /// Fields of a stage: keep u_old + (1 - keep) (now + dt L(now)) is written to next.
  using Fields = std::array<Field, 3>;

  // The last stage may overwrite u: it reads u only in the cell it writes.
  void ssp_rk3_step(Field result, bool copies_under_way) const {
    using enum Field;
    run_stage(0, {u, u, stage_1});
    run_stage(1, {u, stage_1, stage_2});
    if (copies_under_way)
      for (const SlabFlow<Real>& slab : slabs_) slab.follow_copies();
    run_stage(2, {u, stage_2, result});
  }

  void run_stage(int number, Fields old_now_next) const {
    const Stage stage = ssp_rk3[number];
    const std::optional<SlabPart> whole_step = end_.whole_step();
    whole_step ? run_in_one_queue(*whole_step, number, stage, old_now_next)
               : run_rim_and_core(number, stage, old_now_next);
  }

  // Rim first: its planes travel while the core is computed. Where the sweep itself stores them in their
  // place, a rim of its own would only cost: all planes are swept at once.
  void run_rim_and_core(int number, Stage stage, Fields old_now_next) const {
    const int next = number_of(old_now_next[2]);
    const bool at_once = halo_.lets_sweeps_store();
    if (number > 0)
      for (const SlabFlow<Real>& slab : slabs_) slab.follow_swept();
    for (std::size_t i = 0; i < slabs_.size(); ++i) {
      const NamedRange range("rim");
      const Planes planes = at_once ? slabs_[i].all() : slabs_[i].rim();
      slabs_[i].sweep(number, stage, old_now_next, planes, SlabPart::rim, stores(i, next));
      slabs_[i].note_swept(SlabPart::rim);
    }
    exchange("send", [&] { halo_.send(next); });
    for (const SlabFlow<Real>& slab : slabs_) {
      const NamedRange range("core");
      if (!at_once) slab.sweep(number, stage, old_now_next, slab.core(), SlabPart::core, {});
      slab.note_swept(SlabPart::core);
    }
    exchange("wait", [&] { halo_.wait(next); });
    for (const SlabFlow<Real>& slab : slabs_) slab.engine().note_landing(number);
  }

  // A slab that is the whole box finds its ghosts in its own planes. Other slabs' sweeps store their rim into
  // neighbours' ghosts and wait for the planes of the stage before; the step's end awaits the last stage's.
  void run_in_one_queue(SlabPart part, int number, Stage stage, Fields old_now_next) const {
    const int next = number_of(old_now_next[2]);
    const bool alone = slabs_.front().is_alone();
    for (std::size_t i = 0; i < slabs_.size(); ++i) {
      const NamedRange range("sweep");
      const EdgeAddresses copies = alone ? EdgeAddresses{} : stores(i, next);
      const AwaitedPlanes neighbours =
          alone || number == 0 ? AwaitedPlanes{} : halo_.awaited_by(number_of_slab(i));
      slabs_[i].sweep(number, stage, old_now_next, slabs_[i].all(), part, copies, neighbours);
    }
    if (!alone && !stage.last) exchange("send", [&] { halo_.send(next); });
  }

  int number_of_slab(std::size_t i) const { return first_slab_ + static_cast<int>(i); }
  /// Where the i-th slab's sweep stores its edges for its neighbours.
  EdgeAddresses stores(std::size_t i, int field) const { return halo_.stores(number_of_slab(i), field); }

  template <class Work>
  void exchange(const char* phase, Work work) const {
    const NamedRange range(phase);
    const Doing doing(Phase::exchanging);
    for (const SlabFlow<Real>& slab : slabs_) slab.engine().begin_exchange();
    work();
    for (const SlabFlow<Real>& slab : slabs_) slab.engine().end_exchange();
  }

  const std::vector<SlabFlow<Real>>& slabs_;
  int first_slab_;
  Halo& halo_;
  const StepEnd<Real>& end_;
};

}  // namespace tayra
