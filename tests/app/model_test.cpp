// Tests of the model of a step: its formulas by hand, its limits, and how far off measured steps it may be.
#include "app/model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>

#include "app/machine_file.hpp"
#include "app/tayra_process.hpp"
#include "core/error.hpp"
#include "io/temporary_directory.hpp"

namespace tayra {
namespace {

/// A step of 0.5 ms and 1 ms for a million cells.
Machine plain_machine() {
  Machine machine;
  machine.name = "plain";
  machine.gpus_per_node = 4;
  machine.speeds = {{"muscl", "double", {{1e6, 1.5}, {1e9, 1000.5}}}};
  machine.inside["uva"] = {.latency_us = {{2, 10}}, .gb_per_second = 100, .strided_cost = 1};
  machine.inside["direct"] = {.latency_us = {{2, 2}, {4, 4}}, .gb_per_second = 100, .fused = true};
  machine.between["put"] = {.latency_us = {{2, 20}}, .gb_per_second = 50, .strided_cost = 1};
  return machine;
}

ModelCase cube(int side, int along_z, int along_y, const std::string& halo) {
  return {{side, side, side}, along_z, along_y, "muscl", "double", halo};
}

TEST(Model, OfOneGpuIsTheMeasuredStep) {
  const Prediction one = predict(plain_machine(), cube(100, 1, 1, "none"));
  EXPECT_DOUBLE_EQ(one.step(), 1.5);
  EXPECT_EQ(one.step(), one.sweep);
  EXPECT_EQ(one.efficiency(), 1);
}

TEST(Model, GoesOnInAStraightLineBelowAndInProportionAboveWhatWasMeasured) {
  EXPECT_NEAR(predict(plain_machine(), cube(50, 1, 1, "none")).step(), 0.5 + 0.125, 1e-12);
  EXPECT_NEAR(predict(plain_machine(), cube(2000, 1, 1, "none")).step(), 8 * 1000.5, 1e-9);
}

// 400 x 400 cells: a z face of 2 planes of 40 B a cell is 12.8 MB, a slab of 100 planes takes 16.5 ms.
TEST(Model, HidesAnExchangeBehindTheInteriorOfASlab) {
  const Prediction four = predict(plain_machine(), cube(400, 4, 1, "uva"));
  EXPECT_NEAR(four.sweep, 16.5, 1e-12);
  EXPECT_EQ(four.exposed(), 0) << "0.266 ms of exchange under 5.28 of sweep";
}

// 8 planes a slab: 0.5 + 1.28 ms, of which half hide; both neighbours' faces are 25.6 MB, 0.256 ms.
TEST(Model, ShowsWhatTheInteriorDoesNotHide) {
  Machine machine = plain_machine();
  machine.inside["uva"].gb_per_second = 50;
  ModelCase thin = cube(400, 4, 1, "uva");
  thin.cells[2] = 32;
  const Prediction four = predict(machine, thin);
  const double cover = 1.78 / 3 / 2, exchange = 0.01 + 25.6e6 / 50e9 * 1e3;
  EXPECT_NEAR(four.exposed(), 3 * (exchange - cover), 1e-9);
  EXPECT_NEAR(four.latency, 3 * 0.01, 1e-12);
  machine.inside["uva"].gb_per_second = 500;
  EXPECT_EQ(predict(machine, thin).exposed(), 0);
  machine.inside["uva"].never_hidden = 0.5;
  EXPECT_NEAR(predict(machine, thin).exposed(), 3 * 0.5 * (0.01 + 0.0512), 1e-9);
}

TEST(Model, OfTheSweepsOwnStoresShowsTheirLatencyAlways) {
  EXPECT_NEAR(predict(plain_machine(), cube(400, 4, 1, "direct")).exposed(), 3 * 0.004, 1e-12);
  EXPECT_NEAR(predict(plain_machine(), cube(400, 2, 1, "direct")).exposed(), 3 * 0.002, 1e-12);
}

TEST(Model, AddsLatenessRimAndSlowedSweeps) {
  Machine machine = plain_machine();
  machine.late_share = 0.02;
  machine.rim_ms = {{1, 0.03}};
  machine.inside["uva"].slows_sweep = 0.1;
  const Prediction four = predict(machine, cube(400, 4, 1, "uva"));
  EXPECT_NEAR(four.late, 0.12 * 16.5, 1e-12);
  EXPECT_EQ(four.rim, 0.03);
  EXPECT_EQ(predict(machine, cube(400, 4, 1, "direct")).rim, 0) << "all planes are swept at once";
  EXPECT_EQ(predict(machine, cube(400, 2, 2, "direct")).rim, 0.06) << "but not where rows are cut";
  EXPECT_NEAR(four.step(), four.sweep + four.late + four.rim, 1e-12);
}

// 8 nodes of 4 GPUs: slabs at a node's ends send one face of 400 x 400 cells out of it.
TEST(Model, SendsOneFaceOutOfANodeAndReducesByATree) {
  ModelCase many = cube(400, 32, 1, "put");
  many.cells[2] = 32 * 4;  // all planes are rim: nothing hides
  const Prediction of = predict(plain_machine(), many);
  EXPECT_NEAR(of.transfer, 3 * 12.8e6 / 50e9 * 1e3, 1e-9);
  EXPECT_NEAR(of.reduction, 2 * 3 * 0.02, 1e-12);
}

// 400 cells along x, 100 rows, 100 planes: faces are 3.2 MB either way. Two blocks are neighbours once along
// z, where the box ends, and twice along y, where it is periodic.
TEST(Model, OfBlocksMovesFacesAlongBothAxes) {
  Machine machine = plain_machine();
  machine.inside["uva"] = {
      .latency_us = {{2, 10}}, .gb_per_second = 100, .strided_cost = 1.5, .never_hidden = 1};
  ModelCase what = cube(200, 2, 2, "uva");
  what.cells[0] = 400;
  EXPECT_NEAR(predict(machine, what).transfer, 3 * 3.2e6 * (1 + 2 * 1.5) / 100e9 * 1e3, 1e-9);
  machine.rim_ms = {{1, 0.03}};
  EXPECT_EQ(predict(machine, what).rim, 0.06);
  const auto assumed = assumptions_of(machine, what);
  EXPECT_NE(std::find_if(assumed.begin(), assumed.end(),
                         [](const std::string& text) { return text.find("along y") != std::string::npos; }),
            assumed.end());
}

TEST(Model, TakesForRowsWhatWasMeasuredOfThem) {
  Machine machine = plain_machine();
  machine.rim_ms = {{1, 0.03}};
  machine.rim_rows_ms = {{1, 0.05}};
  machine.inside["uva"].never_hidden = 1;
  machine.inside["uva"].row_latency_us = {{2, 25}};
  EXPECT_NEAR(predict(machine, cube(400, 1, 2, "uva")).rim, 0.05, 1e-12);
  EXPECT_NEAR(predict(machine, cube(400, 2, 2, "uva")).rim, 0.08, 1e-12);
  EXPECT_NEAR(predict(machine, cube(400, 2, 1, "uva")).latency, 3 * 0.010, 1e-12);
  EXPECT_NEAR(predict(machine, cube(400, 1, 2, "uva")).latency, 3 * 0.025, 1e-12);
  machine.inside.erase("uva");
  EXPECT_EQ(best_case(machine, cube(400, 1, 1, "auto"), 2).halo, "direct");
  EXPECT_THROW(best_case(machine, cube(400, 1, 2, "auto"), 2), Error) << "nobody measured it with rows";
  machine.inside["direct"].row_latency_us = {{2, 5}};
  EXPECT_EQ(best_case(machine, cube(400, 1, 2, "auto"), 2).halo, "direct");
}

// Three fields of five variables in double, two ghost planes at either end.
TEST(Model, CountsMemoryOfFieldsAndGhosts) {
  EXPECT_EQ(predict(plain_machine(), cube(100, 4, 1, "uva")).bytes, 100. * 100 * (25 + 4) * 15 * 8);
  EXPECT_EQ(predict(plain_machine(), cube(100, 2, 2, "uva")).bytes, 100. * (50 + 4) * (50 + 4) * 15 * 8);
}

TEST(Model, NeverFindsMoreGpusCheaper) {
  double hours = 0;
  for (const int gpus : {1, 2, 4, 8, 16, 32, 64, 128}) {
    const ModelCase best = best_case(plain_machine(), cube(512, 1, 0, "auto"), gpus);
    const double now = predict(plain_machine(), best).gpu_hours(1000);
    EXPECT_GE(now, hours * (1 - 1e-12)) << gpus;
    hours = now;
  }
}

TEST(Model, AdvisesBlocksWhereSlabsAreTooThin) {
  EXPECT_EQ(best_case(plain_machine(), cube(1024, 1, 0, "auto"), 4).along_y, 1);
  const ModelCase best = best_case(plain_machine(), cube(1024, 1, 0, "auto"), 4096);
  EXPECT_GT(best.along_y, 1);
  EXPECT_EQ(best.along_y * best.along_z, 4096);
  EXPECT_THROW(best_case(plain_machine(), cube(1024, 1, 1, "auto"), 4096), Error);
}

std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Model, SaysWhatTheMachineLacks) {
  const Machine machine = plain_machine();
  ModelCase what = cube(100, 4, 1, "uva");
  what.scheme = "weno3";
  EXPECT_NE(complaint([&] { predict(machine, what); }).find("tayra bench step --scheme weno3"),
            std::string::npos);
  EXPECT_NE(complaint([&] { predict(machine, cube(100, 8, 1, "uva")); }).find("between"), std::string::npos);
  EXPECT_NE(complaint([&] { predict(machine, cube(8, 8, 1, "uva")); }).find("planes are too few"),
            std::string::npos);
}

std::vector<std::string> results_of(std::initializer_list<const char*> names) {
  std::vector<std::string> files;
  for (const std::string name : names)
    files.push_back(TAYRA_SOURCE_DIR "/benchmarks/results/" + name + ".json");
  return files;
}

// The table of docs/scaling.md: what was measured on two and four H200.
TEST(Model, IsAsFarOffMeasuredStepsAsDocumented) {
  const MachineData data =
      read_machine(results_of({"step_h200", "step_small_h200", "halo", "scaling_strong", "scaling_large",
                               "scaling_weak", "scaling_weak_large", "scaling_weak_schemes"}));
  const auto off = [&](const std::string& halo) {
    std::vector<double> all;
    for (const MeasuredCase& one : data.cases)
      if (!one.is_used && (halo.empty() || one.what.halo == halo))
        all.push_back(100 * std::abs(predict(data.machine, one.what).step() / one.step_ms - 1));
    std::sort(all.begin(), all.end());
    return all;
  };
  const auto median = [](const std::vector<double>& all) { return all[all.size() / 2]; };
  const auto all = off(""), direct = off("direct");
  EXPECT_GT(all.size(), 80u);
  EXPECT_LT(median(all), 5);
  EXPECT_LT(all.back(), 60) << "copies and nccl on the smallest boxes";
  EXPECT_LT(median(direct), 4);
  EXPECT_LT(direct.back(), 13);
}

struct Off {
  std::size_t cases;
  double median, worst;
};

/// In percent, of boxes cut along z and of those cut along y.
void expect_off(const MachineData& data, const Off& along_z, const Off& along_y_too) {
  std::map<int, std::vector<double>> off;
  for (const MeasuredCase& one : data.cases)
    if (!one.is_used && one.what.halo != "mpi")  // of which no exchange was timed by itself
      off[one.what.along_y].push_back(100 *
                                      std::abs(predict(data.machine, one.what).step() / one.step_ms - 1));
  for (auto& [along_y, all] : off) {
    std::sort(all.begin(), all.end());
    const Off& most = along_y == 1 ? along_z : along_y_too;
    EXPECT_GE(all.size(), most.cases);
    EXPECT_LT(all[all.size() / 2], most.median) << along_y;
    EXPECT_LT(all.back(), most.worst) << along_y;
  }
  EXPECT_EQ(off.size(), 2u);
}

// Two H200 in one process: boxes of 16^3 to 1024^3 and 2048 x 2048 x 64; then steps of a later commit,
// without host.
TEST(Model, IsAsFarOffMeasuredStepsOfBothCutsAsDocumented) {
  const auto data = [](const char* steps, const char* flat) {
    return read_machine(results_of({steps, flat, "halo_two", "halo_two_y"}));
  };
  expect_off(data("scaling_cut_y", "scaling_cut_y_flat"), {25, 5.5, 23}, {25, 5.5, 28});
  expect_off(data("scaling_both_cuts", "scaling_both_cuts_flat"), {24, 7.5, 21}, {26, 4.5, 45});
}

TEST(MachineFile, IsReadAsItIsWritten) {
  const TemporaryDirectory folder;
  const std::string file = folder.path("machine.json");
  Machine machine = plain_machine();
  machine.rim_ms = {{1, 0.03}, {1e6, 0.02}};
  machine.rim_rows_ms = {{1, 0.05}};
  machine.inside["direct"].row_latency_us = {{2, 5}, {4, 6}};
  std::ofstream(file) << machine_json(machine).text();
  const Machine again = read_machine({file}).machine;
  EXPECT_EQ(machine_json(again).text(), machine_json(machine).text());
  EXPECT_EQ(again.rim_rows_ms, machine.rim_rows_ms);
  EXPECT_EQ(again.inside.at("direct").row_latency_us, machine.inside["direct"].row_latency_us);
  EXPECT_TRUE(again.inside.at("direct").fused);
}

TEST(MachineFile, IsRefusedWithTheKeyThatIsWrong) {
  const TemporaryDirectory folder;
  const std::string file = folder.path("machine.json");
  const auto complaint_about = [&](const std::string& text) {
    std::ofstream(file) << text;
    return complaint([&] { read_machine({file}); });
  };
  EXPECT_NE(complaint_about(R"({"gpus_a_node": 4})").find("gpus_a_node: unknown key"), std::string::npos);
  EXPECT_NE(complaint_about(R"({"gpus_per_node": 0})").find("gpus_per_node: found 0"), std::string::npos);
  EXPECT_NE(complaint_about(R"({"rim_ms": [[2, 1], [1, 1]]})").find("rim_ms: expected pairs"),
            std::string::npos);
  EXPECT_NE(complaint_about(R"({"between": {"put": {"latency_us": [[2, 1]]}}})").find("between.put"),
            std::string::npos);
  EXPECT_NE(complaint_about(R"({"inside": {"direct": {"fused": 1}}})").find("inside.direct.fused: found 1"),
            std::string::npos);
  EXPECT_NE(complaint_about("{}").find("speeds are required"), std::string::npos);
}

TEST(MachineFile, IsNotMadeOfSlabsThatMakeNoLayers) {
  const TemporaryDirectory folder;
  const std::string file = folder.path("scaling.json");
  for (const char* cut : {"0", "3"}) {
    std::ofstream(file)
        << R"({"benchmark": "scaling", "devices": ["a"], "rows": [{"scheme": "muscl", "precision": )"
        << R"("double", "halo_ran": "uva", "cells": [8, 8, 8], "slabs": 2, "cut_y": )" << cut
        << R"(, "ms_per_step": 1}]})";
    EXPECT_NE(complaint([&] { read_machine({file}); }).find("make no layers"), std::string::npos) << cut;
  }
}

TEST(MachineFile, IsNotMadeOfTwoMachinesOrOfOtherBenchmarks) {
  EXPECT_NE(complaint([] {
              read_machine(results_of({"step_h100", "halo"}));
            }).find("one machine"),
            std::string::npos);
  EXPECT_NE(complaint([] { read_machine(results_of({"cadence"})); }).find("cadence"), std::string::npos);
}

TEST(ModelCommand, AnswersForFourThousandGpusBeforeAnyoneQueuesAJob) {
  const TemporaryDirectory folder;
  std::ofstream(folder.path("machine.json")) << machine_json(plain_machine()).text();
  std::ofstream(folder.path("a.yaml"))
      << "problem: {name: rt_single}\ngrid: {cells: [2048, 2048, 8192]}\nrun: {steps: 1000}\n";
  const ProcessEnd end =
      run_tayra({"check", "a.yaml", "--gpus", "4096", "--machine", "machine.json"}, folder.path());
  EXPECT_EQ(end.code, 0) << end.output;
  for (const char* part : {"\nmodel ", "GPU hours", "4096 x 1 blocks", "\nbest cut", "\nassumed"})
    EXPECT_NE(end.output.find(part), std::string::npos) << part << end.output;
}

TEST(ModelCommand, CountsTheGpusOfARunAndNotTheSlabsThatShareThem) {
  const TemporaryDirectory folder;
  std::ofstream(folder.path("machine.json")) << machine_json(plain_machine()).text();
  std::ofstream(folder.path("a.yaml")) << "problem: {name: rt_single}\ngrid: {cells: [512, 512, 512]}\nrun: "
                                          "{steps: 1000, device: cuda, gpus: 4}\n";
  const auto prediction = [&](const std::string& slabs) {
    const std::string text =
        run_tayra({"check", "a.yaml", "--set", "run.slabs=" + slabs, "--machine", "machine.json"},
                  folder.path())
            .output;
    EXPECT_EQ(text.find("though run.slabs is 8") != std::string::npos, slabs == "8") << text;
    const std::size_t begin = text.find("\nmodel "), end = text.find("\nparts", begin + 1);
    EXPECT_NE(begin, std::string::npos) << text;
    return text.substr(begin, end - begin);
  };
  EXPECT_EQ(prediction("8"), prediction("4"));
}

TEST(ModelCommand, PrintsCasesAndPredictions) {
  const TemporaryDirectory folder;
  std::vector<std::string> files = results_of({"step_h200", "step_small_h200", "halo", "scaling_weak"});
  files.insert(files.begin(), "model");
  EXPECT_NE(run_tayra(files, folder.path()).output.find("off in the median"), std::string::npos);
  files.insert(files.end(), {"--cells", "1024", "--gpus", "2,4"});
  const std::string text = run_tayra(files, folder.path()).output;
  EXPECT_NE(text.find("4 x 1"), std::string::npos) << text;
  files.push_back("--json");
  const std::string json = run_tayra(files, folder.path()).output;
  for (const char* part : {"\"gpus\": 4", "\"along_z\": 4", "\"step_ms\": ", "\"memory_bytes\": "})
    EXPECT_NE(json.find(part), std::string::npos) << part << json;
  EXPECT_EQ(json.find("assumed"), std::string::npos) << "nothing else";
  files.pop_back();
  files.back() = "2,x";
  EXPECT_EQ(run_tayra(files, folder.path()).code, 2);
}

}  // namespace
}  // namespace tayra
