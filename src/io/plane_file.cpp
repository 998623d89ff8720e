// Errors of the system become sentences.
#include "io/plane_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <numeric>
#include <utility>

#include "core/error.hpp"
#include "io/file.hpp"

namespace tayra {
namespace {

/// As HDF5's filters "shuffle" and "deflate" leave a plane, so that every rank compresses its own. Bytes of a
/// number that change together are put together first, which makes them much smaller. Where they don't become
/// smaller they are only put together.
std::vector<std::byte> shuffled_and_deflated(std::span<const std::byte> numbers,
                                             std::size_t bytes_per_number) {
  std::vector<std::byte> plain(numbers.size()), packed(numbers.size());
  auto next = plain.begin();
  for (std::size_t byte = 0; byte < bytes_per_number; ++byte)
    for (std::size_t i = byte; i < numbers.size(); i += bytes_per_number) *next++ = numbers[i];
  uLongf bytes = packed.size();
  const int result =
      compress2(reinterpret_cast<Bytef*>(packed.data()), &bytes, reinterpret_cast<const Bytef*>(plain.data()),
                plain.size(), int(deflate_level));
  require(result == Z_OK || result == Z_BUF_ERROR, ExitCode::failed, "cannot compress a plane (zlib)");
  if (result != Z_OK || bytes >= plain.size()) return plain;
  packed.resize(bytes);
  return packed;
}

}  // namespace

std::size_t PlaneLayout::plane_bytes() const {
  return std::accumulate(field_bytes.begin(), field_bytes.end(), std::size_t(0));
}

// Not to read: NFS would write a page that it has read as a whole, also what is another rank's of it.
PlaneWriter::PlaneWriter(std::string path, SlabRange mine, PlaneLayout layout, Offsets offsets)
    : path_(std::move(path)),
      mine_(mine),
      layout_(std::move(layout)),
      offsets_(std::move(offsets)),
      file_(path_, O_WRONLY | O_NOFOLLOW),
      facts_(layout_.field_bytes.size() * mine.planes) {
  require_held_directory();
  require_done(file_.id() >= 0, "open the file that rank 0 has made");
}

void PlaneWriter::add(const PlaneBlock& block) {
  const std::byte* here = block.bytes;
  for (std::size_t i = 0; i < layout_.field_bytes.size(); ++i) {
    const std::size_t plane = layout_.field_bytes[i];
#pragma omp parallel for
    for (int k = 0; k < block.count; ++k)
      facts(i, block.first + k) = {layout_.sum({here + k * plane, plane}), plane};
    if (layout_.packed_number > 0)
      write_packed(i, {block.first, block.count}, here);
    else
      write(place(i, block.first), {here, plane * block.count});
    here += plane * block.count;
  }
  file_.start_sync();
}

void PlaneWriter::write_packed(std::size_t field, SlabRange planes, const std::byte* numbers) {
  const std::size_t plane = layout_.field_bytes[field];
  for (int z = planes.first; z < planes.first + planes.planes; ++z, numbers += plane) {
    const auto packed = shuffled_and_deflated({numbers, plane}, layout_.packed_number);
    write(place(field, z), packed);
    facts(field, z).bytes = packed.size();
  }
}

std::vector<PlaneFacts> PlaneWriter::finish() {
  require_held_directory();
  require_done(file_.sync(), "force it to the disk");
  require_done(file_.close(), "close the file");
  if (layout_.is_read_back) require_as_written();
  return std::move(facts_);
}

void PlaneWriter::require_as_written() {
  constexpr std::size_t block_bytes = 8u << 20;  // for the checksum while it is still in the cache
  const Descriptor disk(path_, O_RDONLY);
  disk.forget();
  std::vector<std::byte> block;
  for (std::size_t i = 0; i < layout_.field_bytes.size(); ++i) {
    const std::size_t plane = layout_.field_bytes[i];
    each_block(mine_, plane, block_bytes, [&](int first, int count) {
      block.resize(plane * count);
      read_at(disk, place(i, first), block);
      for (int k = 0; k < count; ++k)
        require(layout_.sum({block.data() + k * plane, plane}) == facts(i, first + k).sum, ExitCode::failed,
                fmt::format("plane {} is read back as something else than was written (the disk, its driver "
                            "or memory is at fault): write to another disk",
                            first + k));
    });
  }
}

std::uint64_t PlaneWriter::place(std::size_t field, int plane) const {
  return offsets_[field] + static_cast<std::uint64_t>(plane) * layout_.field_bytes[field];
}

PlaneFacts& PlaneWriter::facts(std::size_t field, int plane) {
  return facts_[static_cast<std::size_t>(plane - mine_.first) * layout_.field_bytes.size() + field];
}

void PlaneWriter::write(std::uint64_t at, std::span<const std::byte> bytes) const {
  require_done(file_.write_at(at, bytes), "write planes");
}

void read_at(const Descriptor& file, std::uint64_t place, std::span<std::byte> bytes) {
  require_done(file.id() >= 0 && file.read_at(place, bytes), "read planes");
}

}  // namespace tayra
