// Tests of snapshots, read back with HDF5's own calls.
#include "io/snapshot.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <zlib.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "io/fake_simulation.hpp"
#include "io/foreign_storage.hpp"
#include "io/full_disk.hpp"
#include "io/hdf5.hpp"
#include "io/temporary_directory.hpp"

// HDF5 itself loses the memory of a file that it couldn't close.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }

namespace tayra {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr double gamma_ = 1.4;

std::array<double, 5> state(int x, int y, int z) {
  const double density = 1 + x + 10 * y + 100 * z;
  const Vec3 velocity{0.5 * x, 0.25 * y, -0.125 * z};
  const double kinetic =
      0.5 * (velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2]);
  return {density, density * velocity[0], density * velocity[1], density * velocity[2],
          2 / (gamma_ - 1) + density * kinetic};
}

Config config_of(std::vector<std::string> fields, Precision precision) {
  Config config;
  config.solver.grid = {.cells = {4, 5, 6}, .lower = {-1, 0, 2}, .upper = {1, 5, 3.5}, .boundary = {}};
  config.solver.gamma = gamma_;
  config.snapshots.fields = std::move(fields);
  config.snapshots.precision = precision;
  config.flow_yaml = "problem: {name: made_up}\n";
  return config;
}

FakeSimulation simulation_of(const Config& config) { return {config.solver.grid, 0.75, state}; }

/// Writes snapshots at once, and fails as they do.
class Snapshots {
 public:
  Snapshots(const Config& config, std::string directory)
      : Snapshots(config, config.snapshots, std::move(directory)) {}
  Snapshots(const Config& config, const SnapshotSettings& settings, std::string directory)
      : directory_(std::move(directory)), writer_(config, settings, directory_, writers_) {}

  std::string write(Simulation& simulation) {
    writer_.write(simulation, next_++);
    writer_.complete_lists();
    for (const Error& failure : writers_.take_failures()) throw failure;
    return last();
  }
  std::string last() const { return writer_.last(); }
  void go_on_after(std::int64_t count) { writer_.go_on_after(count); }

 private:
  std::string directory_;
  Writers writers_{0, OnWriteError::warn, Device{}};
  SnapshotWriter writer_;
  std::int64_t next_ = 0;
};

class Reader {
 public:
  explicit Reader(const std::string& path)
      : file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "open " + path) {}

  std::vector<hsize_t> extent(const std::string& name) const {
    const h5::Handle data = dataset(name);
    const h5::Handle space(H5Dget_space(data), H5Sclose, "space");
    std::vector<hsize_t> sizes(H5Sget_simple_extent_ndims(space));
    H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
    return sizes;
  }
  std::vector<double> values(const std::string& name) const {
    std::size_t count = 1;
    for (const hsize_t size : extent(name)) count *= size;
    std::vector<double> all(count);
    h5::check(H5Dread(dataset(name), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), "read");
    return all;
  }
  std::size_t bytes_a_value(const std::string& name) const {
    const h5::Handle type(H5Dget_type(dataset(name)), H5Tclose, "type");
    return H5Tget_size(type);
  }
  std::vector<double> numbers(const std::string& object, const std::string& name, std::size_t count) const {
    std::vector<double> all(count);
    h5::check(H5Aread(attribute(object, name), H5T_NATIVE_DOUBLE, all.data()), "read");
    return all;
  }
  std::string text(const std::string& object, const std::string& name) const {
    const h5::Handle found = attribute(object, name);
    const h5::Handle type(H5Aget_type(found), H5Tclose, "type");
    char* characters = nullptr;
    h5::check(H5Aread(found, type, &characters), "read");
    const std::string copy = characters;
    H5free_memory(characters);
    return copy;
  }
  h5::Handle attribute(const std::string& object, const std::string& name) const {
    return {H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
            "open " + name};
  }
  /// In the file, of a field's values.
  haddr_t place(const std::string& name) const {
    const haddr_t place = H5Dget_offset(dataset(name));
    EXPECT_NE(place, HADDR_UNDEF) << name;
    return place;
  }

 private:
  h5::Handle dataset(const std::string& name) const {
    return {H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose, "open " + name};
  }
  h5::Handle file_;
};

