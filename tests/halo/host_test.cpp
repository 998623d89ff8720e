// The host backend moves the bytes of the plan and no others.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "halo/stacked.hpp"
#include "halo/transport.hpp"

namespace tayra {
namespace {

constexpr std::size_t plane_bytes = 12;
constexpr std::byte poison{0xee};

/// Slabs of poisoned fields in which every own plane holds its number in the box, plus 50 for each field
/// before.
class Slabs {
 public:
  explicit Slabs(const std::vector<int>& planes) : planes_(planes) {
    int first = 0;
    for (const int count : planes) {
      memory_.emplace_back();
      for (int field = 0; field < rotating_fields; ++field) {
        auto& bytes = memory_.back()[field];
        bytes.assign((std::size_t(count) + 4) * plane_bytes, poison);
        for (int k = 0; k < count; ++k)
          std::fill_n(bytes.begin() + (k + 2) * std::ptrdiff_t(plane_bytes), plane_bytes,
                      std::byte(50 * field + first + k));
      }
      first += count;
    }
  }

  std::vector<std::array<std::byte*, rotating_fields>> addresses() {
    std::vector<std::array<std::byte*, rotating_fields>> all;
    for (auto& fields : memory_) all.push_back({fields[0].data(), fields[1].data(), fields[2].data()});
    return all;
  }

  /// Numbers of the planes that a slab's field holds, ghosts first and last; -1: poison, -2: a mixture.
  std::vector<int> planes_of(int slab, int field) const {
    std::vector<int> found;
    const auto& bytes = memory_[slab][field];
    for (int k = 0; k < planes_[slab] + 4; ++k) {
      const auto plane = bytes.begin() + k * std::ptrdiff_t(plane_bytes);
      const bool even = std::all_of(plane, plane + plane_bytes, [&](std::byte b) { return b == *plane; });
      found.push_back(!even ? -2 : *plane == poison ? -1 : int(*plane) - 50 * field);
    }
    return found;
  }

 private:
  std::vector<int> planes_;
  std::vector<std::array<std::vector<std::byte>, rotating_fields>> memory_;
};

void exchange(Slabs& slabs, const std::vector<int>& planes, bool periodic, int field) {
  const Queue queue(Device{});
  HaloSite site{plan_of_stacked(planes, plane_bytes, periodic), std::vector<int>(planes.size(), 0), 0, {}};
  for (std::size_t i = 0; i < planes.size(); ++i) site.slabs.push_back({slabs.addresses()[i], &queue});
  const auto halo = require_halo("host", {}).parts.make(std::move(site));
  halo->start(field);
  halo->finish(field);
}

TEST(HostHalo, FillsGhostsWithTheNeighboursPlanesAndTouchesNothingElse) {
  Slabs slabs({3, 2});
  exchange(slabs, {3, 2}, false, 1);
  EXPECT_EQ(slabs.planes_of(0, 1), (std::vector{-1, -1, 0, 1, 2, 3, 4}));
  EXPECT_EQ(slabs.planes_of(1, 1), (std::vector{1, 2, 3, 4, -1, -1}));
  EXPECT_EQ(slabs.planes_of(0, 0), (std::vector{-1, -1, 0, 1, 2, -1, -1}));
  EXPECT_EQ(slabs.planes_of(1, 2), (std::vector{-1, -1, 3, 4, -1, -1}));
}

TEST(HostHalo, ClosesARingWhereZIsPeriodic) {
  Slabs slabs({2, 3, 2});
  exchange(slabs, {2, 3, 2}, true, 0);
  EXPECT_EQ(slabs.planes_of(0, 0), (std::vector{5, 6, 0, 1, 2, 3}));
  EXPECT_EQ(slabs.planes_of(1, 0), (std::vector{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(slabs.planes_of(2, 0), (std::vector{3, 4, 5, 6, 0, 1}));
}

TEST(HaloRegistry, HasTheHostBackend) {
  const auto& backends = halo_registry();
  EXPECT_TRUE(std::any_of(backends.begin(), backends.end(), [](const auto& b) { return b.name == "host"; }));
}

TEST(HaloRegistry, OffersAProcessThatRunsAloneNothingForWhichMpiWouldHaveToStart) {
  const auto available = available_halos({});
  EXPECT_FALSE(available.empty());
  for (const HaloBackend* backend : available) EXPECT_FALSE(backend->needs_mpi) << backend->name;
}

TEST(HaloRegistry, GivesEachANameOfItsOwnBesideAutoAndNone) {
  std::set<std::string> names{"auto", "none"};
  for (const HaloBackend& backend : halo_registry()) {
    EXPECT_TRUE(names.insert(backend.name).second) << backend.name;
    EXPECT_FALSE(backend.summary.empty()) << backend.name;
  }
}

}  // namespace
}  // namespace tayra
