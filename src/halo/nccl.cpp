// Halo backend `nccl`: grouped send and receive on a queue of each GPU's own.
#include <cuda_runtime.h>

#include <algorithm>
#include <map>
#include <optional>

#include "core/cuda_check.hpp"
#include "core/cuda_queue.hpp"
#include "grid/together.hpp"
#include "halo/gathered_reports.hpp"
#include "halo/nccl_library.hpp"
#include "halo/slab_gpus.hpp"
#include "halo/transport.hpp"

namespace tayra {
namespace {

void check_nccl(ncclResult_t status, const char* doing) {
  const bool lost =
      status == ncclUnhandledCudaError || status == ncclSystemError || status == ncclRemoteError;
  require(status == ncclSuccess, lost ? ExitCode::lost : ExitCode::failed,
          std::string("NCCL failed while ") + doing + ": " + nccl().error_text(status));
}

/// A machine on which NCCL cannot start has other ways.
void check_started(ncclResult_t status) {
  require(status == ncclSuccess, ExitCode::unavailable,
          std::string("NCCL failed while starting: ") + nccl().error_text(status));
}

std::vector<int> distinct_devices(const HaloSite& site) {
  std::vector<int> devices = site.gpus();
  std::sort(devices.begin(), devices.end());
  devices.erase(std::unique(devices.begin(), devices.end()), devices.end());
  return devices;
}

/// Of the GPUs of this process.
class Communicators {
 public:
  using Key = std::pair<std::vector<int>, std::vector<int>>;  // GPUs here, member number by slab

  /// Connecting takes seconds, so halos that live at the same time share what they have in common. All ranks
  /// must call it together.
  static std::shared_ptr<Communicators> between(const Key& key, int total) {
    static std::map<Key, std::weak_ptr<Communicators>> in_use;
    auto found = in_use[key].lock();
    const auto everywhere = ranks().gather_values(int(found != nullptr));
    if (std::find(everywhere.begin(), everywhere.end(), 0) != everywhere.end())
      in_use[key] = found = std::make_shared<Communicators>(key, total);
    return found;
  }

  Communicators(const Key& key, int total) {
    ncclUniqueId id;
    check_started(ranks().from_first(ranks().is_first() ? nccl().get_unique_id(&id) : ncclSuccess));
    ranks().broadcast(&id, sizeof id);
    const auto counts = ranks().gather_values(static_cast<int>(key.first.size()));
    int number = 0;
    for (int rank = 0; rank < ranks().rank(); ++rank) number += counts[rank];
    try {
      do_together([&] { check_started(start(key.first, total, id, number)); });
    } catch (const Error&) {  // the destructor won't
      for (auto& [device, communicator] : by_device_)
        if (communicator != nullptr) nccl().abort(communicator);
      throw;
    }
  }
  ~Communicators() {
    for (auto& [device, communicator] : by_device_) nccl().destroy(communicator);
  }
  Communicators(const Communicators&) = delete;
  Communicators& operator=(const Communicators&) = delete;

  ncclComm_t of(int device) const { return by_device_.at(device); }

 private:
  /// Whatever fails, no group is left open.
  ncclResult_t start(const std::vector<int>& devices, int total, const ncclUniqueId& id, int number) {
    ncclResult_t status = nccl().group_start();
    if (status != ncclSuccess) return status;
    for (const int device : devices) {
      const UseDevice use(device);
      if (status == ncclSuccess) status = nccl().init_rank(&by_device_[device], total, id, number++);
    }
    const ncclResult_t ended = nccl().group_end();
    return status == ncclSuccess ? ended : status;
  }

  std::map<int, ncclComm_t> by_device_;
};

/// A GPU as a member of NCCL's communicator.
struct Member {
  explicit Member(int device)
      : queue({DeviceKind::cuda, device}, Priority::high),
        arrived(field_events({DeviceKind::cuda, device})) {}

  ncclComm_t communicator = nullptr;
  Queue queue;
  FieldEvents arrived;
  std::vector<const Queue*> slab_queues;
};

class NcclTransport final : public Transport {
 public:
  explicit NcclTransport(HaloSite site) : Transport(std::move(site)) {
    number_members();
    connect();
    if (site_.reduction && site_.reduction->way(traits()) == ReductionWay::gathered)
      reports_.emplace(site_.slabs, total_);
  }

