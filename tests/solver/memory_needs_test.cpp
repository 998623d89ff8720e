// Which boxes no device takes.
#include "solver/memory_needs.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "solver/simulation.hpp"

namespace tayra {
namespace {

bool takes_planes(DeviceKind device, Precision precision, std::uint64_t cells) {
  SolverSettings settings;
  settings.device = device;
  settings.precision = precision;
  return cells <= most_cells_across(settings);
}

TEST(MemoryNeeds, GiveAGpuNoPlaneOfWhichFourVariablesHave4GiB) {
  EXPECT_TRUE(takes_planes(DeviceKind::cuda, Precision::double_, 16384ull * 8191));
  EXPECT_FALSE(takes_planes(DeviceKind::cuda, Precision::double_, 16384ull * 8192));
  EXPECT_TRUE(takes_planes(DeviceKind::cuda, Precision::single, 16384ull * 16383));
  EXPECT_FALSE(takes_planes(DeviceKind::cuda, Precision::single, 16384ull * 16384));
  EXPECT_TRUE(takes_planes(DeviceKind::cpu, Precision::double_, 65536ull * 65536));
}

}  // namespace
}  // namespace tayra
