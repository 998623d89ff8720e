// The device layer of a build without CUDA: the CPU's memory, and a reason why there is no GPU.
#include <cstdlib>
#include <cstring>
#include <new>

#include "core/device.hpp"

namespace tayra {

bool built_with_cuda() { return false; }
std::vector<DeviceInfo> cuda_devices() { return {}; }
std::string why_no_cuda() {
  return "this tayra was built without CUDA (no nvcc was found): install the CUDA toolkit and build the "
         "preset 'cuda'";
}
std::string device_name(Device) { return "CPU"; }

Queue::Queue(Device device) : device_(device) {}
Queue::~Queue() = default;
void Queue::copy(void* to, const void* from, std::size_t bytes) const { std::memcpy(to, from, bytes); }
void Queue::synchronize() const {}

void* allocate_bytes(Device, Memory, std::size_t bytes) {
  void* address = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (address == nullptr) throw std::bad_alloc();
  return address;
}
void free_bytes(Device, Memory, void* address) noexcept { std::free(address); }

}  // namespace tayra
