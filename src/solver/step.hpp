// Shu & Osher's Runge-Kutta step (1988) over the slabs of this process, in step with those of others: work
// for their queues, in either of two orders.
#pragma once

#include <array>
#include <chrono>
#include <vector>

#include "grid/ranks.hpp"
#include "halo/transport.hpp"
#include "solver/slab_flow.hpp"

namespace tayra {

/// From u to a field. The last stage may overwrite u: it reads u only in the cell it writes.
constexpr std::array<StageOfStep, stages> ssp_rk3(Field result = Field::u) {
  using enum Field;
  return {{{0, {0., false}, u, u, stage_1},
           {1, {3. / 4, false}, u, stage_1, stage_2},
           {2, {1. / 3, true}, u, stage_2, result}}};
}

/// What a step has to know of the run around it.
struct StepPlan {
  Field result = Field::u;
  bool copies_under_way = false;  // from u, which waits for them before it is overwritten
  bool flags_end_it = false;      // ReductionWay::flags
  int first_slab = 0;             // of this process
};

template <class Real>
using Slabs = std::vector<SlabFlow<Real>>;

template <class Real>
void await_copies(const Slabs<Real>& slabs, const StageOfStep& stage, const StepPlan& plan) {
  if (stage.weights.last && plan.copies_under_way)
    for (const SlabFlow<Real>& slab : slabs) slab.follow_copies();
}

/// What a transport asks of the host, timed.
template <class Real, class Work>
void exchanging(const Slabs<Real>& slabs, Work work) {
  const Doing doing(Phase::exchanging);
  const auto begin = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
  for (const SlabFlow<Real>& slab : slabs) slab.engine().note_exchange(taken.count());
}

/// The boundary first: its edges travel while the interior is computed. Planes its sweep may have stored into
/// the neighbours' ghosts itself.
template <class Real>
void overlapped_step(const Slabs<Real>& slabs, Transport& transport, const StepPlan& plan) {
  for (const StageOfStep& stage : ssp_rk3(plan.result)) {
    const int next = number_of(stage.next);
    await_copies(slabs, stage, plan);
    for (std::size_t i = 0; i < slabs.size(); ++i)
      slabs[i].sweep_boundary(stage, transport.peer_ghosts(plan.first_slab + static_cast<int>(i), next));
    exchanging(slabs, [&] { transport.start(next); });
    for (const SlabFlow<Real>& slab : slabs) slab.sweep_interior(stage);
    exchanging(slabs, [&] { transport.finish(next); });
    for (const SlabFlow<Real>& slab : slabs) slab.engine().note_arrival(stage.number);
  }
  transport.reduce();
}

/// One sweep of all planes a stage: it stores its boundary planes into the neighbours' ghosts itself. Where
/// flags end a step, sweeps also wait for their neighbours' planes themselves; those of the last stage have
/// arrived when all flags have. A slab that is the whole box has no neighbours.
template <class Real>
void fused_step(const Slabs<Real>& slabs, Transport& transport, const StepPlan& plan) {
  const bool alone = slabs.front().is_alone();
  for (const StageOfStep& stage : ssp_rk3(plan.result)) {
    const int next = number_of(stage.next);
    await_copies(slabs, stage, plan);
    for (std::size_t i = 0; i < slabs.size(); ++i) {
      const int number = plan.first_slab + static_cast<int>(i);
      slabs[i].sweep_whole(stage, alone ? PeerGhosts{} : transport.peer_ghosts(number, next),
                           plan.flags_end_it);
    }
    if (alone) continue;
    if (plan.flags_end_it) {
      if (!stage.weights.last) exchanging(slabs, [&] { transport.start(next); });
      continue;
    }
    exchanging(slabs, [&] { transport.start(next), transport.finish(next); });
    for (const SlabFlow<Real>& slab : slabs) slab.engine().note_arrival(stage.number);
  }
  transport.reduce();
}

}  // namespace tayra