TEST(Snapshot, HoldsFieldsInTheOrderZYX) {
  const TemporaryDirectory directory;
  const Config config = config_of({"density", "velocity", "pressure"}, Precision::double_);
  FakeSimulation simulation = simulation_of(config);
  const Reader file(Snapshots(config, directory.path()).write(simulation));

  EXPECT_EQ(file.extent("density"), (std::vector<hsize_t>{6, 5, 4}));
  EXPECT_EQ(file.extent("velocity"), (std::vector<hsize_t>{6, 5, 4, 3}));
  const auto density = file.values("density"), velocity = file.values("velocity"),
             pressure = file.values("pressure");
  for (int z = 0; z < 6; ++z)
    for (int y = 0; y < 5; ++y)
      for (int x = 0; x < 4; ++x) {
        const std::size_t cell = (z * 5 + y) * 4 + x;
        EXPECT_EQ(density[cell], 1 + x + 10 * y + 100 * z);
        EXPECT_DOUBLE_EQ(velocity[3 * cell], 0.5 * x);
        EXPECT_DOUBLE_EQ(velocity[3 * cell + 1], 0.25 * y);
        EXPECT_DOUBLE_EQ(velocity[3 * cell + 2], -0.125 * z);
        EXPECT_NEAR(pressure[cell], 2, 1e-10);
      }
}

TEST(Snapshot, HoldsEveryFieldThatCanBeAskedFor) {
  const TemporaryDirectory directory;
  const Config config = config_of(output_field_names(), Precision::double_);
  FakeSimulation simulation = simulation_of(config);
  const Reader file(Snapshots(config, directory.path()).write(simulation));
  const std::size_t cell = (3 * 5 + 2) * 4 + 1;  // x = 1, y = 2, z = 3
  const double density = 322, speed = std::hypot(0.5, 0.5, 0.375);
  EXPECT_DOUBLE_EQ(file.values("momentum")[3 * cell + 2], -0.375 * density);
  EXPECT_NEAR(file.values("energy")[cell], 5 + 0.5 * density * speed * speed, 1e-12);
  EXPECT_NEAR(file.values("temperature")[cell], 2 / density, 1e-14);
  EXPECT_NEAR(file.values("mach")[cell], speed / std::sqrt(gamma_ * 2 / density), 1e-12);
}

TEST(Snapshot, StoresSinglePrecisionInFourBytes) {
  const TemporaryDirectory directory;
  const Config config = config_of({"density"}, Precision::single);
  FakeSimulation simulation = simulation_of(config);
  const Reader file(Snapshots(config, directory.path()).write(simulation));
  EXPECT_EQ(file.bytes_a_value("density"), 4u);
  EXPECT_EQ(file.values("density").back(), 1 + 3 + 40 + 500);
}

TEST(Snapshot, SaysWhenWhereAndFromWhat) {
  const TemporaryDirectory directory;
  const Config config = config_of({"density"}, Precision::single);
  FakeSimulation simulation = simulation_of(config);
  const Reader file(Snapshots(config, directory.path()).write(simulation));
  EXPECT_EQ(file.numbers("/", "time", 1), std::vector{0.75});
  EXPECT_EQ(file.numbers("/", "step", 1), std::vector{42.});
  EXPECT_EQ(file.numbers("/", "lower", 3), (std::vector{-1., 0., 2.}));
  EXPECT_EQ(file.numbers("/", "spacing", 3), (std::vector{0.5, 1., 0.25}));
  EXPECT_EQ(file.text("/", "config"), config.flow_yaml);
  EXPECT_EQ(file.text("density", "units"), "mass / length^3");
}

TEST(Snapshot, ShowsVtkTheSameDataByLinks) {
  const TemporaryDirectory directory;
  const Config config = config_of({"density", "velocity"}, Precision::single);
  FakeSimulation simulation = simulation_of(config);
  const Reader file(Snapshots(config, directory.path()).write(simulation));
  EXPECT_EQ(file.place("density"), file.place("VTKHDF/CellData/density"));
  EXPECT_EQ(file.place("velocity"), file.place("VTKHDF/CellData/velocity"));
  EXPECT_EQ(file.numbers("VTKHDF", "Version", 2), (std::vector{1., 0.}));
  EXPECT_EQ(file.numbers("VTKHDF", "WholeExtent", 6), (std::vector{0., 4., 0., 5., 0., 6.}));
  EXPECT_EQ(file.numbers("VTKHDF", "Origin", 3), (std::vector{-1., 0., 2.}));
  EXPECT_EQ(file.numbers("VTKHDF", "Spacing", 3), (std::vector{0.5, 1., 0.25}));
  EXPECT_EQ(file.numbers("VTKHDF", "Direction", 9), (std::vector{1., 0., 0., 0., 1., 0., 0., 0., 1.}));
}

