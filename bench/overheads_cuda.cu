// Copies to and from the host, between GPUs and from every NUMA node; launches, graphs, synchronisation, host
// functions, stream memory operations.
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>
#include <sched.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "bench/overheads.hpp"
#include "core/cuda_check.hpp"
#include "core/cuda_queue.hpp"
#include "core/device.hpp"

namespace tayra {
namespace {

constexpr int gpu = 0;

__global__ void nothing_kernel() {}

void launch_nothing(cudaStream_t stream) {
  nothing_kernel<<<1, 1, 0, stream>>>();
  check_cuda(cudaGetLastError(), "launching an empty kernel");
}

/// Of calls that are enqueued one after the other and waited for once.
template <class Call>
Spread enqueued(const OverheadPlan& plan, const Queue& queue, const Call& call) {
  return microseconds_per_call(plan.measuring, [&](int count) {
    for (int i = 0; i < count; ++i) call();
    queue.synchronize();
  });
}

/// Of calls each of which is waited for.
template <class Call>
Spread awaited(const OverheadPlan& plan, const Queue& queue, const Call& call) {
  return microseconds_per_call(plan.measuring, [&](int count) {
    for (int i = 0; i < count; ++i) {
      call();
      queue.synchronize();
    }
  });
}

void measure_host_copies(const OverheadPlan& plan, const AddOverhead& add) {
  const Device device{DeviceKind::cuda, gpu};
  const Queue queue(device);
  for (const std::uint64_t bytes : overhead_sizes(plan)) {
    const Buffer<std::byte> on_gpu(device, bytes), pinned(device, bytes, Memory::pinned);
    std::vector<std::byte> pageable(bytes);
    for (const auto& [name, memory] :
         {std::pair{"pinned", pinned.data()}, std::pair{"pageable", pageable.data()}}) {
      add({"copy_to_gpu", name, bytes,
           awaited(plan, queue, [&, memory = memory] { queue.copy(on_gpu.data(), memory, bytes); })});
      add({"copy_from_gpu", name, bytes,
           awaited(plan, queue, [&, memory = memory] { queue.copy(memory, on_gpu.data(), bytes); })});
    }
    add({"copy_to_gpu", "pinned, allocated each time", bytes,
         microseconds_per_call(plan.measuring, [&](int count) {
           for (int i = 0; i < count; ++i) {
             const Buffer<std::byte> fresh(device, bytes, Memory::pinned);
             queue.copy(on_gpu.data(), fresh.data(), bytes);
             queue.synchronize();
           }
         })});
    add({"copy_to_gpu", "pageable, allocated each time", bytes,
         microseconds_per_call(plan.measuring, [&](int count) {
           for (int i = 0; i < count; ++i) {
             const std::vector<std::byte> fresh(bytes);
             queue.copy(on_gpu.data(), fresh.data(), bytes);
             queue.synchronize();
           }
         })});
  }
}

void disable_peer_access(int from, int to) {
  const UseDevice use(from);
  const cudaError_t status = cudaDeviceDisablePeerAccess(to);
  if (status == cudaErrorPeerAccessNotEnabled)
    cudaGetLastError();
  else
    check_cuda(status, "disabling peer access");
}

void measure_peer_copies(const OverheadPlan& plan, const AddOverhead& add) {
  if (cuda_devices().size() < 2 || !has_peer_access(0, 1) || !has_peer_access(1, 0)) return;
  const Device first{DeviceKind::cuda, 0}, second{DeviceKind::cuda, 1};
  for (const char* access : {"peer access off", "peer access on"}) {
    disable_peer_access(0, 1);
    disable_peer_access(1, 0);
    if (std::string(access) == "peer access on") enable_peer_access({0, 1});
    const Queue queue(first);
    for (const std::uint64_t bytes : overhead_sizes(plan)) {
      const Buffer<std::byte> from(first, bytes), to(second, bytes);
      add({"copy_to_peer", access, bytes,
           awaited(plan, queue, [&] { queue.copy(to.data(), from.data(), bytes); })});
    }
  }
}

std::string folder_of_node(int node) { return "/sys/devices/system/node/node" + std::to_string(node); }

/// "0-3,8" of /sys; empty where a node has memory alone.
std::vector<int> cores_of_node(int node) {
  std::ifstream file(folder_of_node(node) + "/cpulist");
  std::vector<int> cores;
  for (std::string range; std::getline(file, range, ',');) {
    if (range.empty() || range == "\n") continue;
    const auto dash = range.find('-');
    const int first = std::stoi(range);
    const int last = dash == std::string::npos ? first : std::stoi(range.substr(dash + 1));
    for (int core = first; core <= last; ++core) cores.push_back(core);
  }
  return cores;
}

/// Runs this thread on a node for a scope.
class OnNode {
 public:
  explicit OnNode(int node) {
    cpu_set_t wanted;
    is_known_ = sched_getaffinity(0, sizeof before_, &before_) == 0;  // not on more than 1,024 cores
    if (!is_known_) return;
    CPU_ZERO(&wanted);
    for (const int core : cores_of_node(node))
      if (core < CPU_SETSIZE && CPU_ISSET(core, &before_)) CPU_SET(core, &wanted);
    there_ = CPU_COUNT(&wanted) > 0 && sched_setaffinity(0, sizeof wanted, &wanted) == 0;
  }
  ~OnNode() {
    if (is_known_) sched_setaffinity(0, sizeof before_, &before_);
  }
  OnNode(const OnNode&) = delete;
  OnNode& operator=(const OnNode&) = delete;
  bool there() const { return there_; }

