// What a batch system or a container allows counts, and the caches of the cores that are there.
#include "core/host_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>

#include "io/temporary_directory.hpp"

namespace tayra {
namespace {

/// Files as the system has them.
class SystemFiles : public ::testing::Test {
 protected:
  void put(const std::string& file, const std::string& text) {
    const std::filesystem::path path = root_.path(file);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  TemporaryDirectory root_;
};

class MemoryOfAGroup : public SystemFiles {
 protected:
  std::uint64_t available(const std::string& groups) const {
    return group_memory_available(groups, root_.path(""));
  }
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

class CachesOfCores : public SystemFiles {
 protected:
  void put_cache(const std::string& core, int level, const std::string& size, const std::string& cores) {
    const std::string folder = core + "/cache/index" + std::to_string(level);
    put(folder + "/size", size + "\n");
    put(folder + "/shared_cpu_list", cores + "\n");
  }
  std::uint64_t kilobytes() const { return last_level_caches_in(root_.path("")) / 1024; }
};

TEST_F(CachesOfCores, CountOncePerCacheAndOnlyTheLastOnes) {
  for (const std::string core : {"cpu0", "cpu1", "cpu2"}) {
    put_cache(core, 2, "1024K", core);
    put_cache(core, 3, "32768K", core == "cpu2" ? "2-3" : "0-1");
  }
  put("cpufreq/policy0/size", "99K\n");
  EXPECT_EQ(kilobytes(), 2 * 32768u);
}

TEST_F(CachesOfCores, AreTheSecondLevelsWithoutAThird) {
  put_cache("cpu0", 2, "2048K", "0");
  put_cache("cpu1", 2, "2048K", "1");
  EXPECT_EQ(kilobytes(), 2 * 2048u);
}

TEST_F(CachesOfCores, AreNoneWhereTheSystemDoesNotTell) {
  EXPECT_EQ(kilobytes(), 0u);
  EXPECT_EQ(last_level_caches_in(root_.path("nowhere")), 0u);
  EXPECT_GT(last_level_cache_bytes(), 0u);
}

TEST(HostMemory, StartsACacheLineOrALargePageAndIsAllThere) {
  for (const std::size_t bytes : {std::size_t(1), std::size_t(1000), std::size_t(5) << 20}) {
    const std::unique_ptr<char, void (*)(void*)> block(static_cast<char*>(allocate_host_bytes(bytes)),
                                                       std::free);
    std::fill_n(block.get(), bytes, 'x');
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.get()) % (bytes > 1 << 20 ? 2 << 20 : 64), 0u) << bytes;
  }
}

}  // namespace
}  // namespace tayra
