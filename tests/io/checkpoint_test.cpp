// Tests of checkpoints: what is read back is what was written, to the last bit, or it is refused.
#include "io/checkpoint.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>

#include "io/fake_simulation.hpp"
#include "io/foreign_storage.hpp"
#include "io/hdf5.hpp"
#include "io/temporary_directory.hpp"

namespace tayra {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* config_text = "problem: {name: made_up}\nnumerics: {cfl: 0.5}\nrun: {steps: 10}\n";

/// A simulation whose numbers can be put in and taken out.
class RawSimulation final : public FakeSimulation {
 public:
  explicit RawSimulation(const Grid& grid) : FakeSimulation(grid, 0.1, {}) {
    numbers.resize(5 * std::size_t(grid.cells[0]) * grid.cells[1] * grid.cells[2]);
    plane_ = numbers.size() / grid.cells[2];
  }
  Arrival start_copy(int first, int count, std::byte* out) override {
    std::memcpy(out, numbers.data() + first * plane_, count * plane_ * sizeof(double));
    return Arrival({});
  }
  void write_raw(int first, int count, const std::byte* in) override {
    std::memcpy(numbers.data() + first * plane_, in, count * plane_ * sizeof(double));
  }

  std::vector<double> numbers;

 private:
  std::size_t plane_;
};

/// Numbers that round-off would spoil: tiny, huge, negative zero and no number at all.
std::vector<double> odd_numbers(std::size_t count) {
  std::vector<double> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = 1e-3 * double(i) / 7;
  numbers[0] = -0.0;
  numbers[1] = 5e-324;
  numbers[2] = 1.7976931348623157e308;
  numbers[3] = std::nan("");
  return numbers;
}

bool same_bits(const std::vector<double>& one, const std::vector<double>& other) {
  return one.size() == other.size() &&
         std::memcmp(one.data(), other.data(), one.size() * sizeof(double)) == 0;
}

class Checkpoint : public testing::Test {
 protected:
  Checkpoint() : config_(made_config()), simulation_(config_.solver.grid) {
    simulation_.numbers = odd_numbers(simulation_.numbers.size());
  }

  static Config made_config() {
    Config config;
    config.solver.grid = {.cells = {3, 4, 5}, .boundary = {}};
    config.flow_yaml = config_text;
    return config;
  }

  std::string write(std::int64_t step, const RunPosition& position = {}, std::int64_t right = INT64_MAX) {
    StepClock clock;
    clock.time = 0.1;
    clock.dt = 0.01;
    clock.last.signal_rate = 1 / 3.;
    clock.step = step;
    simulation_.restart(clock);
    Writers writers(0, OnWriteError::stop, Device{});
    CheckpointWriter writer(config_, folder_.path("checkpoints"), writers);
    writer.note_right(right);
    writer.write(position, simulation_);
    EXPECT_TRUE(writers.take_failures().empty());
    return checkpoints_in(folder_.path("checkpoints")).front();
  }

  RunPosition load(const std::string& path, RawSimulation& other) {
    const CheckpointFile file = open_checkpoint(path, config_);
    load_planes(file, other);
    return file.head().position;
  }

  /// The message of the error; empty when it was loaded.
  std::string refusal(const std::string& path) {
    RawSimulation other(config_.solver.grid);
    try {
      load(path, other);
    } catch (const Error& error) {
      return error.what();
    }
    return same_bits(other.numbers, simulation_.numbers) ? "" : "loaded, and wrong";
  }

