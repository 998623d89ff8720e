// How fast files are written and read, as a share of what plain calls of the system reach with the same
// bytes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "io/checkpoint.hpp"
#include "io/fake_simulation.hpp"
#include "io/snapshot.hpp"
#include "io/temporary_directory.hpp"

namespace tayra {
namespace {

constexpr int edge = 160;  // cells: 164 MB of state
constexpr int repeats = 5;

/// Hands out the same plane again and again, as fast as memory allows.
class CopyingSimulation final : public FakeSimulation {
 public:
  explicit CopyingSimulation(const Grid& grid) : FakeSimulation(grid, 0.1, {}) {
    for (std::size_t i = 0; i < plane_.size(); ++i) plane_[i] = 2 + 1e-6 * static_cast<double>(i % 1000);
  }
  Arrival start_copy(int, int count, std::byte* out) override {
    for (int k = 0; k < count; ++k, out += plane_bytes()) std::memcpy(out, plane_.data(), plane_bytes());
    return Arrival({});
  }
  Arrival start_fields(const FieldChoice& choice, int, int count, std::byte* out) override {
    const std::size_t plane = choice.plane_bytes();  // density, velocity, pressure: as much as the state
    for (int k = 0; k < count; ++k, out += plane) std::memcpy(out, plane_.data(), plane);
    return Arrival({});
  }
  void write_raw(int, int count, const std::byte* in) override {
    for (int k = 0; k < count; ++k) std::memcpy(plane_.data(), in + k * plane_bytes(), plane_bytes());
  }

 private:
  std::vector<double> plane_ = std::vector<double>(std::size_t(5) * edge * edge);
};

class SlowFileSpeed : public testing::Test {
 protected:
  SlowFileSpeed() {
    config_.solver.grid = {.cells = {edge, edge, edge}, .boundary = {}};
    config_.solver.gamma = 1.4;
    config_.flow_yaml = "problem: {name: made_up}\n";
    config_.snapshots.fields = {"density", "velocity", "pressure"};
    config_.snapshots.precision = Precision::double_;
    config_.checkpoints.keep = 1;
    simulation_ = std::make_unique<CopyingSimulation>(config_.solver.grid);
  }

  static double seconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  /// Plain calls and ours in turns, so that other users of the disk disturb both; the fastest of each.
  double share(const char* what, const std::function<void()>& plain, const std::function<void()>& ours) {
    double best_plain = HUGE_VAL, best_ours = HUGE_VAL;
    for (int i = 0; i < repeats; ++i) {
      best_plain = std::min(best_plain, seconds(plain));
      best_ours = std::min(best_ours, seconds(ours));
    }
    const double megabytes = 1e-6 * static_cast<double>(bytes_);
    std::printf("%-20s plain %6.0f MB/s, Tayra %6.0f MB/s: %3.0f %%\n", what, megabytes / best_plain,
                megabytes / best_ours, 100 * best_plain / best_ours);
    return best_plain / best_ours;
  }
  void write_plainly(bool on_disk) const {
    const int file = ::open(folder_.path("plain").c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
    for (std::size_t done = 0; done < bytes_; done += block_.size())
      ASSERT_GT(::write(file, block_.data(), std::min(block_.size(), bytes_ - done)), 0);
    if (on_disk) ::fsync(file);
    ::close(file);
  }
  void read_plainly() {
    forget(folder_.path("plain"));
    const int file = ::open(folder_.path("plain").c_str(), O_RDONLY);
    while (::read(file, block_.data(), block_.size()) > 0) {
    }
    ::close(file);
  }
  /// What was written must come from the disk again.
  static void forget(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY);
    ::fsync(file);
    ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    ::close(file);
  }

  TemporaryDirectory folder_;
  Config config_;
  std::unique_ptr<CopyingSimulation> simulation_;
  Writers writers_{256u << 20, OnWriteError::stop, Device{}};
  std::size_t bytes_ = std::size_t(5) * edge * edge * edge * sizeof(double);
  std::vector<char> block_ = std::vector<char>(8u << 20, 'x');
};

// Loose bounds: other tests share the disk. The shares are in what is printed.
constexpr double least_share = 0.4;

TEST_F(SlowFileSpeed, OfCheckpointsIsCloseToThatOfPlainCalls) {
  CheckpointWriter writer(config_, folder_.path("checkpoints"), writers_);
  std::int64_t step = 0;
  const auto write = [&] {
    StepClock clock;
    clock.step = ++step;
    simulation_->restart(clock);
    writer.write({}, *simulation_);
    writers_.finish();
  };
  const auto write_and_read_plainly = [&] {  // as it does
    write_plainly(true);
    read_plainly();
  };
  EXPECT_GT(share("write checkpoint", write_and_read_plainly, write), least_share);
  const std::string path = checkpoints_in(folder_.path("checkpoints")).front();
  const auto read = [&] {
    forget(path);
    load_planes(CheckpointFile(path), *simulation_);
  };
  EXPECT_GT(share(
                "read checkpoint", [&] { read_plainly(); }, read),
            least_share);
}

TEST_F(SlowFileSpeed, OfSnapshotsIsCloseToThatOfPlainCalls) {
  SnapshotWriter writer(config_, config_.snapshots, folder_.path(), writers_);
  const auto write = [&] {
    writer.write(*simulation_, 0);
    writers_.finish();
    forget(writer.last());
  };
  const auto plainly = [&] {
    write_plainly(false);
    forget(folder_.path("plain"));
  };
  EXPECT_GT(share("write snapshot", plainly, write), least_share);
}

}  // namespace
}  // namespace tayra