  void start_moves(int field) override {
    for (auto& [device, member] : members_) {
      std::vector<const Queue*> queues{&member.queue};
      queues.insert(queues.end(), member.slab_queues.begin(), member.slab_queues.end());
      gather(queues);
    }
    check_nccl(nccl().group_start(), "starting an exchange");
    for (const Move& move : site_.plan.moves) {
      if (site_.is_here(move.source_slab)) {
        const Member& member = member_of(move.source_slab);
        check_nccl(
            nccl().send(site_.source(move, field), move.bytes, ncclInt8,
                        member_number_[move.destination_slab], member.communicator, stream_of(member.queue)),
            "sending edges");
      }
      if (site_.is_here(move.destination_slab)) {
        const Member& member = member_of(move.destination_slab);
        check_nccl(
            nccl().receive(site_.destination(move, field), move.bytes, ncclInt8,
                           member_number_[move.source_slab], member.communicator, stream_of(member.queue)),
            "receiving edges");
      }
    }
    check_nccl(nccl().group_end(), "exchanging edges");
    for (auto& [device, member] : members_) member.arrived[field].record(member.queue);
  }

  void finish_moves(int field) override {
    for (auto& [device, member] : members_)
      for (const Queue* queue : member.slab_queues) queue->wait(member.arrived[field]);
  }

  void reduce() override {
    if (!reports_) return Transport::reduce();
    reports_->publish();
    check_nccl(nccl().group_start(), "starting to gather");
    for (const GatheredReports::Gpu& gpu : reports_->gpus())
      check_nccl(nccl().all_gather(gpu.published.data(), gpu.of_all.data(), gpu.published.bytes(), ncclInt8,
                                   communicators_->of(gpu.queues.front()->device().number),
                                   stream_of(*gpu.queues.front())),
                 "gathering");
    check_nccl(nccl().group_end(), "gathering");
    reports_->end_step();
  }

  TransportTraits traits() const override { return {.recordable = true, .gathers_reports = true}; }

 private:
  Member& member_of(int slab) { return members_.at(site_.queue(slab).device().number); }

  /// GPUs of the first rank first.
  void number_members() {
    const auto devices = distinct_devices(site_);
    const auto counts = ranks().gather_values(static_cast<int>(devices.size()));
    int first = 0;
    for (int rank = 0; rank < ranks().rank(); ++rank) first += counts[rank];
    total_ = 0;
    for (const int count : counts) total_ += count;

    std::vector<int> mine(site_.rank_of_slab.size(), -1), all(mine.size() * ranks().size());
    for (std::size_t i = 0; i < site_.slabs.size(); ++i) {
      const int device = site_.slabs[i].queue->device().number;
      const auto place = std::find(devices.begin(), devices.end(), device) - devices.begin();
      mine[site_.first_slab + i] = first + static_cast<int>(place);
      Member& member = members_.try_emplace(device, device).first->second;
      member.slab_queues.push_back(site_.slabs[i].queue);
    }
    ranks().gather_to_all(mine.data(), mine.size() * sizeof(int), all.data());
    for (std::size_t slab = 0; slab < mine.size(); ++slab)
      member_number_.push_back(all[site_.rank_of_slab[slab] * mine.size() + slab]);
  }

  void connect() {
    communicators_ = Communicators::between({distinct_devices(site_), member_number_}, total_);
    for (auto& [device, member] : members_) member.communicator = communicators_->of(device);
  }

  std::shared_ptr<Communicators> communicators_;
  std::map<int, Member> members_;   // by GPU of this process
  std::vector<int> member_number_;  // by slab
  int total_ = 0;
  std::optional<GatheredReports> reports_;
};

}  // namespace

std::unique_ptr<Transport> make_nccl_transport(HaloSite site) {
  return std::make_unique<NcclTransport>(std::move(site));
}

std::string nccl_lacks(const HaloPlace& place) {
  return ranks_share_a_gpu(place) ? "ranks share a GPU, and NCCL needs one for each" : nccl().missing;
}

}  // namespace tayra
