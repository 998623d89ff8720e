// A shelf of buffers of the sizes last asked for: pieces of snapshots and checkpoints have few sizes.
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
  auto& [most, mutex, held, free] = *shelf_;
  const auto fits = [bytes](const Buffer<std::byte>& buffer) { return buffer.size() == bytes; };
  for (std::size_t ready = std::count_if(free.begin(), free.end(), fits);
       ready < pieces && held + bytes <= most; ++ready, held += bytes)
    free.emplace_back(device_, bytes, Memory::pinned);
}

std::size_t MemoryPool::held() const {
  const std::lock_guard lock(shelf_->mutex);
  return shelf_->held;
}

/// One of that very size, or a new one in place of others: a larger one would be memory that nobody counted.
Buffer<std::byte> MemoryPool::find(std::size_t bytes) {
  const std::lock_guard lock(shelf_->mutex);
  auto& [most, mutex, held, free] = *shelf_;
  const auto fitting = std::find_if(
      free.begin(), free.end(), [bytes](const Buffer<std::byte>& buffer) { return buffer.size() == bytes; });
  if (fitting != free.end()) {
    Buffer<std::byte> found = std::move(*fitting);
    free.erase(fitting);
    return found;
  }
  for (; !free.empty() && held + bytes > most; free.erase(free.begin())) held -= free.front().size();
  Buffer<std::byte> fresh(device_, bytes, Memory::pinned);
  held += bytes;
  return fresh;
}

}  // namespace tayra
