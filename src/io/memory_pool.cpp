// A shelf of buffers; those too small for what is wanted make room for it.
#include "io/memory_pool.hpp"

#include <algorithm>
#include <utility>

namespace tayra {

std::shared_ptr<std::byte> MemoryPool::take(std::size_t bytes) {
  struct GiveBack {
    std::shared_ptr<Shelf> shelf;
    std::shared_ptr<Buffer<std::byte>> buffer;
    void operator()(std::byte*) const {
      const std::lock_guard lock(shelf->mutex);
      shelf->free.push_back(std::move(*buffer));
    }
  };
  auto buffer = std::make_shared<Buffer<std::byte>>(find(bytes));
  std::byte* const data = buffer->data();
  return {data, GiveBack{shelf_, std::move(buffer)}};
}

void MemoryPool::stock(std::size_t bytes, std::size_t pieces) {
  if (device_.kind == DeviceKind::cpu) return;
  const std::lock_guard lock(shelf_->mutex);
  auto& free = shelf_->free;
  const auto fits = [bytes](const Buffer<std::byte>& buffer) { return buffer.size() >= bytes; };
  for (std::size_t ready = std::count_if(free.begin(), free.end(), fits); ready < pieces; ++ready)
    free.emplace_back(device_, bytes, Memory::pinned);
}

Buffer<std::byte> MemoryPool::find(std::size_t bytes) {
  const std::lock_guard lock(shelf_->mutex);
  auto& free = shelf_->free;
  for (auto buffer = free.begin(); buffer != free.end(); ++buffer) {
    if (buffer->size() < bytes) continue;
    Buffer<std::byte> found = std::move(*buffer);
    free.erase(buffer);
    return found;
  }
  if (!free.empty()) free.pop_back();
  return {device_, bytes, Memory::pinned};
}

}  // namespace tayra