TEST(Snapshot, NamesItsVtkTypeInFixedLengthAscii) {
  const TemporaryDirectory directory;
  const Config config = config_of({"density"}, Precision::single);
  FakeSimulation simulation = simulation_of(config);
  const Reader file(Snapshots(config, directory.path()).write(simulation));
  const h5::Handle attribute = file.attribute("VTKHDF", "Type");
  const h5::Handle type(H5Aget_type(attribute), H5Tclose, "type");
  EXPECT_EQ(H5Tis_variable_str(type), 0);
  EXPECT_EQ(H5Tget_cset(type), H5T_CSET_ASCII);
  std::string text(H5Tget_size(type), '\0');
  H5Aread(attribute, type, text.data());
  EXPECT_EQ(text, "ImageData");
}

TEST(Snapshot, IsTheSameFileToTheByteWhenWrittenAgain) {
  const TemporaryDirectory directory;
  const Config config = config_of({"density", "velocity"}, Precision::single);
  FakeSimulation simulation = simulation_of(config);
  Snapshots writer(config, directory.path());
  const std::string first = text_of(writer.write(simulation)), second = text_of(writer.write(simulation));
  EXPECT_TRUE(first == second);
}

TEST(Snapshot, IsListedOnceItIsWhole) {
  const TemporaryDirectory directory;
  const Config config = config_of({"density", "velocity"}, Precision::single);
  FakeSimulation simulation = simulation_of(config);
  Snapshots writer(config, directory.path());
  EXPECT_EQ(writer.last(), "");
  writer.write(simulation);
  EXPECT_EQ(writer.write(simulation), directory.path("000001.vtkhdf"));
  EXPECT_EQ(writer.last(), directory.path("000001.vtkhdf"));
  EXPECT_EQ(text_of(directory.path("snapshots.vtkhdf.series")),
            "{\n  \"file-series-version\": \"1.0\",\n  \"files\": [\n"
            "    {\n      \"name\": \"000000.vtkhdf\",\n      \"time\": 0.75\n    },\n"
            "    {\n      \"name\": \"000001.vtkhdf\",\n      \"time\": 0.75\n    }\n  ]\n}\n");
  const std::string xdmf = text_of(directory.path("snapshots.xmf"));
  EXPECT_THAT(xdmf, HasSubstr("TopologyType=\"3DCoRectMesh\" Dimensions=\"7 6 5\""));
  EXPECT_THAT(xdmf, HasSubstr("Dimensions=\"6 5 4 3\" NumberType=\"Float\" Precision=\"4\" Format=\"HDF\">"
                              "000001.vtkhdf:/velocity<"));
  EXPECT_THAT(xdmf, HasSubstr(">2 0 -1<"));
  EXPECT_THAT(xdmf, HasSubstr(">0.25 1 0.5<"));
}

TEST(Snapshot, IsListedWithEveryDigitOfItsTime) {
  const TemporaryDirectory directory;
  const Config config = config_of({"density"}, Precision::single);
  FakeSimulation simulation(config.solver.grid, 1 / 3., state);
  Snapshots(config, directory.path()).write(simulation);
  for (const std::string list : {"snapshots.xmf", "snapshots.vtkhdf.series"}) {
    const std::string text = text_of(directory.path(list));
    EXPECT_EQ(std::stod(text.substr(text.find("0.33"))), 1 / 3.) << list;
  }
}