 private:
  cpu_set_t before_;
  bool is_known_;
  bool there_ = false;
};

/// Pinned memory lies on the node whose core allocates it.
void measure_numa_nodes(const OverheadPlan& plan, const AddOverhead& add) {
  const std::uint64_t bytes = std::min<std::uint64_t>(plan.most_bytes, 16 << 20);
  for (int node = 0; std::filesystem::exists(folder_of_node(node)); ++node) {
    const OnNode here(node);
    if (!here.there()) continue;
    for (std::size_t number = 0; number < cuda_devices().size(); ++number) {
      const Device device{DeviceKind::cuda, static_cast<int>(number)};
      const Queue queue(device);
      const Buffer<std::byte> on_gpu(device, bytes), pinned(device, bytes, Memory::pinned);
      add({"copy_from_numa_node", "node " + std::to_string(node) + ", GPU " + std::to_string(number), bytes,
           awaited(plan, queue, [&] { queue.copy(on_gpu.data(), pinned.data(), bytes); })});
    }
  }
}

void measure_launches(const OverheadPlan& plan, const AddOverhead& add) {
  const Queue queue({DeviceKind::cuda, gpu});
  const auto launch = [&] { launch_nothing(stream_of(queue)); };
  add({"launch", "one after the other", 0, enqueued(plan, queue, launch)});
  add({"launch", "each waited for", 0, awaited(plan, queue, launch)});
  constexpr int nodes = 100;
  const WorkGraph graph({QueueGroup{&queue}}, [&] {
    for (int i = 0; i < nodes; ++i) launch();
  });
  const Spread whole = enqueued(plan, queue, [&] { graph.launch(); });
  add({"graph_launch", std::to_string(nodes) + " nodes, the whole", 0, whole});
  add({"graph_launch",
       std::to_string(nodes) + " nodes, each",
       0,
       {whole.median / nodes, whole.least / nodes, whole.most / nodes}});
}

/// Restores how the host waits for a GPU.
class ScheduleFlags {
 public:
  ScheduleFlags() { check_cuda(cudaGetDeviceFlags(&before_), "asking how the host waits"); }
  ~ScheduleFlags() { cudaSetDeviceFlags(before_); }
  ScheduleFlags(const ScheduleFlags&) = delete;
  ScheduleFlags& operator=(const ScheduleFlags&) = delete;