  TemporaryDirectory folder_;
  Config config_;
  RawSimulation simulation_;
};

TEST_F(Checkpoint, GivesBackEveryBit) {
  const std::string path = write(7, {.clock = {},
                                     .limited_faces = 3,
                                     .last_diagnostics = 6,
                                     .snapshots = {{"snapshots", {2, 5}}, {"parts/middle", {4, 7}}}});
  RawSimulation other(config_.solver.grid);
  const RunPosition position = load(path, other);
  EXPECT_TRUE(same_bits(other.numbers, simulation_.numbers));
  EXPECT_EQ(position.clock.time, 0.1);
  EXPECT_EQ(position.clock.dt, 0.01);
  EXPECT_EQ(position.clock.last.signal_rate, 1 / 3.);
  EXPECT_EQ(position.clock.step, 7);
  EXPECT_EQ(position.limited_faces, 3);
  EXPECT_EQ(position.last_diagnostics, 6);
  ASSERT_EQ(position.snapshots.size(), 2u);
  EXPECT_EQ(position.snapshots.at("snapshots").written, 2);
  EXPECT_EQ(position.snapshots.at("snapshots").last_step, 5);
  EXPECT_EQ(position.snapshots.at("parts/middle").written, 4);
  EXPECT_EQ(position.snapshots.at("parts/middle").last_step, 7);
}

TEST_F(Checkpoint, IsNamedByItsStepAndOnlyTheNewestAreKept) {
  for (const std::int64_t step : {3, 20, 1'000'000}) write(step);
  EXPECT_THAT(checkpoints_in(folder_.path("checkpoints")),
              ElementsAre(folder_.path("checkpoints/1000000.h5"), folder_.path("checkpoints/000020.h5")));
}

TEST_F(Checkpoint, ThatIsTheNewestOfARightStateIsKeptBesideTheNewest) {
  const auto steps_after = [&](std::int64_t step, std::int64_t right) {
    write(step, {}, right);
    std::vector<std::int64_t> steps;
    for (const std::string& path : checkpoints_in(folder_.path("checkpoints")))
      steps.push_back(step_of_checkpoint(path));
    return steps;
  };
  for (const std::int64_t step : {10, 20}) write(step, {}, 0);
  EXPECT_THAT(steps_after(30, 25), ElementsAre(30, 20));
  EXPECT_THAT(steps_after(40, 25), ElementsAre(40, 30, 20));
  EXPECT_THAT(steps_after(50, 25), ElementsAre(50, 40, 20));
  EXPECT_THAT(steps_after(60, 50), ElementsAre(60, 50));
  EXPECT_THAT(steps_after(70, 45), ElementsAre(70, 60)) << "an older one is gone";
}

TEST_F(Checkpoint, OfOtherPhysicsIsRefusedWithTheKeys) {
  const std::string path = write(7);
  config_.flow_yaml =
      "problem: {name: made_up}\nnumerics: {cfl: 0.6}\nphysics: {gamma: 2}\nrun: {steps: 20}\n";
  EXPECT_THAT(refusal(path), AllOf(HasSubstr(path), HasSubstr("numerics.cfl is 0.5 there, 0.6 here"),
                                   HasSubstr("physics.gamma is not given there, 2 here")));
}

TEST_F(Checkpoint, MayHaveAnotherRunLengthAndOutput) {
  const std::string path = write(7);
  config_.flow_yaml = "problem: {name: made_up}\nnumerics: {cfl: 0.5}\nrun: {steps: 20}\noutput: {a: b}\n";
  EXPECT_EQ(refusal(path), "");
}

TEST_F(Checkpoint, ThatWasCutShortIsRefusedByName) {
  const std::string path = write(7);
  const auto size = fs::file_size(path);
  for (const auto bytes : {size - 1, size / 2, std::uintmax_t{100}, std::uintmax_t{0}}) {
    fs::resize_file(path, bytes);
    EXPECT_THAT(refusal(path), HasSubstr(path + " is damaged: ")) << "cut to " << bytes;
  }
}

TEST_F(Checkpoint, IsNotWrittenWhereALinkBesideItLeads) {
  fs::create_directory(folder_.path("checkpoints"));
  std::ofstream(folder_.path("precious")) << "text";
  for (const char* name : {"precious", "missing"}) {
    fs::create_symlink(folder_.path(name), folder_.path("checkpoints/000007.h5.tmp"));
    EXPECT_EQ(refusal(write(7)), "");
    EXPECT_FALSE(fs::is_symlink(folder_.path("checkpoints/000007.h5")));
  }
  EXPECT_EQ(text_of(folder_.path("precious")), "text");
  EXPECT_FALSE(fs::exists(folder_.path("missing")));
}

TEST_F(Checkpoint, OfTheHighestStepIsTheNewestHoweverManyDigitsThatHas) {
  fs::create_directory(folder_.path("many"));
  for (const char* name : {"000900.h5", "999999.h5", "1000000.h5", "10000001.h5", "99.h5", "1000000.h5.tmp"})
    std::ofstream(folder_.path("many/" + std::string(name)));
  EXPECT_EQ(checkpoints_in(folder_.path("many")),
            (std::vector{folder_.path("many/10000001.h5"), folder_.path("many/1000000.h5"),
                         folder_.path("many/999999.h5"), folder_.path("many/000900.h5")}));
}

TEST_F(Checkpoint, ThatIsMissingIsRefusedByName) {
  EXPECT_THAT(refusal(folder_.path("none.h5")), HasSubstr(folder_.path("none.h5") + " is damaged: "));
}

/// Overwrites an attribute of a file that is otherwise whole.
void set_attribute(const std::string& path, const char* name, std::int64_t value) {
  const h5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open");
  const h5::Handle attribute(H5Aopen(file, name, H5P_DEFAULT), H5Aclose, "open");
  h5::check(H5Awrite(attribute, H5T_NATIVE_INT64, &value), "write");
}

TEST_F(Checkpoint, OfAnotherGridIsRefusedByName) {
  struct Damage {
    const char* attribute;
    std::int64_t value;
    const char* message;
  };
  for (const auto& [attribute, value, message] :
       {Damage{"cells_x", 6, "its fields are not of the size that it states"},
        Damage{"bytes_per_number", 3, "numbers of 3 bytes"},
        Damage{"step", 8, "its checksum does not fit its head"},
        Damage{"last_diagnostics", 0, "its checksum does not fit its head"}}) {
    const std::string path = write(7);
    set_attribute(path, attribute, value);
    EXPECT_EQ(refusal(path), path + " is damaged: " + message) << attribute;
  }
}

TEST_F(Checkpoint, OfWhichATextWasDamagedIsRefusedByName) {
  for (const char* name : {"config", "snapshots"}) {
    RunPosition position;
    position.snapshots["snapshots"] = {4, 6};
    const std::string path = write(7, position);
    {
      const h5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open");
      const h5::Handle text = h5::open_dataset(file, name);
      std::string bytes(h5::extent_of(text).at(0), ' ');
      H5Dread(text, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
      bytes.at(bytes.size() - 4) ^= 1;  // of a number
      h5::check(H5Dwrite(text, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), "write");
    }
    EXPECT_EQ(refusal(path), path + " is damaged: its checksum does not fit its head") << name;
  }
}

// A newer Tayra's is whole: who took it for damaged would go on from an older one, in its place.
TEST_F(Checkpoint, OfAnotherFormatIsNotTakenForDamaged) {
  const std::string path = write(7);
  set_attribute(path, "format", 99);
  try {
    open_checkpoint(path, config_);
    FAIL() << "format 99 was read";
  } catch (const DamagedCheckpoint& damage) {
    FAIL() << damage.what();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                HasSubstr(path + " has format 99, this Tayra reads 1: go on with the Tayra that"));
  }
}

TEST_F(Checkpoint, ThatIsSetAsideTakesItsPartsAlongAlsoWhereThatWasCutShortBefore) {
  const auto put = [&](const std::string& name, const std::string& text) {
    fs::create_directories(fs::path(folder_.path(name)).parent_path());
    std::ofstream(folder_.path(name)) << text;
  };
  for (const char* name : {"000020.h5", "ranks/000020-1.h5", "damaged/ranks/000020-0.h5"}) put(name, "first");
  put("ranks/000010-0.h5", "another");
  EXPECT_EQ(move_to_damaged(folder_.path("000020.h5")), folder_.path("damaged/000020.h5"));
  for (const char* name : {"000020.h5", "ranks/000020-0.h5", "ranks/000020-1.h5"}) put(name, "second");
  EXPECT_EQ(move_to_damaged(folder_.path("000020.h5")), folder_.path("damaged-2/000020.h5"));
  for (const char* name : {"000020.h5", "ranks/000020-0.h5", "ranks/000020-1.h5"}) {
    EXPECT_EQ(text_of(folder_.path(std::string("damaged/") + name)), "first") << name;
    EXPECT_EQ(text_of(folder_.path(std::string("damaged-2/") + name)), "second") << name;
    EXPECT_FALSE(fs::exists(folder_.path(name))) << name;
  }
  EXPECT_EQ(text_of(folder_.path("ranks/000010-0.h5")), "another");
}

TEST_F(Checkpoint, ThatCannotBeSetAsideStaysAndIsTold) {
  const std::string path = write(7);
  std::ofstream(folder_.path("checkpoints/damaged")) << "no folder";
  try {
    move_to_damaged(path);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("cannot keep the damaged " + path + " as " +
                                        folder_.path("checkpoints/damaged/000007.h5") + " ("));
  }
  EXPECT_EQ(refusal(path), "");
}

