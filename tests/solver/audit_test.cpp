// What an audit finds, what it leaves alone, and what it costs in round-off.
#include "solver/audit.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <random>
#include <set>

#include "grid/ranks.hpp"
#include "solver/trial.hpp"

namespace tayra::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

SolverSettings box(int planes, Boundary z, int slabs = 1) {
  SolverSettings settings;
  settings.grid.cells = {8, 9, planes};
  settings.grid.upper = {1, 0.7, 0.9};
  settings.grid.boundary = {Boundary::periodic, Boundary::mirror, z};
  settings.gravity = z == Boundary::mirror ? -0.3 : 0;
  settings.slabs = slabs;
  return settings;
}

/// A violent flow, every step of which is audited.
class AuditedFlow {
 public:
  explicit AuditedFlow(const SolverSettings& settings)
      : problem_(Tumult::violent, settings.gravity != 0),
        simulation_(make_simulation(settings, problem_)),
        audit_(settings, problem_, *simulation_) {
    audit_.note_mass();
  }

  Simulation& simulation() { return *simulation_; }
  const AuditedPlanes& planes() const { return audit_.planes(); }

  /// What an audit says of a step, after which `change` was done to the state.
  std::string step(const std::function<void()>& change = [] {}) {
    audit_.before_step();
    simulation_->advance(1, 1e300);
    const auto records = simulation_->finish();
    EXPECT_FALSE(records.empty() || records.back().bad_cell) << "the flow broke down";
    change();
    const auto fault = audit_.after_step();
    return fault ? fault->what : "";
  }

  void flip(int plane, std::size_t byte, int bit) {
    std::vector<std::byte> bytes(simulation_->plane_bytes());
    simulation_->start_copy(plane, 1, bytes.data()).wait();
    bytes[byte] ^= std::byte(1u << bit);
    simulation_->write_raw(plane, 1, bytes.data());
  }

 private:
  Waves3d problem_;
  std::unique_ptr<Simulation> simulation_;
  Audit audit_;
};

class AuditOfAScheme : public ::testing::TestWithParam<std::string> {};

TEST_P(AuditOfAScheme, FindsNothingInASoundFlowHoweverTheBoxIsCutAndEnds) {
  for (const Precision precision : {Precision::double_, Precision::single})
    for (const Boundary z : {Boundary::mirror, Boundary::periodic, Boundary::outflow})
      for (const int planes : {9, 40}) {
        SolverSettings settings = box(planes, z, planes == 9 ? 1 : 3);
        settings.scheme = GetParam();
        settings.precision = precision;
        if (z != Boundary::outflow) settings.slabs *= settings.cut_y = 2;
        AuditedFlow flow(settings);
        for (int step = 0; step < 8; ++step)
          EXPECT_EQ(flow.step(), "") << planes << " planes, " << name_of(z) << ", step " << step;
      }
}
INSTANTIATE_TEST_SUITE_P(AllSchemes, AuditOfAScheme, ::testing::ValuesIn(scheme_names()),
                         [](const auto& one) { return one.param; });

/// One bit of any number of any audited plane is flipped after a step, in as many flows.
int found_of_twenty_flips(DeviceKind device, int gpus, const std::string& erred) {
  std::mt19937 random(7);
  int found = 0;
  for (int i = 0; i < 20; ++i) {
    SolverSettings settings = box(40, i % 2 == 0 ? Boundary::mirror : Boundary::periodic);
    settings.device = device;
    settings.gpus = gpus;
    settings.slabs = gpus + i % 3;
    if (i % 5 > 2) settings.slabs *= settings.cut_y = 2;
    if (i % 7 > 4) settings.scalars = {"dye", "smoke"};
    settings.scheme = scheme_names()[i % scheme_names().size()];
    settings.precision = i % 4 < 2 ? Precision::double_ : Precision::single;
    AuditedFlow flow(settings);
    EXPECT_EQ(flow.step(), "");
    int plane = 0;
    std::size_t byte = 0;
    const std::string what = flow.step([&] {
      const PlaneRange kept = flow.planes().kept;
      plane = kept.begin + static_cast<int>(random() % kept.count());
      byte = random() % flow.simulation().plane_bytes();
      flow.flip(plane, byte, static_cast<int>(random() % 8));
    });
    const std::size_t at = byte / word_bytes(settings.precision), row = at / 8 % 9;
    const int slab = place_slabs(settings).slab_of(plane) + (settings.cut_y > 1 && row >= rows_of_group);
    EXPECT_THAT(what, AllOf(HasSubstr(fmt::format("step 2 of plane {} (slab {},", plane, slab)),
                            HasSubstr("1 number differs"),
                            HasSubstr(fmt::format("in cell ({}, {}, {})", at % 8, row, plane)),
                            ContainsRegex("so " + erred + " erred; asked again, it computes right")));
    if (!what.empty()) ++found;
  }
  return found;
}

TEST(Audit, FindsTwentyOfTwentyFlippedBitsAndNamesTheirPlace) {
  EXPECT_EQ(found_of_twenty_flips(DeviceKind::cpu, 1, "the CPU"), 20);
}

