// Rows go from each rank to each other of the layer at once.
#include "solver/shared_layer.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

#include "core/error.hpp"
#include "grid/ranks.hpp"

namespace tayra {
namespace {

int runs_of(const RowsOfPlanes& what, const RowRuns& runs, const SlabRange& planes) {
  return runs.a_plane * (what.are_summed ? std::min(planes.planes, 1) : planes.planes);
}

std::size_t bytes_of(const RowsOfPlanes& what, const SlabRange& planes, int rows) {
  std::size_t bytes = 0;
  for (const RowRuns& runs : what.runs) bytes += runs.row_bytes * runs_of(what, runs, planes) * rows;
  return bytes;
}

/// Calls copy(place among all rows, place among some of them, bytes) for each run of these.
template <class Copy>
void each_run(const RowsOfPlanes& what, const SlabRange& planes, const RowRange& some, Copy copy) {
  std::size_t among_all = 0, among_some = 0;
  for (const RowRuns& runs : what.runs)
    for (int run = runs_of(what, runs, planes); run > 0; --run) {
      const std::size_t bytes = some.rows * runs.row_bytes;
      copy(among_all + some.first * runs.row_bytes, among_some, bytes);
      among_all += what.count() * runs.row_bytes;
      among_some += bytes;
    }
}

/// Whatever fails there: the others of the layer wait for this rank's rows, which is lost to them.
template <class Work>
void or_be_lost(Work work) {
  try {
    work();
  } catch (const std::exception& failure) {
    throw Error(ExitCode::lost, as_error(failure).what());
  }
}

}  // namespace

SharedLayer::SharedLayer(RankGroup group, std::vector<RowRange> rows_of_ranks, Device device)
    : group_(group),
      own_(ranks().rank() - group.first),
      rows_of_ranks_(std::move(rows_of_ranks)),
      device_(device),
      pinned_(group.count) {}

void SharedLayer::gather(const RowsOfPlanes& what, const SlabRange& wanted, std::byte* out,
                         const std::function<void(const SlabRange& planes, std::byte* to)>& read) {
  const auto wanted_by = told_by_all(wanted);
  const int rows_here = what.of_ranks[own_].rows;
  std::vector<std::span<std::byte>> leaving;
  Pieces arriving(size());
  or_be_lost([&] {
    for (int member = 0; member < size(); ++member) {
      const std::size_t bytes = bytes_of(what, wanted_by[member], rows_here);
      Buffer<std::byte>& memory = pinned_[member];
      if (memory.size() < bytes) memory = Buffer<std::byte>(device_, bytes, Memory::pinned);
      if (bytes > 0) read(wanted_by[member], memory.data());
      leaving.emplace_back(memory.data(), bytes);
      arriving[member].resize(bytes_of(what, wanted, what.of_ranks[member].rows));
    }
  });
  swap(leaving, arriving);
  for (int member = 0; member < size(); ++member)
    each_run(what, wanted, what.of_ranks[member],
             [&](std::size_t among_all, std::size_t among_some, std::size_t bytes) {
               std::memcpy(out + among_all, arriving[member].data() + among_some, bytes);
             });
}

void SharedLayer::scatter(const RowsOfPlanes& what, const SlabRange& here, const std::byte* in,
                          const std::function<void(const SlabRange& planes, const std::byte* from)>& write) {
  const auto here_of = told_by_all(here);
  Pieces packed(size()), arriving(size());
  std::vector<std::span<std::byte>> leaving;
  or_be_lost([&] {
    for (int member = 0; member < size(); ++member) {
      packed[member].resize(bytes_of(what, here, what.of_ranks[member].rows));
      each_run(what, here, what.of_ranks[member],
               [&](std::size_t among_all, std::size_t among_some, std::size_t bytes) {
                 std::memcpy(packed[member].data() + among_some, in + among_all, bytes);
               });
      leaving.emplace_back(packed[member]);
      arriving[member].resize(bytes_of(what, here_of[member], what.of_ranks[own_].rows));
    }
  });
  swap(leaving, arriving);
  or_be_lost([&] {
    for (int member = 0; member < size(); ++member)
      if (!arriving[member].empty()) write(here_of[member], arriving[member].data());
  });
}

std::vector<SlabRange> SharedLayer::told_by_all(const SlabRange& mine) const {
  Pieces of_all(size(), std::vector<std::byte>(sizeof mine));
  std::vector<std::byte> told(sizeof mine);
  std::memcpy(told.data(), &mine, sizeof mine);
  swap(std::vector<std::span<std::byte>>(size(), told), of_all);
  std::vector<SlabRange> all(size());
  for (int member = 0; member < size(); ++member)
    std::memcpy(&all[member], of_all[member].data(), sizeof mine);
  return all;
}

void SharedLayer::swap(const std::vector<std::span<std::byte>>& leaving, Pieces& arriving) const {
  std::vector<Parcel> sent, received;
  for (int member = 0; member < size(); ++member) {
    if (member == own_) {
      std::memcpy(arriving[member].data(), leaving[member].data(), leaving[member].size());
      continue;
    }
    sent.push_back({group_.first + member, leaving[member].data(), leaving[member].size()});
    received.push_back({group_.first + member, arriving[member].data(), arriving[member].size()});
  }
  ranks().swap(sent, received);
}

}  // namespace tayra
