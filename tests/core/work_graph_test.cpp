// Tests of recorded work.
#include <gtest/gtest.h>

#include "core/device.hpp"
#include "core/error.hpp"

namespace tayra {
namespace {

TEST(GpuWorkGraph, WhoseRecordingIsGivenUpLeavesItsQueuesAsTheyWere) {
  if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
  const Device gpu{DeviceKind::cuda, 0};
  const Queue first(gpu), second(gpu);
  const auto give_up = [] { throw Error(ExitCode::failed, "given up"); };
  EXPECT_THROW(WorkGraph({{&first, &second}}, give_up), Error);

  const Buffer<int> memory(gpu, 1);
  int number = 7;
  for (const Queue* queue : {&first, &second}) {
    queue->copy(memory.data(), &number, sizeof number);
    number = 0;
    queue->copy(&number, memory.data(), sizeof number);
    queue->synchronize();
    EXPECT_EQ(number, 7);
  }
}

}  // namespace
}  // namespace tayra
