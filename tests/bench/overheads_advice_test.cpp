// Advice follows from the numbers alone. The numbers here are made up.
#include <gmock/gmock.h>

#include "bench/overheads.hpp"

namespace tayra {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

Overhead row(const std::string& what, const std::string& variant, std::uint64_t bytes, double us) {
  return {what, variant, bytes, {us, us, us}};
}

std::vector<Overhead> copies(double small_pinned, double large_pinned) {
  return {row("copy_to_gpu", "pageable", 1024, 5), row("copy_to_gpu", "pageable", 4096, 10),
          row("copy_to_gpu", "pinned", 1024, small_pinned), row("copy_to_gpu", "pinned", 4096, large_pinned)};
}

TEST(OverheadsAdvice, SaysFromWhichSizeOnPinnedMemoryPays) {
  EXPECT_THAT(advice_from(copies(4, 8)),
              Contains(HasSubstr("pinned memory that is reused pays from 1 KiB on")));
  EXPECT_THAT(advice_from(copies(6, 8)),
              Contains(HasSubstr("pays from 4 KiB on: 0.512 instead of 0.41 GB/s")));
  EXPECT_THAT(advice_from(copies(4, 11)), Contains(HasSubstr("does not pay at 4 KiB")));
}

TEST(OverheadsAdvice, SaysHowOftenPinnedMemoryMustBeReused) {
  auto measured = copies(4, 8);
  measured.push_back(row("copy_to_gpu", "pinned, allocated each time", 4096, 18));
  EXPECT_THAT(advice_from(measured), Contains(HasSubstr("costs 10 us: reuse it at least 5 times")));
}

TEST(OverheadsAdvice, NamesTheFastestWayToWait) {
  const auto waiting = [](double spin, double blocking) {
    return advice_from({row("launch_and_synchronize_stream", "spin", 0, spin),
                        row("launch_and_synchronize_stream", "blocking", 0, blocking)});
  };
  EXPECT_THAT(waiting(5, 20), Contains(HasSubstr("wait for the GPU by spin (spin 5 us, blocking 20 us")));
  EXPECT_THAT(waiting(30, 20), Contains(HasSubstr("wait for the GPU by blocking")));
}

TEST(OverheadsAdvice, ComparesGraphsNodesAndMessages) {
  EXPECT_THAT(advice_from({row("launch", "one after the other", 0, 3),
                           row("graph_launch", "100 nodes, each", 0, 0.6)}),
              Contains(HasSubstr("a node costs 0.6 us, a launch 3 us")));
  EXPECT_THAT(advice_from({row("copy_from_numa_node", "node 0, GPU 0", 1024, 2),
                           row("copy_from_numa_node", "node 1, GPU 0", 1024, 3)}),
              Contains(HasSubstr("node 0, GPU 0 is 1.50 times as fast as node 1, GPU 0")));
  EXPECT_THAT(advice_from({row("mpi_message", "within a node", 8, 1),
                           row("mpi_message", "within a node", 1 << 20, 100)}),
              Contains(HasSubstr("an MPI message takes 1 us")));
}

TEST(OverheadsAdvice, SaysNothingOfWhatWasNotMeasured) { EXPECT_THAT(advice_from({}), IsEmpty()); }

}  // namespace
}  // namespace tayra
