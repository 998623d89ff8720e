// Memory and queues of a device: a stream on a GPU, nothing at all on the CPU. device_no_cuda.cpp stands in
// for device_cuda.cpp in builds without CUDA.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/gpu_class.hpp"

namespace tayra {

enum class DeviceKind { cpu, cuda };

struct Device {
  DeviceKind kind = DeviceKind::cpu;
  int number = 0;  // of a GPU
};

struct DeviceInfo {
  std::string name;
  std::uint64_t memory_bytes;
  int capability;  // 90 for 9.0
  GpuClass kind;
  double bytes_per_second;  // between the GPU and its memory, as its data sheet has it
};

bool built_with_cuda();
/// GPUs that Tayra can run on; none when built without CUDA or without a driver.
std::vector<DeviceInfo> cuda_devices();
/// Takes up some hundred MiB of a GPU that this process does nothing else on.
std::uint64_t free_gpu_memory(int gpu);
std::string why_no_cuda();  // a sentence for people; empty when there is a device
std::string device_name(Device device);
/// Of a GPU that cuda_devices() counts. TAYRA_GPU_CLASS (100, 164 or 228) has it taken for one of a lower
/// class, for tests.
GpuShape gpu_shape(int gpu);
/// The same bytes for the same GPU in any process; empty for the CPU.
inline constexpr std::size_t gpu_identity_bytes = 16;
std::string device_identity(Device device);
/// Whether one GPU can load and store the memory of the other; a GPU reaches itself.
bool has_peer_access(int from, int to);
/// For people: how two GPUs reach each other.
std::string link_between(int from, int to);
/// Lets every one of these GPUs reach the others' memory, where the machine allows it.
void enable_peer_access(const std::vector<int>& devices);

/// What another process of the node needs to reach GPU memory of this one.
using MemoryHandle = std::array<std::byte, 64>;
MemoryHandle handle_of(void* gpu_memory);
/// The memory as this GPU reaches it.
void* open_memory(const MemoryHandle& handle, Device reached_from);
void close_memory(void* opened, Device reached_from) noexcept;

/// Makes it the current one from here on, for libraries that ask CUDA which one that is.
void use_device(Device device);

enum class Priority { normal, high };

class Queue;

// What CUDA calls by a handle; null on the CPU.
struct DestroyEvent {
  void operator()(void* event) const noexcept;
};
struct DestroyStream {
  void operator()(void* stream) const noexcept;
};
struct DestroyGraph {
  void operator()(void* graph) const noexcept;
};

/// A point in a queue's work.
class Event {
 public:
  explicit Event(Device device);

  void record(const Queue& queue) const;
  bool has_happened() const;
  void synchronize() const;
  void* handle() const { return event_.get(); }  // a cudaEvent_t

 private:
  std::unique_ptr<void, DestroyEvent> event_;
};

/// Where work is enqueued in order. On the CPU everything is done at once.
class Queue {
 public:
  explicit Queue(Device device, Priority priority = Priority::normal);

  Device device() const { return device_; }
  void* stream() const { return stream_.get(); }  // a cudaStream_t

  /// Copies between any two of host and device memory; pinned host memory keeps it asynchronous.
  void copy(void* to, const void* from, std::size_t bytes) const;
  /// So many pieces, each so far from the one before.
  void copy_pieces(void* to, std::size_t to_apart, const void* from, std::size_t from_apart,
                   std::size_t bytes, std::size_t count) const;
  /// What is enqueued from here on comes after the event, on whatever device it was recorded.
  void wait(const Event& event) const;
  /// What is enqueued from here on comes after what is enqueued on the other so far.
  void follow(const Queue& other) const {
    other.reached_.record(other);
    wait(other.reached_);
  }
  void synchronize() const;

 private:
  Device device_;
  std::unique_ptr<void, DestroyStream> stream_;
  Event reached_;  // for those that follow
};

/// Queues whose work is launched together: all start after the first, and the first ends after all.
using QueueGroup = std::vector<const Queue*>;

/// Work on several queues, recorded once and launched as a whole: its host cost no longer grows with its
/// parts'. On the CPU, where nothing is enqueued, launching does the work.
class WorkGraph {
 public:
  /// `work` may use the queues given; none may wait for an event of another group.
  WorkGraph(std::vector<QueueGroup> groups, std::function<void()> work);

  /// On the first queue of each group.
  void launch() const;

 private:
  std::vector<QueueGroup> groups_;
  std::function<void()> work_;
  std::vector<std::unique_ptr<void, DestroyGraph>> graphs_;  // a cudaGraphExec_t a group
};

/// What follows on any of the queues comes after what is enqueued on the first so far.
inline void fork(const QueueGroup& queues) {
  for (std::size_t i = 1; i < queues.size(); ++i) queues[i]->follow(*queues.front());
}
/// What follows on the first of the queues comes after what is enqueued on any of them so far.
inline void gather(const QueueGroup& queues) {
  for (std::size_t i = 1; i < queues.size(); ++i) queues.front()->follow(*queues[i]);
}

enum class Memory { device, pinned };  // pinned: host memory that a GPU copies from at full speed

void* allocate_bytes(Device device, Memory memory, std::size_t bytes);
void free_bytes(Device device, Memory memory, void* address) noexcept;

/// Owns an array in a device's memory or in pinned host memory; contents are undefined at first.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  Buffer(Device device, std::size_t count, Memory memory = Memory::device)
      : count_(count),
        data_(static_cast<T*>(allocate_bytes(device, memory, count * sizeof(T))), Free{device, memory}) {}

  T* data() const { return data_.get(); }
  std::size_t size() const { return count_; }
  std::size_t bytes() const { return count_ * sizeof(T); }

 private:
  struct Free {
    Device device;
    Memory memory;
    void operator()(T* address) const noexcept { free_bytes(device, memory, address); }
  };
  std::size_t count_ = 0;
  std::unique_ptr<T, Free> data_{nullptr, Free{}};
};

}  // namespace tayra