// Else the next --resume would find it no more, and its parts would be lost to it.
TEST_F(Checkpoint, WhosePartsCannotBeSetAsideStaysWithThem) {
  for (const char* folder : {"ranks", "damaged"}) fs::create_directory(folder_.path(folder));
  for (const char* name : {"000020.h5", "ranks/000020-0.h5"}) std::ofstream(folder_.path(name)) << "text";
  std::ofstream(folder_.path("damaged/ranks")) << "no folder";
  EXPECT_THROW(move_to_damaged(folder_.path("000020.h5")), Error);
  for (const char* name : {"000020.h5", "ranks/000020-0.h5"})
    EXPECT_TRUE(fs::exists(folder_.path(name))) << name;
}

TEST_F(Checkpoint, WhoseNumbersLieInOtherFilesIsRefusedByName) {
  const std::string intact = write(7), secret = folder_.path("secret"), path = folder_.path("000007.h5");
  std::ofstream(secret) << std::string(10000, 's');
  for (const auto& [what, tamper] : tamperings(secret)) {
    for (const char* dataset : {"state", "plane_checksums"}) {
      fs::copy_file(intact, path, fs::copy_options::overwrite_existing);
      {
        const h5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open");
        tamper(file, dataset);
      }
      EXPECT_THAT(refusal(path), AllOf(testing::StartsWith(path + " is damaged: " + dataset),
                                       testing::AnyOf(HasSubstr("is a link that may lead out of the file"),
                                                      HasSubstr("in a file outside (external storage)"),
                                                      HasSubstr("which is no part of it"))))
          << what;
    }
  }
}