TEST(Snapshot, ThatIsMissingOrDamagedIsLeftOutOfTheListAndNoOther) {
  const TemporaryDirectory directory;
  const Config config = config_of({"density"}, Precision::single);
  FakeSimulation simulation = simulation_of(config);
  Snapshots writer(config, directory.path());
  for (int number = 0; number < 4; ++number) writer.write(simulation);
  std::filesystem::remove(directory.path("000001.vtkhdf"));
  std::filesystem::resize_file(directory.path("000002.vtkhdf"), 100);
  Snapshots(config, directory.path()).go_on_after(4);
  for (const char* list : {"snapshots.xmf", "snapshots.vtkhdf.series"})
    EXPECT_THAT(text_of(directory.path(list)),
                AllOf(HasSubstr("000000.vtkhdf"), HasSubstr("000003.vtkhdf"), Not(HasSubstr("000001.vtkhdf")),
                      Not(HasSubstr("000002.vtkhdf"))))
        << list;
}

TEST(Snapshot, WhoseNumbersLieInOtherFilesIsRefused) {
  const TemporaryDirectory directory;
  const Config config = config_of({"density"}, Precision::double_);
  FakeSimulation simulation = simulation_of(config);
  const std::string intact = Snapshots(config, directory.path()).write(simulation),
                    secret = directory.path("secret"), path = directory.path("tampered");
  std::ofstream(secret) << std::string(10000, 's');
  for (const auto& [what, tamper] : tamperings(secret)) {
    for (const char* group : {"VTKHDF/CellData", "VTKHDF", "/"}) {
      std::filesystem::copy_file(intact, path, std::filesystem::copy_options::overwrite_existing);
      {
        const h5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open");
        const h5::Handle in(H5Gopen2(file, group, H5P_DEFAULT), H5Gclose, "open");
        if (group == std::string("/") && what.ends_with("link"))
          tamper(file, "VTKHDF");
        else if (group == std::string("VTKHDF") && what.ends_with("link"))
          tamper(in, "CellData");
        else if (group == std::string("VTKHDF/CellData"))
          tamper(in, "density");
        else
          continue;
      }
      EXPECT_THROW(read_snapshot_entry(path), Error) << what << " in " << group;
    }
  }
}

TEST(Snapshot, ThatIsNoFileIsRefusedByWhatItIs) {
  const TemporaryDirectory directory;
  ASSERT_EQ(mkfifo(directory.path("pipe").c_str(), 0600), 0);
  try {
    read_snapshot_entry(directory.path("pipe"));
    ADD_FAILURE() << "was read";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "cannot open the file (it is a pipe (FIFO))");
  }
}

TEST(Snapshot, HasTheChecksumOfEveryPlaneOfEachField) {
  const TemporaryDirectory directory;
  for (const auto compression : {Compression::none, Compression::deflate}) {
    Config config = config_of({"density", "velocity"}, Precision::double_);
    config.snapshots.compression = compression;
    FakeSimulation simulation = simulation_of(config);
    const Reader file(Snapshots(config, directory.path()).write(simulation));
    for (const std::string field : {"density", "velocity"}) {
      const auto numbers = file.values(field), sums = file.values("checksums/" + field);
      ASSERT_EQ(sums.size(), 6u);
      const std::size_t plane = numbers.size() / 6;
      for (std::size_t z = 0; z < 6; ++z)
        EXPECT_EQ(sums[z],
                  crc32_z(0, reinterpret_cast<const Bytef*>(&numbers[z * plane]), plane * sizeof(numbers[0])))
            << field << z;
    }
  }
}

TEST(Snapshot, ThatARunGoesOnWithoutIsListedNoMore) {
  const TemporaryDirectory directory;
  const Config config = config_of({"density"}, Precision::single);
  FakeSimulation simulation = simulation_of(config);
  Snapshots writer(config, directory.path());
  for (int number = 0; number < 3; ++number) writer.write(simulation);
  Snapshots(config, directory.path()).go_on_after(2);
  for (const char* list : {"snapshots.xmf", "snapshots.vtkhdf.series"})
    EXPECT_THAT(text_of(directory.path(list)),
                AllOf(HasSubstr("000001.vtkhdf"), Not(HasSubstr("000002.vtkhdf"))))
        << list;
}