 private:
  unsigned before_ = 0;
};

void measure_synchronisation(const OverheadPlan& plan, const AddOverhead& add) {
  const ScheduleFlags restored;
  for (const auto& [name, flags] :
       {std::pair{"spin", cudaDeviceScheduleSpin}, std::pair{"yield", cudaDeviceScheduleYield},
        std::pair{"blocking", cudaDeviceScheduleBlockingSync}}) {
    check_cuda(cudaSetDeviceFlags(static_cast<unsigned>(flags)), "choosing how the host waits");
    const Queue queue({DeviceKind::cuda, gpu});
    add({"launch_and_synchronize_stream", name, 0,
         awaited(plan, queue, [&] { launch_nothing(stream_of(queue)); })});
    cudaEvent_t event = nullptr;
    const bool blocks = std::string(name) == "blocking";
    check_cuda(
        cudaEventCreateWithFlags(&event, cudaEventDisableTiming | (blocks ? cudaEventBlockingSync : 0u)),
        "creating an event");
    add({"launch_and_synchronize_event", name, 0, microseconds_per_call(plan.measuring, [&](int count) {
           for (int i = 0; i < count; ++i) {
             launch_nothing(stream_of(queue));
             check_cuda(cudaEventRecord(event, stream_of(queue)), "recording an event");
             check_cuda(cudaEventSynchronize(event), "waiting for an event");
           }
         })});
    check_cuda(cudaEventDestroy(event), "destroying an event");
  }
}

template <class Function>
Function driver_function(const char* name) {
  void* address = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  constexpr unsigned since_cuda_11_7 = 11070;
  check_cuda(cudaGetDriverEntryPointByVersion(name, &address, since_cuda_11_7, cudaEnableDefault, &found),
             "looking for stream memory operations");
  require(found == cudaDriverEntryPointSuccess, ExitCode::failed, std::string("this driver has no ") + name);
  return reinterpret_cast<Function>(address);
}

void measure_stream_work(const OverheadPlan& plan, const AddOverhead& add) {
  const Device device{DeviceKind::cuda, gpu};
  const Queue queue(device);
  const Event event(device);
  add({"event_record", "one after the other", 0, enqueued(plan, queue, [&] { event.record(queue); })});
  add({"host_function", "one after the other", 0, enqueued(plan, queue, [&] {
         check_cuda(cudaLaunchHostFunc(
                        stream_of(queue), [](void*) {}, nullptr),
                    "enqueueing a host function");
       })});
  const auto write = driver_function<PFN_cuStreamWriteValue32_v11070>("cuStreamWriteValue32");
  const auto wait = driver_function<PFN_cuStreamWaitValue32_v11070>("cuStreamWaitValue32");
  const Buffer<std::uint32_t> word(device, 1);
  const auto address = reinterpret_cast<CUdeviceptr>(word.data());
  const UseDevice use(gpu);
  const auto check = [](CUresult status) {
    require(status == CUDA_SUCCESS, ExitCode::failed,
            "a stream memory operation failed (CUDA driver's status " + std::to_string(int(status)) + ")");
  };
  add({"stream_memory_operation", "write", 0,
       enqueued(plan, queue, [&] { check(write(stream_of(queue), address, 1, 0)); })});
  add({"stream_memory_operation", "wait for what is there", 0,
       enqueued(plan, queue, [&] { check(wait(stream_of(queue), address, 1, CU_STREAM_WAIT_VALUE_GEQ)); })});
}

}  // namespace

void measure_gpu_overheads(const OverheadPlan& plan, const AddOverhead& add) {
  const UseDevice use(gpu);
  measure_host_copies(plan, add);
  measure_peer_copies(plan, add);
  measure_numa_nodes(plan, add);
  measure_launches(plan, add);
  measure_stream_work(plan, add);
  measure_synchronisation(plan, add);
}

}  // namespace tayra
