// The device layer of a build with CUDA.
#include <cuda_runtime.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <deque>
#include <set>

#include "core/cuda_check.hpp"
#include "core/cuda_pieces.hpp"
#include "core/cuda_queue.hpp"
#include "core/device.hpp"
#include "core/host_memory.hpp"

namespace tayra {

bool built_with_cuda() { return true; }

namespace {

/// A queue that waits for another GPU must never hold up one that this GPU still has to work off: each gets a
/// hardware queue of its own, which CUDA wants to be told before it starts.
cudaError_t count_devices(int& count) {
  constexpr int keep_what_the_user_set = 0;
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", keep_what_the_user_set);
  return cudaGetDeviceCount(&count);
}

cudaDeviceProp properties_of(int gpu) {
  cudaDeviceProp properties{};
  check_cuda(cudaGetDeviceProperties(&properties, gpu), "reading a GPU's properties");
  return properties;
}

int capability_of(const cudaDeviceProp& gpu) { return 10 * gpu.major + gpu.minor; }

/// None where this build has no code for it.
std::optional<GpuClass> class_of_gpu(const cudaDeviceProp& gpu) {
  const std::optional<int> code = code_for(capability_of(gpu), TAYRA_CUDA_ARCHITECTURES);
  if (!code) return std::nullopt;
  const char* most = std::getenv("TAYRA_GPU_CLASS");
  return class_of(*code, gpu.sharedMemPerMultiprocessor,
                  most != nullptr ? std::strtoull(most, nullptr, 10) * 1024 : gpu.sharedMemPerMultiprocessor);
}

double bytes_per_second(int gpu) {
  int kilohertz = 0, bits = 0;
  check_cuda(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrMemoryClockRate, gpu), "reading a memory's clock");
  check_cuda(cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, gpu), "reading a memory's width");
  constexpr double transfers_a_clock = 2;
  return transfers_a_clock * 1e3 * kilohertz * bits / 8;
}

bool lies_on(const void* memory, Device device) {
  cudaPointerAttributes attributes{};
  check_cuda(cudaPointerGetAttributes(&attributes, memory), "asking where memory lies");
  return attributes.type == cudaMemoryTypeDevice && attributes.device == device.number;
}

/// Containers and drivers may forbid it: another way will do.
void check_sharing(cudaError_t status, const char* doing) {
  if (status == cudaSuccess || loses_the_gpu(status)) return check_cuda(status, doing);
  cudaGetLastError();
  throw Error(ExitCode::unavailable, std::string("CUDA refused ") + doing + " (" +
                                         cudaGetErrorString(status) + "): take another halo backend");
}

cudaEvent_t event_of(const Event& event) { return static_cast<cudaEvent_t>(event.handle()); }

}  // namespace

std::vector<DeviceInfo> cuda_devices() {
  int count = 0;
  if (count_devices(count) != cudaSuccess) {
    cudaGetLastError();
    return {};
  }
  std::vector<DeviceInfo> devices;
  for (int number = 0; number < count; ++number) {
    const cudaDeviceProp properties = properties_of(number);
    const std::optional<GpuClass> kind = class_of_gpu(properties);
    if (!kind) break;  // CUDA numbers the fastest first, unless told otherwise
    devices.push_back({properties.name, properties.totalGlobalMem, capability_of(properties), *kind,
                       bytes_per_second(number)});
  }
  return devices;
}

std::uint64_t free_gpu_memory(int gpu) {
  const UseDevice use(gpu);
  std::size_t free = 0, total = 0;
  check_cuda(cudaMemGetInfo(&free, &total), "reading a GPU's free memory");
  return free;
}

std::string why_no_cuda() {
  int count = 0;
  const cudaError_t status = count_devices(count);
  if (status == cudaSuccess && count > 0) {
    const cudaDeviceProp first = properties_of(0);
    if (class_of_gpu(first)) return "";
    if (const char* most = std::getenv("TAYRA_GPU_CLASS"))
      return fmt::format("this build has no tiles for TAYRA_GPU_CLASS={}: unset it, or see decision 0018",
                         most);
    return fmt::format(
        "{} has compute capability {}.{}, and this build has code for {}: build it with "
        "-DCMAKE_CUDA_ARCHITECTURES={}{}{}",
        first.name, first.major, first.minor, TAYRA_CUDA_ARCHITECTURES, first.major, first.minor,
        count > 1 ? ", or hide this GPU with CUDA_VISIBLE_DEVICES" : "");
  }
  cudaGetLastError();
  if (status == cudaErrorInsufficientDriver)
    return "no NVIDIA driver is there, or it is too old for this CUDA";
  return status == cudaSuccess ? "no GPU was found"
                               : std::string("no GPU can be used: ") + cudaGetErrorString(status);
}

