// What a batch system or a container allows counts, not what the machine has.
#include "core/host_memory.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "io/temporary_directory.hpp"

namespace tayra {
namespace {

class MemoryOfAGroup : public ::testing::Test {
 protected:
  void put(const std::string& file, const std::string& text) {
    const std::filesystem::path path = root_.path(file);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  std::uint64_t available(const std::string& groups) const {
    return group_memory_available(groups, root_.path(""));
  }
  TemporaryDirectory root_;
};

TEST_F(MemoryOfAGroup, IsItsLimitLessWhatIsUsedAndNotReclaimable) {
  put("job_7/memory.max", "1000\n");
  put("job_7/memory.current", "700\n");
  put("job_7/memory.stat", "anon 400\ninactive_file 200\n");
  EXPECT_EQ(available("0::/job_7\n"), 1000u - (700 - 200));
}

TEST_F(MemoryOfAGroup, IsThatOfTheTightestGroupAbove) {
  put("slurm/job_7/memory.max", "900\n");
  put("slurm/job_7/memory.current", "800\n");
  put("slurm/job_7/step_0/memory.max", "max\n");
  put("slurm/job_7/step_0/memory.current", "10\n");
  EXPECT_EQ(available("0::/slurm/job_7/step_0\n"), 100u);
}

TEST_F(MemoryOfAGroup, OfTheFirstVersionIsFoundBesideOtherHierarchies) {
  put("memory/slurm/job_7/memory.limit_in_bytes", "5000\n");
  put("memory/slurm/job_7/memory.usage_in_bytes", "6000\n");
  put("memory/slurm/job_7/memory.stat", "inactive_file 9999\ntotal_inactive_file 2000\n");
  EXPECT_EQ(available("9:cpuset:/slurm/job_7\n7:memory:/slurm/job_7\n0::/\n"), 1000u);
}

TEST_F(MemoryOfAGroup, HasNoBoundWithoutALimit) { EXPECT_EQ(available("0::/\n"), UINT64_MAX); }

TEST(HostMemory, OfThisMachineIsKnown) {
  EXPECT_GT(host_memory_available(), 0u);
  EXPECT_LT(host_memory_available(), UINT64_MAX);
}

}  // namespace
}  // namespace tayra
