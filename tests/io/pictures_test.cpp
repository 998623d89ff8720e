// Tests of pictures of the newest state, read back with HDF5's own calls.
#include "io/pictures.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "io/fake_simulation.hpp"
#include "io/hdf5.hpp"
#include "io/temporary_directory.hpp"

namespace tayra {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Config config_of(const std::array<int, 3>& cells) {
  Config config;
  config.solver.grid = {.cells = cells, .lower = {0, 0, 0}, .upper = {1, 2, 4}, .boundary = {}};
  config.flow_yaml = "problem: {name: made_up}\n";
  return config;
}

std::vector<std::string> names_of_pictures(const Config& config) {
  std::vector<std::string> names;
  for (const PictureView& view : picture_views(config)) names.push_back(view.name);
  return names;
}

double density(int x, int y, int z) { return 1 + x + 100 * y + 1000 * z; }

/// Makes them at once.
class Made {
 public:
  explicit Made(const Config& config, const std::string& folder)
      : simulation_(config.solver.grid, 0.75,
                    [](int x, int y, int z) -> std::array<double, 5> {
                      return {density(x, y, z), 0, 0, 0, 1};
                    }),
        pictures_(config, folder, simulation_, writers_) {
    pictures_.make(simulation_);
    writers_.wait();
  }
  std::vector<std::string> failures() { return pictures_.take_failures(); }

 private:
  FakeSimulation simulation_;
  Writers writers_{0, OnWriteError::stop, Device{}};
  Pictures pictures_;
};

TEST(Pictures, AreOneSliceThroughTheMiddleUnlessOthersAreAskedFor) {
  EXPECT_THAT(names_of_pictures(config_of({8, 8, 16})), ElementsAre("slice_y"));
  EXPECT_THAT(names_of_pictures(config_of({64, 1, 64})), ElementsAre("slice_y"));
  EXPECT_THAT(names_of_pictures(config_of({1, 64, 64})), ElementsAre("slice_x"));
  Config asked = config_of({8, 8, 16});
  asked.pictures.slices[2] = 3.5;
  asked.pictures.projections = {"y", "x"};
  EXPECT_THAT(names_of_pictures(asked), ElementsAre("slice_z", "mean_y", "mean_x"));
  asked.pictures.every_seconds = 0;
  EXPECT_THAT(names_of_pictures(asked), ElementsAre());
}

TEST(Pictures, HoldEveryNthCellOfGridsThatAreTooFineForThem) {
  const TemporaryDirectory directory;
  Config config = config_of({4, 6, 1030});
  config.pictures.slices[1] = 1.1;
  EXPECT_THAT(Made(config, directory.path("live")).failures(), ElementsAre());
  const h5::Handle file = h5::open_file(directory.path("live/slice_y.vtkhdf"));
  const h5::Handle data = h5::open_dataset(file, "density");
  ASSERT_THAT(h5::extent_of(data), ElementsAre(344, 1, 4));
  std::vector<float> numbers(344 * 4);
  h5::check(H5Dread(data, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), "read");
  for (int z = 0; z < 344; ++z)
    for (int x = 0; x < 4; ++x)
      ASSERT_EQ(numbers[4 * z + x], static_cast<float>(density(x, 3, 3 * z))) << x << ", " << z;
  Vec3 spacing{};
  h5::read_attribute(file, "spacing", spacing);
  EXPECT_DOUBLE_EQ(spacing[2], 3 * 4. / 1030);
}

TEST(Pictures, ThatCannotBeWrittenAreToldOfAndMissed) {
  const TemporaryDirectory directory;
  std::ofstream(directory.path("live")) << "a file\n";
  Made made(config_of({4, 4, 8}), directory.path("live"));
  EXPECT_THAT(made.failures(), ElementsAre(HasSubstr("live/slice_y.vtkhdf was not written: ")));
  EXPECT_THAT(made.failures(), ElementsAre());
}

TEST(Pictures, AreNeverSeenHalf) {
  const TemporaryDirectory directory;
  const std::string path = directory.path("live/slice_y.vtkhdf");
  Made(config_of({4, 4, 8}), directory.path("live"));
  std::atomic<bool> is_over = false;
  std::thread writer([&] {
    for (int i = 0; i < 40; ++i) Made(config_of({4, 4, 8}), directory.path("live"));
    is_over = true;
  });
  int seen = 0;
  for (; !is_over; ++seen)
    EXPECT_NO_THROW(EXPECT_THAT(read_snapshot_entry(path).fields, testing::SizeIs(1))) << seen;
  writer.join();
  EXPECT_GT(seen, 10);
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(directory.path("live")))
    left.push_back(entry.path().filename().string());
  EXPECT_THAT(left, ElementsAre("slice_y.vtkhdf"));
}

}  // namespace
}  // namespace tayra
