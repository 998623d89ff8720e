// Several ranks write files of which one fails on its way on rank 1. All ranks end, and the first one says
// what went wrong: started under mpirun by tests/app/rank_files_test.cpp.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <thread>

#include "grid/ranks.hpp"
#include "io/fake_simulation.hpp"
#include "io/hdf5.hpp"
#include "io/output_files.hpp"
#include "solver/shared_layer.hpp"

namespace tayra {
namespace {

constexpr Grid grid{.cells = {64, 64, 48}, .lower = {0, 0, 0}, .upper = {1, 1, 1}, .boundary = {}};

enum class Failure { of_a_copy, of_memory, of_the_device, of_loading };

bool is_bad(int first, int count) {
  const int middle = 3 * grid.cells[2] / ranks().size() / 2;  // of rank 1's planes
  return ranks().rank() == 1 && first <= middle && middle < first + count;
}

std::vector<SlabRange> equal_shares() {
  std::vector<SlabRange> shares;
  for (int rank = 0, planes = grid.cells[2] / ranks().size(); rank < ranks().size(); ++rank)
    shares.push_back({rank * planes, planes});
  return shares;
}

/// One plane in the middle of rank 1's can't be copied out.
class FailingSimulation final : public FakeSimulation {
 public:
  explicit FailingSimulation(Failure failure)
      : FakeSimulation(grid, 0.5,
                       [](int, int, int) {
                         return std::array<double, 5>{1, 0, 0, 0, 2};
                       }),
        failure_(failure) {}
  const std::vector<SlabRange>& planes_of_ranks() const override { return planes_; }
  Arrival start_copy(int first, int count, std::byte* out) override {
    if (is_bad(first, count)) fail();
    return FakeSimulation::start_copy(first, count, out);
  }
  void write_raw(int first, int count, const std::byte*) override {
    if (is_bad(first, count)) throw Error(ExitCode::unavailable, "the GPU takes no planes");
  }
  Arrival start_fields(const FieldChoice& choice, int first, int count, std::byte* out) override {
    if (is_bad(first, count)) fail();
    std::memset(out, 0, choice.plane_bytes() * static_cast<std::size_t>(count));
    return Arrival({});
  }

 private:
  void fail() const {
    if (failure_ == Failure::of_loading) return;
    if (failure_ == Failure::of_a_copy) throw Error(ExitCode::failed, "no pinned memory is left");
    if (failure_ == Failure::of_memory) throw std::bad_alloc();
    std::this_thread::sleep_for(std::chrono::milliseconds(500));  // the file is open by then
    throw Error(ExitCode::lost, "the GPU is gone");
  }

  Failure failure_;
  std::vector<SlabRange> planes_ = equal_shares();
};

/// Ranks have the planes' rows together, and rank 1 fails to give its own.
class FailingLayer final : public FakeSimulation {
 public:
  FailingLayer() : FakeSimulation(grid, 0.5, {}) {}
  const std::vector<SlabRange>& planes_of_ranks() const override { return planes_; }
  Arrival start_fields(const FieldChoice& choice, int first, int count, std::byte* out) override {
    const RowsOfPlanes all{rows_, {{choice.plane_bytes() / grid.cells[1]}}};
    layer_.gather(all, {first, count}, out, [](const SlabRange&, std::byte*) {
      if (ranks().rank() == 1) throw std::bad_alloc();
    });
    return Arrival({});
  }

 private:
  std::vector<SlabRange> planes_ = equal_shares();
  std::vector<RowRange> rows_ = cut_into_rows(grid.cells[1], ranks().size(), 4);
  SharedLayer layer_{{0, ranks().size()}, rows_, Device{}};
};

Config config_in(const std::string& folder, std::size_t memory) {
  Config config;
  config.solver.grid = grid;
  config.solver.gamma = 1.4;
  config.flow_yaml = "problem: {name: made_up}\n";
  config.snapshots.fields = {"density", "velocity", "pressure"};
  config.snapshots.precision = Precision::double_;
  config.output_directory = folder;
  config.on_write_error = OnWriteError::warn;
  config.writer_mebibytes = memory >> 20;
  return config;
}

void write_snapshot_of_a_layer() {
  const Config config = config_in("out", 4u << 20);
  const RunDirectory directory("out");
  if (ranks().is_first()) directory.create(ExistingResults::replace);
  FailingLayer layer;
  OutputFiles files(config, directory, layer);
  files.write_snapshot(0, 0);
  files.finish();
}

void write_files(Failure failure, const std::string& folder, std::size_t memory) {
  const Config config = config_in(folder, memory);
  const RunDirectory directory(folder);
  if (ranks().is_first()) directory.create(ExistingResults::replace);
  FailingSimulation simulation(failure);
  OutputFiles files(config, directory, simulation);
  files.write_snapshot(0, 0);
  files.write_checkpoint({});
  files.finish();
  for (const Error& told : files.take_failures()) std::printf("%s\n", told.what());
}

void load_what_a_rank_cannot_take() {
  const Config config = config_in("out", 4u << 20);
  const RunDirectory directory("out");
  if (ranks().is_first()) directory.create(ExistingResults::replace);
  FailingSimulation simulation(Failure::of_loading);
  OutputFiles files(config, directory, simulation);
  files.write_checkpoint({});
  files.finish();
  ranks().gather_values(0);  // the first rank has given the file its name
  try {
    files.load_checkpoint("out/checkpoints/000042.h5");
  } catch (const Error& error) {
    if (ranks().is_first()) std::printf("exit code %d: %s\n", static_cast<int>(error.code()), error.what());
  }
}

void tell_share_of_memory() {
  constexpr std::size_t free = 1200;
  if (ranks().is_first()) std::printf("of %zu bytes that are free %zu\n", free, usual_writer_memory(free));
}

/// Rank 1 has less than the others.
void tell_size_of_pieces() {
  const Writers writers(ranks().rank() == 1 ? 8u << 20 : 64u << 20, OnWriteError::stop, Device{});
  for (const std::size_t bytes : ranks().gather_values(writers.piece_bytes(128u << 20)))
    if (ranks().is_first()) std::printf("%zu\n", bytes);
}

}  // namespace
}  // namespace tayra

/// All go on.
void fail_in_every_way() {
  for (const std::size_t memory : {0u, 4u << 20})
    for (const auto failure : {tayra::Failure::of_a_copy, tayra::Failure::of_memory})
      tayra::write_files(failure, "out", memory);
}

/// All end, because rank 1 does.
void be_lost(void (*write)()) {
  try {
    write();
  } catch (const tayra::Error& error) {
    std::fprintf(stderr, "rank %d: %s\n", tayra::ranks().rank(), error.what());
    tayra::ranks().abort(error.code());
  }
}

int main(int count, char** words) {
  tayra::h5::prepare();  // before MPI, as the program does
  const std::string how = count > 1 ? words[1] : "";
  if (how == "device")
    be_lost([] { tayra::write_files(tayra::Failure::of_the_device, "out", 4u << 20); });
  else if (how == "layer")
    be_lost(tayra::write_snapshot_of_a_layer);
  else if (how == "load")
    tayra::load_what_a_rank_cannot_take();
  else if (how == "memory")
    tayra::tell_share_of_memory();
  else if (how == "pieces")
    tayra::tell_size_of_pieces();
  else
    fail_in_every_way();
}