TEST_F(Checkpoint, WhosePartKeepsItsNumbersInAnotherFileIsRefusedByName) {
  const std::string path = write(7), part = folder_.path("checkpoints/ranks/000007-0.h5");
  fs::create_directory(folder_.path("checkpoints/ranks"));
  for (const auto& [what, tamper] : tamperings(folder_.path("secret"))) {
    fs::remove(part);
    std::ofstream(folder_.path("secret")) << std::string(10000, 's');
    write(7);
    fs::copy_file(path, part);
    {
      const h5::Handle of_part(H5Fopen(part.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open");
      tamper(of_part, "state");
      const h5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open");
      show_planes_of("ranks/000007-0.h5", "state")(file, "state");
    }
    EXPECT_THAT(refusal(path), HasSubstr("part " + part + " is missing or damaged: ")) << what;
  }
}

TEST_F(Checkpoint, OfAStepThatNoRunHasIsNone) {
  const std::string path = write(7);
  for (const char* name : {"99999999999999999999999.h5", "9223372036854775808.h5"})
    std::ofstream(folder_.path("checkpoints/") + name) << "mine";
  EXPECT_THAT(checkpoints_in(folder_.path("checkpoints")), ElementsAre(path));
}

class SlowCheckpoint : public Checkpoint {};

/// Flips one bit in every `stride`-th byte; the file must then be refused by name or hold what was written.
void flip_bytes(const std::string& path, std::size_t stride, const std::function<std::string()>& refusal) {
  const std::string whole = text_of(path);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < whole.size(); i += stride) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << i % 8));
    std::ofstream(path, std::ios::binary) << damaged;
    const std::string message = refusal();
    refused += !message.empty();
    EXPECT_TRUE(message.empty() || message.starts_with(path + " is damaged: "))
        << "byte " << i << ": " << message;
  }
  // The rest is room that HDF5 leaves unused, and the version of Tayra, which is for people.
  EXPECT_GT(double(refused), 0.6 * double(whole.size() / stride));
}

TEST_F(Checkpoint, WithAFlippedBitIsRefusedOrHarmless) {
  const std::string path = write(7);
  flip_bytes(path, 23, [&] { return refusal(path); });
}

TEST_F(SlowCheckpoint, WithABitFlippedInAnyByteIsRefusedOrHarmless) {
  const std::string path = write(7);
  flip_bytes(path, 1, [&] { return refusal(path); });
}

}  // namespace
}  // namespace tayra
