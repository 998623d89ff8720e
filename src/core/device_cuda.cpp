// The device layer of a build with CUDA.
#include <cuda_runtime.h>

#include <cstdlib>
#include <cstring>
#include <new>

#include "core/cuda_check.hpp"
#include "core/device.hpp"

namespace tayra {

bool built_with_cuda() { return true; }

std::vector<DeviceInfo> cuda_devices() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return {};
  }
  std::vector<DeviceInfo> devices;
  for (int number = 0; number < count; ++number) {
    cudaDeviceProp properties{};
    check_cuda(cudaGetDeviceProperties(&properties, number), "reading a GPU's properties");
    const UseDevice use(number);
    std::size_t free = 0, total = 0;
    check_cuda(cudaMemGetInfo(&free, &total), "reading a GPU's free memory");
    devices.push_back({properties.name, total, free});
  }
  return devices;
}

std::string why_no_cuda() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) return "";
  cudaGetLastError();
  return status == cudaSuccess ? "no GPU was found"
                               : std::string("no GPU can be used: ") + cudaGetErrorString(status);
}

std::string device_name(Device device) {
  if (device.kind == DeviceKind::cpu) return "CPU";
  cudaDeviceProp properties{};
  check_cuda(cudaGetDeviceProperties(&properties, device.number), "reading a GPU's properties");
  return std::string(properties.name) + " (GPU " + std::to_string(device.number) + ")";
}

Queue::Queue(Device device) : device_(device) {
  if (device.kind == DeviceKind::cpu) return;
  const UseDevice use(device.number);
  cudaStream_t stream = nullptr;
  check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
  stream_ = stream;
}

Queue::~Queue() {
  if (stream_ != nullptr) cudaStreamDestroy(static_cast<cudaStream_t>(stream_));
}

void Queue::copy(void* to, const void* from, std::size_t bytes) const {
  if (device_.kind == DeviceKind::cpu) {
    std::memcpy(to, from, bytes);
    return;
  }
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, static_cast<cudaStream_t>(stream_)),
             "copying memory");
}

void Queue::synchronize() const {
  if (stream_ != nullptr)
    check_cuda(cudaStreamSynchronize(static_cast<cudaStream_t>(stream_)), "waiting for the GPU");
}

void* allocate_bytes(Device device, Memory memory, std::size_t bytes) {
  if (device.kind == DeviceKind::cpu) {
    void* address = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (address == nullptr) throw std::bad_alloc();
    return address;
  }
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
