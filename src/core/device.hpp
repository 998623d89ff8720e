// Memory and queues of a device: a stream on a GPU, nothing at all on the CPU. device_none.cpp stands in for
// device_cuda.cpp in builds without CUDA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tayra {

enum class DeviceKind { cpu, cuda };

struct Device {
  DeviceKind kind = DeviceKind::cpu;
  int number = 0;  // of a GPU
};

struct DeviceInfo {
  std::string name;
  std::uint64_t memory_bytes;
  std::uint64_t free_bytes;
};

bool built_with_cuda();
std::vector<DeviceInfo> cuda_devices();  // empty when built without CUDA or without a driver
std::string why_no_cuda();               // a sentence for people; empty when there is a device
std::string device_name(Device device);

/// Where work is enqueued in order. On the CPU everything is done at once.
class Queue {
 public:
  explicit Queue(Device device);
  ~Queue();
  Queue(Queue&& other) noexcept : device_(other.device_), stream_(std::exchange(other.stream_, nullptr)) {}
  Queue& operator=(Queue&&) = delete;

  Device device() const { return device_; }
  void* stream() const { return stream_; }  // a cudaStream_t

  /// Copies between any two of host and device memory; pinned host memory keeps it asynchronous.
  void copy(void* to, const void* from, std::size_t bytes) const;
  void synchronize() const;

 private:
  Device device_;
  void* stream_ = nullptr;
};

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
