// Steps as devices are given them: one by one, or as graphs of one and of several.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "grid/ranks.hpp"
#include "halo/transport.hpp"
#include "solver/step.hpp"

namespace tayra {

template <class Real>
class StepRunner {
 public:
  /// The slabs must stay where they are. Steps that differ are none for a graph, which repeats what it holds.
  StepRunner(const Slabs<Real>& slabs, int first_slab, const Reduction& reduction, bool steps_differ)
      : slabs_(slabs),
        reduction_(reduction),
        steps_differ_(steps_differ),
        plan_{.first_slab = first_slab},
        others_are_awaited_(ranks().size() > 1 ||
                            (slabs.size() > 1 && slabs.front().device().kind == DeviceKind::cuda)),
        passed_{Event(slabs.front().device()), Event(slabs.front().device())} {}
  /// Memory is freed only when no GPU waits for another any more, and the watchdog sees it if one does for
  /// ever.
  ~StepRunner() {
    if (!others_are_awaited_ || !transport_) return;
    try {
      const Doing doing(Phase::computing);
      for (const Queue* queue : queues()) await_done(*queue);
    } catch (const Error&) {  // a broken GPU waits for nobody
    }
  }
  StepRunner(const StepRunner&) = delete;
  StepRunner& operator=(const StepRunner&) = delete;

  /// The next may want the same memory.
  void drop_transport() {
    graphs_.clear();
    transport_.reset();
  }
  /// All ranks must use it together.
  void use_transport(std::unique_ptr<Transport> transport) {
    transport_ = std::move(transport);
    traits_ = transport_->traits();
    way_ = reduction_.way(traits_);
    plan_.flags_end_it = way_ == ReductionWay::flags;
    for (const SlabFlow<Real>& slab : slabs_)
      slab.engine().use_one_queue(is_fused() && plan_.flags_end_it ? std::optional(slab.whole_part())
                                                                   : std::nullopt);
  }
  const TransportTraits& traits() const { return traits_; }
  ReductionWay reduction() const { return way_; }

  /// Where no sweep has written the boundary planes: at the start of a run.
  void exchange_start() const {
    transport_->exchange(number_of(Field::u));
    for (const Queue* queue : queues()) await_done(*queue);
  }

  /// Where steps leave what they have computed; u, unless they are tried.
  void set_result(Field result) {
    graphs_.clear();  // recorded with the old field
    plan_.result = result;
  }
  /// Fields or copies are being made from u: the next step's last stage waits for them.
  void note_copies() { plan_.copies_under_way = true; }

  /// Enqueues a step, or as many as a graph holds, but not more than `most`. Returns how many.
  int run(std::int64_t number, std::int64_t most) {
    stay_near_the_flow();
    const int steps = enqueue(number, most);
    if (graphs_.empty() && can_be_recorded()) record_graphs();
    return steps;
  }
  /// Steps run so far. Epochs are never counted again: flags of old ones may still be set.
  unsigned epoch() const { return epoch_; }

  /// What is run next comes after all that is enqueued.
  void follow_all() const { gather(queues()); }

  /// All queues follow the first. Where GPUs may wait for others the host then awaits the interiors' queues:
  /// what comes after would wait for lost ranks where no watchdog looks.
  void await_flow() const {
    fork(queues());
    await_interiors();
  }

 private:
  static constexpr unsigned steps_between_looks = 16;
  struct StepGraph {
    int steps;
    std::unique_ptr<WorkGraph> work;
  };
  /// Between two graphs a GPU pauses for longer than between kernels of one: the longest that fits is taken.
  static constexpr std::array steps_of_long_graphs{64, 16, 4};

  /// Strips of rows at an edge are swept by themselves, whoever carries them: so they may as well come first.
  bool is_fused() const {
    const SlabFlow<Real>& slab = slabs_.front();
    return slab.is_alone() || (traits_.sweeps_store && !slab.has_cut_rows());
  }

  void enqueue_step() const {
    is_fused() ? fused_step(slabs_, *transport_, plan_) : overlapped_step(slabs_, *transport_, plan_);
  }

  int enqueue(std::int64_t number, std::int64_t most) {
    ranks().work().begin_step(number);
    int steps = 1;
    if (graphs_.empty() || plan_.copies_under_way) {
      step_without_graph();
    } else {
      const StepGraph& longest = *std::find_if(
          graphs_.begin(), graphs_.end(), [most](const StepGraph& graph) { return graph.steps <= most; });
      longest.work->launch();
      steps = longest.steps;
    }
    if (way_ == ReductionWay::hosts) end_step_by_hosts();
    epoch_ += steps;
    return steps;
  }

  /// As the graph does it, all queues of a group after its first and that after all.
  void step_without_graph() {
    for (const QueueGroup& group : queue_groups()) fork(group);
    enqueue_step();
    for (const QueueGroup& group : queue_groups()) gather(group);
    plan_.copies_under_way = false;
  }

  void end_step_by_hosts() const {
    fork(queues());
    const Doing doing(Phase::merging);
    await_interiors();
    reduction_.end_by_hosts(epoch_);
    gather(queues());
  }

  bool can_be_recorded() const {
    return !steps_differ_ && slabs_.front().device().kind == DeviceKind::cuda &&
           (slabs_.front().is_alone() || traits_.recordable);
  }

  /// After a first step without, so that nothing is loaded or set up while a graph is recorded.
  void record_graphs() {
    fork(queues());
    // Elsewhere slabs would have to wait for each other between steps.
    if (plan_.flags_end_it)
      for (const int steps : steps_of_long_graphs) graphs_.push_back(graph_of(steps));
    graphs_.push_back(graph_of(1));
    gather(queues());
  }

  StepGraph graph_of(int steps) const {
    return {steps, std::make_unique<WorkGraph>(queue_groups(), [this, steps] {
              for (int i = 0; i < steps; ++i) enqueue_step();
            })};
  }

  void await_interiors() const {
    if (!others_are_awaited_) return;
    for (const SlabFlow<Real>& slab : slabs_) await_done(slab.engine().queue(SlabPart::interior));
  }

  /// With CUDA's queues full, a launch would block the host for as long as its GPU waits for a lost rank.
  void stay_near_the_flow() {
    if (!others_are_awaited_ || (looks_ > 0 && epoch_ - last_look_ < steps_between_looks)) return;
    const Event& passed = passed_[looks_++ % 2];
    await_done(passed);
    passed.record(slabs_.front().engine().queue(SlabPart::interior));
    last_look_ = epoch_;
  }

  QueueGroup queues() const {
    QueueGroup all;
    for (const SlabFlow<Real>& slab : slabs_) {
      const QueueGroup queues = slab.engine().queues();
      all.insert(all.end(), queues.begin(), queues.end());
    }
    return all;
  }

  std::vector<QueueGroup> queue_groups() const {
    if (!plan_.flags_end_it) return {queues()};
    std::vector<QueueGroup> groups;
    for (const SlabFlow<Real>& slab : slabs_) groups.push_back(slab.engine().queues());
    return groups;
  }

  const Slabs<Real>& slabs_;
  const Reduction& reduction_;
  bool steps_differ_;
  StepPlan plan_;
  bool others_are_awaited_;  // by GPUs of this process
  std::unique_ptr<Transport> transport_;
  TransportTraits traits_;
  ReductionWay way_ = ReductionWay::table;
  std::vector<StepGraph> graphs_;  // the longest first
  unsigned epoch_ = 0, last_look_ = 0, looks_ = 0;
  std::array<Event, 2> passed_;
};

}  // namespace tayra
