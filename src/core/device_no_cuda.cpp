// The device layer of a build without CUDA: the CPU's memory, and a reason why there is no GPU.
#include <cstdlib>
#include <cstring>

#include "core/device.hpp"
#include "core/host_memory.hpp"

namespace tayra {

bool built_with_cuda() { return false; }
std::vector<DeviceInfo> cuda_devices() { return {}; }
std::uint64_t free_gpu_memory(int) { return 0; }
std::string why_no_cuda() {
  return "this tayra was built without CUDA (no nvcc was found): install the CUDA toolkit and build the "
         "preset 'cuda'";
}
std::string device_name(Device) { return "CPU"; }
GpuShape gpu_shape(int) { return {}; }

std::string device_identity(Device) { return ""; }
bool has_peer_access(int, int) { return false; }
std::string link_between(int, int) { return ""; }
MemoryHandle handle_of(void*) { return {}; }
void* open_memory(const MemoryHandle&, Device) { return nullptr; }
void close_memory(void*, Device) noexcept {}
void use_device(Device) {}
void enable_peer_access(const std::vector<int>&) {}

void DestroyEvent::operator()(void*) const noexcept {}
void DestroyStream::operator()(void*) const noexcept {}
void DestroyGraph::operator()(void*) const noexcept {}

Queue::Queue(Device device, Priority) : device_(device), reached_(device) {}
void Queue::copy(void* to, const void* from, std::size_t bytes) const { std::memcpy(to, from, bytes); }
void Queue::copy_pieces(void* to, std::size_t to_apart, const void* from, std::size_t from_apart,
                        std::size_t bytes, std::size_t count) const {
  copy_host_pieces(to, to_apart, from, from_apart, bytes, count);
}
void Queue::wait(const Event&) const {}
void Queue::synchronize() const {}

Event::Event(Device) {}
void Event::record(const Queue&) const {}
bool Event::has_happened() const { return true; }
void Event::synchronize() const {}

WorkGraph::WorkGraph(std::vector<QueueGroup> groups, std::function<void()> work)
    : groups_(std::move(groups)), work_(std::move(work)) {}
void WorkGraph::launch() const { work_(); }

void* allocate_bytes(Device, Memory, std::size_t bytes) { return allocate_host_bytes(bytes); }
void free_bytes(Device, Memory, void* address) noexcept { std::free(address); }

}  // namespace tayra