GpuShape gpu_shape(int gpu) {
  const cudaDeviceProp properties = properties_of(gpu);
  return {class_of_gpu(properties).value(), properties.multiProcessorCount};
}

std::string device_name(Device device) {
  if (device.kind == DeviceKind::cpu) return "CPU";
  return fmt::format("{} (GPU {})", properties_of(device.number).name, device.number);
}

std::string device_identity(Device device) {
  if (device.kind == DeviceKind::cpu) return "";
  return std::string(properties_of(device.number).uuid.bytes, gpu_identity_bytes);
}

bool has_peer_access(int from, int to) {
  if (from == to) return true;
  int can = 0;
  check_cuda(cudaDeviceCanAccessPeer(&can, from, to), "querying peer access");
  return can != 0;
}

std::string link_between(int from, int to) {
  if (!has_peer_access(from, to)) return "no peer access: copies go through the host";
  int rank = 0, atomics = 0;
  check_cuda(cudaDeviceGetP2PAttribute(&rank, cudaDevP2PAttrPerformanceRank, from, to), "querying a link");
  check_cuda(cudaDeviceGetP2PAttribute(&atomics, cudaDevP2PAttrNativeAtomicSupported, from, to),
             "querying a link");
  return "peer access, performance rank " + std::to_string(rank) +
         (atomics ? ", native atomics" : ", no atomics");
}

static_assert(sizeof(MemoryHandle) == sizeof(cudaIpcMemHandle_t));

MemoryHandle handle_of(void* gpu_memory) {
  cudaIpcMemHandle_t opened_by_others;
  check_sharing(cudaIpcGetMemHandle(&opened_by_others, gpu_memory),
                "sharing GPU memory with other processes");
  MemoryHandle handle;
  std::memcpy(handle.data(), &opened_by_others, sizeof handle);
  return handle;
}

void* open_memory(const MemoryHandle& handle, Device reached_from) {
  const UseDevice use(reached_from.number);
  cudaIpcMemHandle_t of_other;
  std::memcpy(&of_other, handle.data(), sizeof handle);
  void* memory = nullptr;
  check_sharing(cudaIpcOpenMemHandle(&memory, of_other, cudaIpcMemLazyEnablePeerAccess),
                "opening the GPU memory of another process");
  return memory;
}

void close_memory(void* opened, Device reached_from) noexcept {
  int before = 0;
  cudaGetDevice(&before);
  cudaSetDevice(reached_from.number);
  cudaIpcCloseMemHandle(opened);
  cudaSetDevice(before);
}

void use_device(Device device) {
  if (device.kind == DeviceKind::cuda) check_cuda(cudaSetDevice(device.number), "selecting a GPU");
}

void enable_peer_access(const std::vector<int>& devices) {
  static std::set<std::pair<int, int>> enabled;  // twice is an error to CUDA
  for (const int from : devices)
    for (const int to : devices) {
      if (from == to || !has_peer_access(from, to) || !enabled.emplace(from, to).second) continue;
      const UseDevice use(from);
      const cudaError_t status = cudaDeviceEnablePeerAccess(to, 0);
      if (status == cudaErrorPeerAccessAlreadyEnabled)
        cudaGetLastError();
      else
        check_cuda(status, "enabling peer access");
    }
}

void DestroyEvent::operator()(void* event) const noexcept {
  cudaEventDestroy(static_cast<cudaEvent_t>(event));
}
void DestroyStream::operator()(void* stream) const noexcept {
  cudaStreamDestroy(static_cast<cudaStream_t>(stream));
}
void DestroyGraph::operator()(void* graph) const noexcept {
  cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(graph));
}

Queue::Queue(Device device, Priority priority) : device_(device), reached_(device) {
  if (device.kind == DeviceKind::cpu) return;
  const UseDevice use(device.number);
  int least = 0, greatest = 0;
  check_cuda(cudaDeviceGetStreamPriorityRange(&least, &greatest), "querying stream priorities");
  cudaStream_t stream = nullptr;
  check_cuda(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking,
                                          priority == Priority::high ? greatest : least),
             "creating a stream");
  stream_.reset(stream);
}

void Queue::copy(void* to, const void* from, std::size_t bytes) const {
  if (device_.kind == DeviceKind::cpu) {
    std::memcpy(to, from, bytes);
    return;
  }
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_of(*this)), "copying memory");
}

