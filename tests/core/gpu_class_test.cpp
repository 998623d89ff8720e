// Which code and which tiles a GPU gets.
#include "core/gpu_class.hpp"

#include <gtest/gtest.h>

namespace tayra {
namespace {

constexpr const char* all = "80-real,90,100-real,120";

struct Gpu {
  const char* name;
  int capability;
  int shared_kib;  // of a multiprocessor
  GpuClass kind;
};

class GpuClassOf : public ::testing::TestWithParam<Gpu> {};

TEST_P(GpuClassOf, AGpuIsTheOneThatItsMemoryAllowsInABuildForAll) {
  const Gpu& gpu = GetParam();
  const auto code = code_for(gpu.capability, all);
  ASSERT_TRUE(code.has_value());
  EXPECT_EQ(class_of(*code, gpu.shared_kib * 1024, gpu.shared_kib * 1024), gpu.kind);
}

INSTANTIATE_TEST_SUITE_P(
    All, GpuClassOf,
    ::testing::Values(Gpu{"A100", 80, 164, GpuClass::kib164}, Gpu{"Rtx3090", 86, 100, GpuClass::kib100},
                      Gpu{"L40S", 89, 100, GpuClass::kib100}, Gpu{"H100", 90, 228, GpuClass::kib228},
                      Gpu{"B200", 100, 228, GpuClass::kib228}, Gpu{"B300", 103, 228, GpuClass::kib228},
                      Gpu{"Rtx5090", 120, 100, GpuClass::kib100},
                      Gpu{"OneThatComes", 130, 228, GpuClass::kib100}),
    [](const auto& gpu) { return gpu.param.name; });

TEST(CodeFor, AGpuIsItsOwnOrElseTheNewestThatItsDriverCanCompile) {
  EXPECT_EQ(code_for(86, all), 80);
  EXPECT_EQ(code_for(75, all), std::nullopt);
  EXPECT_EQ(code_for(90, "80-virtual"), 80);
  EXPECT_EQ(code_for(90, "80-real"), std::nullopt) << "machine code is for one major version";
  EXPECT_EQ(code_for(90, "80,90-real"), 90);
  EXPECT_EQ(code_for(130, "90,120-virtual"), 120);
}

TEST(ClassOf, AGpuTakenForALesserOneIsTheLargestThatTheCodeHasUpToThat) {
  EXPECT_EQ(class_of(80, 228 * 1024, 228 * 1024), GpuClass::kib164);
  EXPECT_EQ(class_of(80, 228 * 1024, 100 * 1024), GpuClass::kib100);
  EXPECT_EQ(class_of(90, 228 * 1024, 164 * 1024), std::nullopt) << "Hopper's code has no smaller tiles";
}

}  // namespace
}  // namespace tayra
