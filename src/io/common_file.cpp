// A rank's own thread reads and asks the others, the writer's does the rest.
#include "io/common_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <zlib.h>

#include <exception>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "grid/together.hpp"
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

/// The writer thread's.
struct Progress {
  std::optional<FileBeside> beside;  // of the first rank
  std::optional<PlaneWriter> planes;
  WrittenPart part;
};

/// Throws on all ranks if it fails.
Offsets made_by_first_rank(const CommonFile& file, const std::string& beside) {
  Offsets offsets;
  on_first_rank([&] { offsets = file.make(beside); });
  offsets.resize(ranks().from_first(offsets.size()));
  ranks().broadcast(offsets.data(), offsets.size() * sizeof(std::uint64_t));
  return offsets;
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

void write_common_file(Writers& writers, const CommonFile& file) {
  const auto progress = std::make_shared<Progress>();
  const auto step = [&](auto work) {  // nothing is done after a failure
    writers.run([progress, work = std::move(work)] {
      if (progress->part.problem.empty()) try {
          work(*progress);
        } catch (const std::exception& failure) {
          progress->part.problem = as_error(failure).what();
        }
    });
  };
  const auto fail = [&](const std::exception& failure) {
    step([problem = std::string(as_error(failure).what())](Progress& own) { own.part.problem = problem; });
  };
  const std::string beside = FileBeside::name_beside(file.path);
  if (ranks().is_first()) progress->beside.emplace(file.path);
  try {
    const Offsets offsets = made_by_first_rank(file, beside);
    step([beside, offsets, mine = file.of_ranks[ranks().rank()], layout = file.layout](Progress& own) {
      own.planes.emplace(beside, mine, layout, offsets);
    });
    const std::size_t plane_bytes = file.layout.plane_bytes();
    const std::size_t block_bytes = writers.piece_bytes(file.block_bytes);
    bool has_room = true;
    each_block_together(file.of_ranks, plane_bytes, block_bytes, [&](int first, int count) {
      std::shared_ptr<std::byte> planes;
      if (count > 0 && has_room) try {
          planes = writers.take(plane_bytes * count);
        } catch (const std::exception& failure) {  // others that read with this rank still want its rows
          has_room = false;
          fail(failure);
        }
      if (planes == nullptr) count = 0;
      const auto arrival = std::make_shared<const Arrival>(file.read(first, count, planes.get()));
      if (count == 0) return;
      step([planes, arrival, first, count](Progress& own) {
        arrival->wait();
        own.planes->add({first, count, planes.get()});
      });
    });
    step([](Progress& own) { own.part.facts = own.planes->finish(); });
  } catch (const std::exception& failure) {
    const Error error = as_error(failure);
    if (error.code() == ExitCode::lost) throw error;  // others hear of it in other ways
    fail(error);
  }
  writers.run([progress, &writers] {
    progress->planes.reset();
    writers.note_part(std::move(progress->part));
  });
  writers.publish([progress, path = file.path, kind = file.kind, complete = file.complete,
                   then = file.then](const WrittenPart& whole) {
    try {
      require(whole.problem.empty(), ExitCode::failed, whole.problem);
      require_held_directory();
      complete(progress->beside->name(), whole.facts);
      progress->beside->publish();
    } catch (const std::exception& failure) {
      const Error error = as_error(failure);
      throw Error(error.code(), kind + " " + path + " was not written: " + error.what());
    }
    then();
  });
}

}  // namespace tayra