TEST(GpuAudit, FindsTwentyOfTwentyFlippedBitsOnAnyNumberOfGpus) {
  const int gpus = static_cast<int>(cuda_devices().size());
  if (gpus == 0) GTEST_SKIP() << why_no_cuda();
  for (int used = 1; used <= std::min(gpus, 4); ++used)
    EXPECT_EQ(found_of_twenty_flips(DeviceKind::cuda, used, "GPU . .*"), 20) << used << " GPUs";
}

TEST(Audit, FindsALossOfMassInPlanesThatItDoesNotComputeAgain) {
  for (const Boundary z : {Boundary::periodic, Boundary::outflow}) {
    AuditedFlow flow(box(80, z));
    EXPECT_EQ(flow.step(), "");
    const std::string what = flow.step([&] {
      const int other = (flow.planes().kept.end + 10) % 80;
      constexpr int of_first_density = 6;
      flow.flip(other, of_first_density, 3);  // an upper bit of the fraction
    });
    if (z == Boundary::periodic)
      EXPECT_THAT(what, HasSubstr("the total mass has changed by"));
    else
      EXPECT_EQ(what, "") << "gas may leave an open box";
  }
}

TEST(Audit, ToleratesTheRoundOffOfTotalMassAndNotMuchMore) {
  for (const Precision precision : {Precision::double_, Precision::single}) {
    SolverSettings settings = box(16, Boundary::mirror);
    settings.precision = precision;
    AuditedFlow flow(settings);
    const auto mass = [&] {
      double sum = 0;
      for (const PlaneSums& plane : flow.simulation().plane_sums()) sum += plane.density;
      return sum;
    };
    const double before = mass();
    constexpr int steps = 100;
    for (int step = 0; step < steps; ++step) EXPECT_EQ(flow.step(), "");
    const double change = std::abs(mass() / before - 1), bound = mass_roundoff(settings, steps);
    fmt::print("mass changed by {:.1e} in {} steps in {}, the bound is {:.1e}\n", change, steps,
               name_of(precision), bound);
    EXPECT_LT(change, bound);
    EXPECT_LT(bound, precision == Precision::single ? 1e-4 : 2e-13);
  }
}

Placement placement_of(const SolverSettings& settings, int slabs_in_all, int slabs_of_rank) {
  Placement placement{{}, row_ranges(settings), {}, 0, {}};
  for (const SlabRange& layer : cut_into_slabs(settings.grid.cells[2], slabs_in_all / settings.cut_y))
    placement.ranges.insert(placement.ranges.end(), settings.cut_y, layer);
  for (int slab = 0; slab < slabs_in_all; ++slab) placement.rank_of_slab.push_back(slab / slabs_of_rank);
  return placement;
}

// Of 6 planes on either side, or up to a wall, a step's three stages are made. Ranks side by side have a
// layer's planes together, and each audits any of them.
TEST(PlanesToAudit, AreEveryPlaneButThoseBesideOtherRanksSoonerOrLater) {
  struct Case {
    int planes, slabs, slabs_of_rank, side_by_side;
    Boundary z;
    int left_out;  // of all ranks
  };
  for (const auto& [planes, slabs, of_rank, side_by_side, z, left_out] :
       {Case{100, 1, 1, 1, Boundary::mirror, 0}, Case{100, 1, 1, 1, Boundary::periodic, 0},
        Case{20, 2, 2, 1, Boundary::periodic, 0}, Case{20, 1, 1, 1, Boundary::mirror, 0},
        Case{33, 3, 3, 1, Boundary::periodic, 0}, Case{120, 3, 1, 1, Boundary::mirror, 24},
        Case{120, 3, 1, 1, Boundary::periodic, 36}, Case{28, 4, 1, 1, Boundary::mirror, 26},
        Case{40, 2, 1, 2, Boundary::periodic, 0}, Case{12, 2, 1, 2, Boundary::periodic, 0},
        Case{80, 4, 1, 2, Boundary::mirror, 12}, Case{80, 4, 1, 2, Boundary::periodic, 24},
        Case{80, 8, 2, 4, Boundary::mirror, 12}, Case{24, 4, 1, 2, Boundary::periodic, 24}}) {
    SolverSettings settings = box(planes, z);
    settings.grid.cells[1] = 16;
    settings.cut_y = side_by_side;
    const Placement placement = placement_of(settings, slabs, of_rank);
    std::set<int> audited;
    for (int step = 1; step <= 1000; ++step)
      for (int rank = 0; rank < slabs / of_rank; ++rank) {
        const auto [first, kept] = planes_to_audit(settings.grid, placement, rank, step);
        for (int k = kept.begin; k < kept.end; ++k) audited.insert(k);
        if (kept.count() == 0) continue;
        const SlabRange own = placement.planes_of_layers(rank);
        EXPECT_GE(kept.begin, std::max(first, own.first));
        EXPECT_LE(kept.end, own.first + own.planes);
        EXPECT_EQ(placement.slab_of(kept.begin), placement.slab_of(kept.end - 1));
      }
    EXPECT_EQ(planes - static_cast<int>(audited.size()), left_out)
        << planes << " planes, " << slabs << " slabs, " << of_rank << " a rank, " << side_by_side
        << " side by side, " << name_of(z);
  }
}

}  // namespace
}  // namespace tayra::testing