void Queue::copy_pieces(void* to, std::size_t to_apart, const void* from, std::size_t from_apart,
                        std::size_t bytes, std::size_t count) const {
  if (device_.kind == DeviceKind::cpu) return copy_host_pieces(to, to_apart, from, from_apart, bytes, count);
  if (count == 1) return copy(to, from, bytes);  // which may be larger than a piece among others
  if (count > 0 && lies_on(to, device_) && lies_on(from, device_)) {
    const UseDevice use(device_.number);
    return copy_pieces_by_kernel({static_cast<std::byte*>(to), to_apart, static_cast<const std::byte*>(from),
                                  from_apart, bytes, count},
                                 stream_of(*this));
  }
  check_cuda(
      cudaMemcpy2DAsync(to, to_apart, from, from_apart, bytes, count, cudaMemcpyDefault, stream_of(*this)),
      "copying pieces of memory");
}

void Queue::wait(const Event& event) const {
  if (stream_ != nullptr)
    check_cuda(cudaStreamWaitEvent(stream_of(*this), event_of(event)), "ordering two streams");
}

void Queue::synchronize() const {
  if (stream_ != nullptr) check_cuda(cudaStreamSynchronize(stream_of(*this)), "waiting for the GPU");
}

Event::Event(Device device) {
  if (device.kind == DeviceKind::cpu) return;
  const UseDevice use(device.number);
  cudaEvent_t event = nullptr;
  check_cuda(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "creating an event");
  event_.reset(event);
}

void Event::record(const Queue& queue) const {
  if (event_ != nullptr) check_cuda(cudaEventRecord(event_of(*this), stream_of(queue)), "recording an event");
}

bool Event::has_happened() const {
  if (event_ == nullptr) return true;
  const cudaError_t status = cudaEventQuery(event_of(*this));
  if (status != cudaErrorNotReady) check_cuda(status, "querying an event");
  return status == cudaSuccess;
}

void Event::synchronize() const {
  if (event_ != nullptr) check_cuda(cudaEventSynchronize(event_of(*this)), "waiting for an event");
}

namespace {

/// What is enqueued on a queue, and on those that follow it, is recorded for as long as this lives.
class Recording {
 public:
  explicit Recording(const Queue& queue) : queue_(queue) {
    check_cuda(cudaStreamBeginCapture(stream_of(queue), cudaStreamCaptureModeRelaxed), "recording a graph");
  }
  ~Recording() {
    if (ended_) return;
    cudaStreamEndCapture(stream_of(queue_), &graph_);
    cudaGraphDestroy(graph_);
    cudaGetLastError();  // a recording that is given up has no good end
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  cudaGraphExec_t prepare() {
    const UseDevice use(queue_.device().number);
    ended_ = true;
    check_cuda(cudaStreamEndCapture(stream_of(queue_), &graph_), "ending a graph's recording");
    cudaGraphExec_t executable = nullptr;
    const cudaError_t status = cudaGraphInstantiate(&executable, graph_, 0);
    cudaGraphDestroy(graph_);
    check_cuda(status, "preparing a graph");
    return executable;
  }

 private:
  const Queue& queue_;
  cudaGraph_t graph_ = nullptr;
  bool ended_ = false;
};

}  // namespace

WorkGraph::WorkGraph(std::vector<QueueGroup> groups, std::function<void()> work)
    : groups_(std::move(groups)), work_(std::move(work)) {
  if (groups_.front().front()->device().kind == DeviceKind::cpu) return;
  std::deque<Recording> recordings;
  for (const QueueGroup& group : groups_) {
    recordings.emplace_back(*group.front());
    fork(group);
  }
  work_();
  for (const QueueGroup& group : groups_) gather(group);
  for (Recording& recording : recordings) graphs_.emplace_back(recording.prepare());
}

void WorkGraph::launch() const {
  if (graphs_.empty()) return work_();
  for (std::size_t i = 0; i < graphs_.size(); ++i)
    check_cuda(
        cudaGraphLaunch(static_cast<cudaGraphExec_t>(graphs_[i].get()), stream_of(*groups_[i].front())),
        "launching a graph");
}

void* allocate_bytes(Device device, Memory memory, std::size_t bytes) {
  if (device.kind == DeviceKind::cpu) return allocate_host_bytes(bytes);
  const UseDevice use(device.number);
  void* address = nullptr;
  if (memory == Memory::pinned)
    check_cuda(cudaMallocHost(&address, bytes), "allocating pinned host memory");
  else
    check_cuda(cudaMalloc(&address, bytes), "allocating GPU memory");
  return address;
}

void free_bytes(Device device, Memory memory, void* address) noexcept {
  if (device.kind == DeviceKind::cpu)
    std::free(address);
  else if (memory == Memory::pinned)
    cudaFreeHost(address);
  else
    cudaFree(address);
}

}  // namespace tayra
