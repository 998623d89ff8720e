// This rank's own thread reads and asks the others, the writer's does the rest.
#include "io/common_file.hpp"

#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "grid/together.hpp"
#include "io/file.hpp"

namespace tayra {
namespace {

/// The writer thread's.
struct Progress {
  std::optional<FileBeside> beside;  // of the first rank
  std::optional<PlaneWriter> planes;
  WrittenPart part;
};

/// Throws on all ranks if it fails.
Offsets made_by_first_rank(const CommonFile& file, const std::string& beside) {
  Offsets offsets;
  on_first_rank([&] {
    require_held_directory();
    offsets = file.make(beside);
  });
  offsets.resize(ranks().from_first(offsets.size()));
  ranks().broadcast(offsets.data(), offsets.size() * sizeof(std::uint64_t));
  return offsets;
}

}  // namespace

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
  const std::string beside = FileBeside::name_beside(file.path);
  if (ranks().is_first()) progress->beside.emplace(file.path);
  try {
    const Offsets offsets = made_by_first_rank(file, beside);
    step([beside, offsets, mine = file.mine, layout = file.layout](Progress& own) {
      own.planes.emplace(beside, mine, layout, offsets);
    });
    const std::size_t plane_bytes = file.layout.plane_bytes();
    each_block(file.mine, plane_bytes, writers.piece_bytes(file.block_bytes), [&](int first, int count) {
      const auto planes = writers.take(plane_bytes * count);
      const auto arrival = std::make_shared<const Arrival>(file.read(first, count, planes.get()));
      step([planes, arrival, first, count](Progress& own) {
        arrival->wait();
        own.planes->add({first, count, planes.get()});
      });
    });
    step([](Progress& own) { own.part.facts = own.planes->finish(); });
  } catch (const std::exception& failure) {
    const Error error = as_error(failure);
    if (error.code() == ExitCode::lost) throw error;  // others hear of it in other ways
    step([problem = std::string(error.what())](Progress& own) { own.part.problem = problem; });
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