std::string message_of(Snapshots& writer, Simulation& simulation) {
  try {
    writer.write(simulation);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// Cells whose centres lie in x -0.5 … 0.5, y 1 … 4, z 2.5 … 3: x 1, 2; y 1, 2, 3; z 2, 3.
SnapshotSettings part_of_box() {
  SnapshotSettings part{.cadence = {}, .fields = {"density", "vorticity"}, .precision = Precision::double_};
  part.lower = {-0.5, 1, 2.5};
  part.upper = {0.5, 4, 3};
  return part;
}

TEST(Snapshot, OfAPartHoldsTheCellsWhoseCentresLieInIt) {
  const TemporaryDirectory directory;
  const Config config = config_of({"density"}, Precision::double_);
  FakeSimulation simulation = simulation_of(config);
  const Reader file(Snapshots(config, part_of_box(), directory.path()).write(simulation));
  EXPECT_EQ(file.extent("density"), (std::vector<hsize_t>{2, 3, 2}));
  EXPECT_EQ(file.values("density").front(), 1 + 1 + 10 + 200);
  EXPECT_EQ(file.values("density").back(), 1 + 2 + 30 + 300);
  EXPECT_EQ(file.numbers("/", "lower", 3), (std::vector{-0.5, 1., 2.5}));
  EXPECT_EQ(file.numbers("VTKHDF", "WholeExtent", 6), (std::vector{0., 2., 0., 3., 0., 2.}));
}

TEST(Snapshot, WithAStrideHoldsCellsAtTheirTrueCentres) {
  const TemporaryDirectory directory;
  const Config config = config_of({"density"}, Precision::double_);
  FakeSimulation simulation = simulation_of(config);
  SnapshotSettings part = part_of_box();
  part.lower = part.upper = {};
  part.stride = {3, 2, 4};  // x 0, 3; y 0, 2, 4; z 0, 4
  const Reader file(Snapshots(config, part, directory.path()).write(simulation));
  EXPECT_EQ(file.extent("density"), (std::vector<hsize_t>{2, 3, 2}));
  EXPECT_EQ(file.values("density"),
            (std::vector<double>{1, 4, 21, 24, 41, 44, 401, 404, 421, 424, 441, 444}));
  const auto lower = file.numbers("/", "lower", 3), spacing = file.numbers("/", "spacing", 3);
  EXPECT_EQ(spacing, (std::vector{1.5, 2., 1.}));
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_DOUBLE_EQ(lower[axis] + 0.5 * spacing[axis], config.solver.grid.centre(axis, 0));
}

TEST(Snapshot, ShowsVtkAPartWhereItLies) {
  const TemporaryDirectory directory;
  const Config config = config_of({"density"}, Precision::double_);
  FakeSimulation simulation = simulation_of(config);
  SnapshotSettings part = part_of_box();
  part.stride = {1, 2, 1};
  const Reader file(Snapshots(config, part, directory.path()).write(simulation));
  EXPECT_EQ(file.numbers("VTKHDF", "Origin", 3), (std::vector{-0.5, 0.5, 2.5}));
  EXPECT_EQ(file.numbers("VTKHDF", "Spacing", 3), (std::vector{0.5, 2., 0.25}));
}

TEST(Snapshot, OfAPlaneIsOneCellThick) {
  const TemporaryDirectory directory;
  const Config config = config_of({"density"}, Precision::double_);
  FakeSimulation simulation = simulation_of(config);
  for (const double y : {2., 2.3, 2.5}) {  // on a face, in a cell, at its centre
    SnapshotSettings part = part_of_box();
    part.lower = {-1, y, 2};
    part.upper = {1, y, 3.5};
    part.stride = {1, 5, 1};
    const Reader file(Snapshots(config, part, directory.path()).write(simulation));
    EXPECT_EQ(file.extent("density"), (std::vector<hsize_t>{6, 1, 4})) << y;
    EXPECT_EQ(file.values("density").front(), 1 + 20) << y;
    EXPECT_EQ(file.numbers("/", "spacing", 3), (std::vector{0.5, 1., 0.25})) << y;
  }
}

TEST(Snapshot, HoldsTheCurlOfTheVelocity) {
  const TemporaryDirectory directory;
  Config config = config_of({"vorticity"}, Precision::double_);
  config.solver.grid.boundary = {Boundary::periodic, Boundary::mirror, Boundary::outflow};
  // u = 2 y - 3 z, v = 5 z + 7 x, w = 11 x - 13 y in cells: their spacings are 0.5, 1 and 0.25.
  FakeSimulation simulation(config.solver.grid, 0, [](int x, int y, int z) {
    return std::array<double, 5>{2., 2. * (2 * y - 3 * z), 2. * (5 * z + 7 * x), 2. * (11 * x - 13 * y), 1e4};
  });
  const Reader file(Snapshots(config, directory.path()).write(simulation));
  const auto values = file.values("vorticity");
  const auto at = [&](int x, int y, int z, int axis) { return values[3 * ((z * 5 + y) * 4 + x) + axis]; };
  EXPECT_DOUBLE_EQ(at(1, 2, 3, 0), -13 / 1. - 5 / 0.25);
  EXPECT_DOUBLE_EQ(at(1, 2, 3, 1), -3 / 0.25 - 11 / 0.5);
  EXPECT_DOUBLE_EQ(at(1, 2, 3, 2), 7 / 0.5 - 2 / 1.);
  // Beyond a mirror or an open end lies the cell itself, beyond a periodic one that of the other side.
  EXPECT_DOUBLE_EQ(at(1, 0, 3, 0), -13 / 2. - 5 / 0.25);
  EXPECT_DOUBLE_EQ(at(1, 2, 5, 1), -3 / 0.5 - 11 / 0.5);
  EXPECT_DOUBLE_EQ(at(0, 2, 3, 2), (7 - 21) / 1. - 2 / 1.);
}

TEST(Snapshot, ComputesAPartAsItComputesTheWholeBox) {
  const TemporaryDirectory directory;
  Config config = config_of({"vorticity"}, Precision::double_);
  config.solver.grid.boundary = {Boundary::periodic, Boundary::periodic, Boundary::mirror};
  FakeSimulation simulation = simulation_of(config);
  const Reader whole(Snapshots(config, directory.path()).write(simulation));
  const Reader part(Snapshots(config, part_of_box(), directory.path()).write(simulation));
  EXPECT_EQ(part.values("vorticity").front(), whole.values("vorticity")[3 * ((2 * 5 + 1) * 4 + 1)]);
  EXPECT_EQ(part.values("vorticity").back(), whole.values("vorticity")[3 * ((3 * 5 + 3) * 4 + 2) + 2]);
}

TEST(Snapshot, IsSmallerButTheSameWhenCompressed) {
  const TemporaryDirectory plain_folder, small_folder;
  Config config = config_of({"density", "velocity"}, Precision::double_);
  config.solver.grid.cells = {32, 32, 6};
  FakeSimulation simulation = simulation_of(config);
  const std::string plain = Snapshots(config, plain_folder.path()).write(simulation);
  config.snapshots.compression = Compression::deflate;
  const std::string small = Snapshots(config, small_folder.path()).write(simulation);
  EXPECT_LT(2 * std::filesystem::file_size(small), std::filesystem::file_size(plain));
  EXPECT_EQ(Reader(small).values("velocity"), Reader(plain).values("velocity"));
}

TEST(Snapshot, FailsWithOneSentenceWhenItsFolderIsGone) {
  const TemporaryDirectory directory;
  const Config config = config_of({"density"}, Precision::single);
  FakeSimulation simulation = simulation_of(config);
  Snapshots writer(config, directory.path("gone"));
  EXPECT_EQ(message_of(writer, simulation),
            "snapshot " + directory.path("gone/000000.vtkhdf") +
                " was not written: cannot create the file (No such file or directory)");
}

TEST(Snapshot, LeavesNoHalfFileOnAFullDisk) {
  for (const rlim_t bytes : {100, 3000, 9000}) {
    const TemporaryDirectory directory;
    const Config config = config_of({"density", "velocity", "pressure"}, Precision::double_);
    FakeSimulation simulation = simulation_of(config);
    Snapshots writer(config, directory.path());
    std::string message;
    {
      const FileSizeLimit limit(bytes);
      message = message_of(writer, simulation);
    }
    EXPECT_THAT(message, HasSubstr("was not written: cannot "));
    EXPECT_THAT(message, HasSubstr("(File too large)"));
    EXPECT_TRUE(std::filesystem::is_empty(directory.path())) << "with room for " << bytes << " bytes";
    EXPECT_EQ(message_of(writer, simulation), "no error") << "once there is room again";
    EXPECT_EQ(Reader(directory.path("000001.vtkhdf")).values("density").front(), 1);
  }
}

}  // namespace
}  // namespace tayra
