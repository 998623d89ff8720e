// Two slabs cut along y exchange a face, in one of the ways, and what arrived is compared byte by byte.
#include "app/bench_strips.hpp"

#include <array>
#include <cstring>

#include "core/error.hpp"
#include "grid/layout.hpp"

namespace tayra {

void move_strips(const Queue& queue, StripPlace to, StripPlace from, const Strips& strips, StripMover mover) {
  if (queue.device().kind == DeviceKind::cuda) return move_strips_on_gpu(queue, to, from, strips, mover);
  for (std::size_t i = 0; i < strips.count; ++i)
    std::memcpy(to.start + i * to.pitch, from.start + i * from.pitch, strips.bytes);
}

namespace {

Layout layout_of(int n) { return {n, n / 2 + 2 * ghost_planes, n}; }

/// A slab with ghosts below and above along y.
struct Slab {
  Slab(Device device, int n, std::size_t word_bytes)
      : layout(layout_of(n)),
        row_bytes(static_cast<std::size_t>(n) * word_bytes),
        strips{ghost_planes * row_bytes, field_variables * static_cast<std::size_t>(n)},
        queue(device),
        field(device, field_variables * layout.variable_stride() * layout.nz * word_bytes),
        leaving(device, strips.bytes_in_all()),
        landing(device, strips.bytes_in_all()) {}

  StripPlace rows_from(int row) const { return {field.data() + row * row_bytes, layout.ny * row_bytes}; }
  StripPlace packed(const Buffer<std::byte>& buffer) const { return {buffer.data(), strips.bytes}; }

  Layout layout;
  std::size_t row_bytes;
  Strips strips;
  Queue queue;
  Buffer<std::byte> field, leaving, landing;
};

class FacePair {
 public:
  FacePair(const std::vector<Device>& devices, int n, std::size_t word_bytes, FaceWay way)
      : slabs_{Slab(devices[0], n, word_bytes), Slab(devices[1], n, word_bytes)}, way_(way) {
    if (devices[0].kind == DeviceKind::cuda) enable_peer_access({devices[0].number, devices[1].number});
    for (int side = 0; side < 2; ++side) put(side, edge(side), slabs_[side].leaving, face_of(side));
  }

  void exchange() const {
    for (int side = 0; side < 2; ++side) leave(side);
    for (int side = 0; side < 2; ++side) {
      slabs_[1 - side].queue.follow(slabs_[side].queue);
      if (way_ == FaceWay::packed) scatter(1 - side);
    }
  }

  void synchronize() const {
    for (const Slab& slab : slabs_) slab.queue.synchronize();
  }

  void check() const {
    for (int side = 0; side < 2; ++side)
      put(side, ghosts(side), slabs_[side].landing, std::vector(face_of(side).size(), std::byte{0xee}));
    exchange();
    synchronize();
    for (int side = 0; side < 2; ++side)
      require(arrived(side) == face_of(1 - side), ExitCode::failed,
              "a face has not arrived as it was: its times mean nothing");
  }

 private:
  // The upper edge of the lower slab travels, and the lower edge of the upper one.
  StripPlace edge(int side) const {
    return slabs_[side].rows_from(side == 0 ? slabs_[0].layout.ny - 2 * ghost_planes : ghost_planes);
  }
  StripPlace ghosts(int side) const {
    return slabs_[side].rows_from(side == 0 ? slabs_[0].layout.ny - ghost_planes : 0);
  }

  std::vector<std::byte> face_of(int side) const {
    std::vector<std::byte> bytes(slabs_[side].strips.bytes_in_all());
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<std::byte>((i * 0x9e3779b97f4a7c15u + side) >> 56);
    return bytes;
  }

  /// Into the strips, or into the block where faces are contiguous.
  void put(int side, StripPlace to, const Buffer<std::byte>& block, std::vector<std::byte> face) const {
    const Slab& slab = slabs_[side];
    if (way_ == FaceWay::contiguous)
      slab.queue.copy(block.data(), face.data(), face.size());
    else
      move_strips(slab.queue, to, {face.data(), slab.strips.bytes}, slab.strips, StripMover::copy_engine);
    slab.queue.synchronize();
  }

  std::vector<std::byte> arrived(int side) const {
    const Slab& slab = slabs_[side];
    std::vector<std::byte> face(slab.strips.bytes_in_all());
    if (way_ == FaceWay::contiguous)
      slab.queue.copy(face.data(), slab.landing.data(), face.size());
    else
      move_strips(slab.queue, {face.data(), slab.strips.bytes}, ghosts(side), slab.strips,
                  StripMover::copy_engine);
    slab.queue.synchronize();
    return face;
  }

  void leave(int side) const {
    const Slab &from = slabs_[side], &to = slabs_[1 - side];
    if (way_ == FaceWay::strided)
      return move_strips(from.queue, ghosts(1 - side), edge(side), from.strips, StripMover::copy_engine);
    if (way_ == FaceWay::packed)
      move_strips(from.queue, from.packed(from.leaving), edge(side), from.strips, StripMover::kernel);
    from.queue.copy(to.landing.data(), from.leaving.data(), from.strips.bytes_in_all());
  }

  void scatter(int side) const {
    const Slab& slab = slabs_[side];
    move_strips(slab.queue, ghosts(side), slab.packed(slab.landing), slab.strips, StripMover::kernel);
  }

  std::array<Slab, 2> slabs_;
  FaceWay way_;
};

}  // namespace

Spread microseconds_per_face(const std::vector<Device>& devices, int n, std::size_t word_bytes, FaceWay way,
                             const MeasuringPlan& plan) {
  const FacePair pair(devices, n, word_bytes, way);
  const Spread time = microseconds_per_call(plan, [&](int count) {
    for (int i = 0; i < count; ++i) pair.exchange();
    pair.synchronize();
  });
  pair.check();
  return time;
}

std::uint64_t face_memory(int n, std::size_t word_bytes) {
  const Layout layout = layout_of(n);
  const std::uint64_t face = 2ull * ghost_planes * field_variables * n * n;
  return (field_variables * layout.variable_stride() * layout.nz + face) * word_bytes;
}

}  // namespace tayra
