// Steps as devices are given them: one by one, or as graphs of one and of several.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/named_range.hpp"
#include "grid/ranks.hpp"
#include "halo/await_gpu.hpp"
#include "halo/halo.hpp"
#include "solver/placement.hpp"
#include "solver/slab_flow.hpp"
#include "solver/step_end.hpp"
#include "solver/time_step.hpp"

namespace tayra {

template <class Real>
class StepRunner {
 public:
  /// All ranks must construct it together; the slabs must stay where they are.
  StepRunner(const std::vector<SlabFlow<Real>>& slabs, const Placement& placement, double patience)
      : slabs_(slabs),
        first_slab_(placement.first_slab),
        step_end_(slabs, placement, patience),
        passed_{Event(slabs.front().device()), Event(slabs.front().device())} {}

  /// The next may want the same memory.
  void drop_halo() {
    graphs_.clear();
    halo_.reset();
  }
  void use_halo(std::unique_ptr<Halo> halo) {
    halo_ = std::move(halo);
    step_end_.choose(*halo_);
  }
  std::string halo_path() const { return halo_->path(); }
  const char* step_end() const { return step_end_.name(); }

  void exchange_unswept() const {
    halo_->send_unswept(number_of(Field::u));
    halo_->wait(number_of(Field::u));
    for (const Queue* queue : queues()) await_done(*queue);
  }

  /// Where steps leave what they have computed; u, unless they are tried.
  void set_result(Field result) {
    graphs_.clear();  // recorded with the old field
    result_ = result;
  }
  /// Fields or copies are being made from u: the next step's last stage waits for them.
  void note_copies() { copies_under_way_ = true; }

  /// Enqueues a step, or as many as a graph holds, but not more than `most`. Returns how many.
  int run(std::int64_t number, std::int64_t most) {
    stay_near_the_flow();
    const int steps = enqueue(number, most);
    if (graphs_.empty() && can_be_recorded()) record_graphs();
    return steps;
  }
  /// Steps run so far. Turns are never counted again: letters of old ones may still lie about.
  unsigned turns() const { return turns_; }

  /// What is run next comes after all that is enqueued.
  void follow_all() const { gather(queues()); }

  /// All queues follow the first. With several ranks the host then awaits the cores' queues: what comes after
  /// would wait for lost ranks where no watchdog looks.
  void await_flow() const {
    fork(queues());
    await_cores();
  }
  /// Throws when a GPU or a rank has given up waiting.
  void check() const {
    halo_->check();
    step_end_.check();
  }

 private:
  static constexpr unsigned steps_between_looks = 16;
  struct StepGraph {
    int steps;
    std::unique_ptr<WorkGraph> work;
  };
  /// Between two graphs a GPU pauses for longer than between kernels of one: the longest that fits is taken.
  static constexpr std::array steps_of_long_graphs{64, 16, 4};

  int enqueue(std::int64_t number, std::int64_t most) {
    const NamedRange range("step");
    ranks().work().begin_step(number);
    int steps = 1;
    if (graphs_.empty() || copies_under_way_) {
      run_part_by_part();
    } else {
      const StepGraph& longest = *std::find_if(
          graphs_.begin(), graphs_.end(), [most](const StepGraph& graph) { return graph.steps <= most; });
      longest.work->launch();
      steps = longest.steps;
    }
    if (step_end_.way() == StepEndWay::hosts) end_step_by_hosts();
    turns_ += steps;
    return steps;
  }

  void enqueue_recordable_part() const {
    TimeStep<Real>(slabs_, first_slab_, *halo_, step_end_).enqueue(result_, copies_under_way_);
  }

  /// As the graph does it, all queues of a group after its first and that after all.
  void run_part_by_part() {
    for (const QueueGroup& group : queue_groups()) fork(group);
    enqueue_recordable_part();
    for (const QueueGroup& group : queue_groups()) gather(group);
    copies_under_way_ = false;
  }

  void end_step_by_hosts() const {
    fork(queues());
    const Doing doing(Phase::merging);
    await_cores();
    step_end_.end_by_hosts(turns_);
    gather(queues());
  }

  bool can_be_recorded() const {
    return slabs_.front().device().kind == DeviceKind::cuda &&
           (slabs_.front().is_alone() || halo_->can_be_recorded());
  }

  /// After a first step without, so that nothing is loaded or set up while a graph is recorded.
  void record_graphs() {
    fork(queues());
    // Elsewhere slabs would have to wait for each other between steps.
    if (step_end_.way() == StepEndWay::letterboxes)
      for (const int steps : steps_of_long_graphs) graphs_.push_back(graph_of(steps));
    graphs_.push_back(graph_of(1));
    gather(queues());
  }

  StepGraph graph_of(int steps) const {
    return {steps, std::make_unique<WorkGraph>(queue_groups(), [this, steps] {
              for (int i = 0; i < steps; ++i) enqueue_recordable_part();
            })};
  }

  void await_cores() const {
    if (ranks().size() == 1) return;
    for (const SlabFlow<Real>& slab : slabs_) await_done(slab.engine().queue(SlabPart::core));
  }

  /// With CUDA's queues full, a launch would block the host for as long as its GPU waits for a lost rank.
  void stay_near_the_flow() {
    if (ranks().size() == 1 || (looks_ > 0 && turns_ - last_look_ < steps_between_looks)) return;
    const Event& passed = passed_[looks_++ % 2];
    await_done(passed);
    passed.record(slabs_.front().engine().queue(SlabPart::core));
    last_look_ = turns_;
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
    if (step_end_.way() != StepEndWay::letterboxes) return {queues()};
    std::vector<QueueGroup> groups;
    for (const SlabFlow<Real>& slab : slabs_) groups.push_back(slab.engine().queues());
    return groups;
  }

  const std::vector<SlabFlow<Real>>& slabs_;
  int first_slab_;
  StepEnd<Real> step_end_;
  std::unique_ptr<Halo> halo_;
  std::vector<StepGraph> graphs_;  // the longest first
  Field result_ = Field::u;
  bool copies_under_way_ = false;
  unsigned turns_ = 0, last_look_ = 0, looks_ = 0;
  std::array<Event, 2> passed_;
};

}  // namespace tayra
