// Reading is strict: a key that isn't known is an error that lists those that are.
#include "app/machine_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <tuple>

#include "core/error.hpp"
#include "core/nearest_name.hpp"
#include "core/spread.hpp"
#include "solver/sweep.hpp"

namespace tayra {
namespace {

/// Of an exchange: of copies a third, chosen by looking at `uva` and `host`; kernels of nccl wait for
/// multiprocessors that the sweep has (docs/scaling.md).
double share_never_hidden(const std::string& halo) { return halo == "nccl" ? 1 : 1. / 3; }
/// Slabs whose sweep is so long that starts don't count.
constexpr double many_cells = 4e6;

[[noreturn]] void fail(const std::string& file, const std::string& problem) {
  throw Error(ExitCode::bad_input, file + ": " + problem);
}

/// An object of a machine file: every key asked for is one allowed.
class Section {
 public:
  Section(const std::string& file, std::string place, const Json& json)
      : file_(file), place_(std::move(place)), json_(json) {}

  void number(const char* key, double& value, double least = 0) {
    const Json* found = take(key);
    if (!found) return;
    const auto number = found->number();
    if (!number || !(*number >= least))
      fail(file_,
           fmt::format("{}{}: found {}, expected a number from {} on", place_, key, found->text(), least));
    value = *number;
  }
  void text(const char* key, std::string& value) {
    const Json* found = take(key);
    if (!found) return;
    if (!found->string())
      fail(file_, fmt::format("{}{}: found {}, expected a text", place_, key, found->text()));
    value = *found->string();
  }
  void flag(const char* key, bool& value) {
    const Json* found = take(key);
    if (!found) return;
    const std::string text = found->text();
    if (text != "true" && text != "false")
      fail(file_, fmt::format("{}{}: found {}, expected true or false", place_, key, text));
    value = text == "true";
  }
  /// [[x, y], …] by rising x.
  void curve(const char* key, Curve& value) {
    const Json* found = take(key);
    if (!found) return;
    Curve curve;
    for (const Json& pair : found->elements()) {
      const auto& words = pair.elements();
      const auto x = words.size() == 2 ? words[0].number() : std::nullopt;
      const auto y = words.size() == 2 ? words[1].number() : std::nullopt;
      if (!x || !y || *y < 0 || (!curve.empty() && *x <= curve.back().first)) break;
      curve.emplace_back(*x, *y);
    }
    if (curve.size() != found->elements().size() || curve.empty())
      fail(file_, fmt::format("{}{}: expected pairs [x, y] by rising x, none of y below 0", place_, key));
    value = curve;
  }
  const Json* take(const char* key) {
    known_.push_back(key);
    return json_.find(key);
  }
  void require_known() const {
    for (const auto& [key, value] : json_.entries())
      if (std::find(known_.begin(), known_.end(), key) == known_.end())
        fail(file_, fmt::format("{}{}: unknown key; {}known: {}", place_, key, did_you_mean(key, known_),
                                fmt::join(known_, ", ")));
  }

 private:
  const std::string& file_;
  std::string place_;
  const Json& json_;
  std::vector<std::string> known_;
};

Link link_of_json(const std::string& file, const std::string& place, const Json& json) {
  Link link;
  Section section(file, place, json);
  section.curve("latency_us", link.latency_us);
  section.curve("row_latency_us", link.row_latency_us);
  section.number("gb_per_second", link.gb_per_second, std::numeric_limits<double>::min());
  section.flag("fused", link.fused);
  section.number("slows_sweep", link.slows_sweep);
  section.number("strided_cost", link.strided_cost);
  section.number("never_hidden", link.never_hidden);
  section.require_known();
  if (link.latency_us.empty() || link.gb_per_second == 0)
    fail(file, place + ": latency_us and gb_per_second are required");
  return link;
}

std::map<std::string, Link> links_of_json(const std::string& file, const char* key, const Json* json) {
  std::map<std::string, Link> links;
  if (json)
    for (const auto& [name, link] : json->entries())
      links[name] = link_of_json(file, fmt::format("{}.{}.", key, name), link);
  return links;
}

Machine machine_of_json(const std::string& file, const Json& json) {
  Machine machine;
  Section top(file, "", json);
  top.text("machine", machine.name);
  double node = machine.gpus_per_node;
  top.number("gpus_per_node", node, 1);
  machine.gpus_per_node = static_cast<int>(std::min(node, 1e9));
  top.number("gigabytes", machine.gigabytes);
  top.number("cost_per_hour", machine.cost_per_hour);
  top.number("late_share", machine.late_share);
  top.curve("rim_ms", machine.rim_ms);
  top.curve("rim_rows_ms", machine.rim_rows_ms);
  if (const Json* speeds = top.take("speeds"))
    for (const Json& json_speed : speeds->elements()) {
      SpeedOf speed;
      Section section(file, "speeds.", json_speed);
      section.text("scheme", speed.scheme);
      section.text("precision", speed.precision);
      section.curve("step_ms", speed.step_ms);
      section.require_known();
      if (speed.step_ms.empty()) fail(file, "speeds: step_ms is required");
      machine.speeds.push_back(speed);
    }
  machine.inside = links_of_json(file, "inside", top.take("inside"));
  machine.between = links_of_json(file, "between", top.take("between"));
  top.require_known();
  if (machine.speeds.empty()) fail(file, "speeds are required (docs/scaling.md)");
  if (machine.name.empty()) machine.name = file;
  return machine;
}

// From results.

struct Row {
  std::string scheme, precision, halo;
  std::vector<int> cells;
  int slabs, cut_y;
  double step_ms, compute_ms;
  ModelCase asked() const { return {cells, slabs / cut_y, cut_y, scheme, precision, halo}; }
  double cells_each() const { return double(cells[0]) * cells[1] * cells[2] / slabs; }
};

struct HaloRow {
  std::string halo, axis;
  int slabs;
  double bytes, us;  // out of the busiest slab
};

std::string text_in(const Json& row, const char* key) {
  const Json* found = row.find(key);
  return found && found->string() ? *found->string() : "";
}

double number_in_row(const std::string& file, const Json& row, const char* key) {
  const auto number = row[key].number();
  if (!number)
    fail(file, fmt::format("a row lacks the number '{}': is it a whole result of tayra bench?", key));
  return *number;
}

Curve medians(const std::map<double, std::vector<double>>& values) {
  Curve curve;
  for (const auto& [x, several] : values) curve.emplace_back(x, std::max(0., spread_of(several).median));
  return curve;
}

class Results {
 public:
  void add(const std::string& file, const Json& json) {
    const std::string benchmark = text_in(json, "benchmark");
    if (benchmark != "step" && benchmark != "scaling" && benchmark != "halo")
      fail(file, fmt::format("holds '{}': results of step, scaling and halo are of use here", benchmark));
    require_same_device(file, json);
    for (const Json& row : json["rows"].elements())
      benchmark == "halo" ? add_halo(file, row) : add_step(file, row, benchmark);
  }

  Machine fit() {
    Machine machine;
    machine.name = device_;
    machine.gpus_per_node = most_slabs();
    fit_speeds(machine);
    alone_ = &machine;
    fit_lateness(machine);
    for (const std::string& halo : backends()) machine.inside[halo] = fit_link(machine, halo);
    return machine;
  }

  std::vector<MeasuredCase> cases() const {
    std::vector<MeasuredCase> all;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (rows_[i].slabs > 1)
        all.push_back({rows_[i].asked(), rows_[i].step_ms, used_.size() > i && used_[i]});
    return all;
  }

 private:
  void require_same_device(const std::string& file, const Json& json) {
    const auto& devices = json["devices"].elements();
    const std::string device = devices.empty() || !devices[0].string() ? "CPU" : *devices[0].string();
    if (!device_.empty() && device != device_)
      fail(file, fmt::format("was measured on {}, the files before on {}: name files of one machine", device,
                             device_));
    device_ = device;
  }

  void add_step(const std::string& file, const Json& json, const std::string& benchmark) {
    // Runs have the limiter by default, and so has `scaling`.
    if (benchmark == "step" && json["positivity"].text() == "false") return;
    const double slabs = number_in_row(file, json, "slabs");
    if (slabs > 1 && text_in(json, "halo") == "auto") return;  // its backend has a row of its own
    Row row{text_in(json, "scheme"), text_in(json, "precision"), text_in(json, "halo_ran"), {}, 1, 1, 0, 0};
    for (const Json& cells : json["cells"].elements())
      row.cells.push_back(static_cast<int>(cells.integer().value_or(0)));
    if (row.cells.size() != 3) fail(file, "a row lacks its three numbers of cells");
    row.slabs = static_cast<int>(slabs);
    if (json.find("cut_y")) row.cut_y = static_cast<int>(number_in_row(file, json, "cut_y"));
    if (row.cut_y < 1 || row.slabs % row.cut_y != 0)
      fail(file, fmt::format("a row is of {} slabs, {} of them side by side: they make no layers", row.slabs,
                             row.cut_y));
    row.step_ms = number_in_row(file, json, "ms_per_step");
    row.compute_ms = json["compute_ms"].number().value_or(0);
    rows_.push_back(row);
  }

  void add_halo(const std::string& file, const Json& json) {
    const int slabs = static_cast<int>(number_in_row(file, json, "slabs"));
    const std::string axis = text_in(json, "axis");
    const int faces = axis == "y" ? 2 : std::min(slabs - 1, 2);  // planes end at walls, rows go round
    halos_.push_back({text_in(json, "halo"), axis, slabs, faces * number_in_row(file, json, "face_bytes"),
                      number_in_row(file, json, "us_per_exchange")});
  }

  int most_slabs() const {
    int most = 1;
    for (const Row& row : rows_) most = std::max(most, row.slabs);
    for (const HaloRow& row : halos_) most = std::max(most, row.slabs);
    return most;
  }

  void fit_speeds(Machine& machine) {
    std::map<std::pair<std::string, std::string>, std::map<double, std::vector<double>>> times;
    for (const Row& row : rows_)
      if (row.slabs == 1) times[{row.scheme, row.precision}][row.cells_each()].push_back(row.step_ms);
    if (times.empty())
      throw Error(ExitCode::bad_input,
                  "these files hold no step of one GPU alone: add one of `tayra bench step` or `scaling`");
    for (const auto& [name, by_cells] : times)
      machine.speeds.push_back({name.first, name.second, medians(by_cells)});
  }

  /// As one GPU alone takes for a slab, or nothing where its scheme wasn't measured.
  std::optional<double> alone(const Row& row) const {
    for (const SpeedOf& speed : alone_->speeds)
      if (speed.scheme == row.scheme && speed.precision == row.precision) {
        ModelCase what{row.cells, 1, 1, row.scheme, row.precision, "none"};
        what.cells[2] = std::max(1, row.cells[2] / row.slabs);
        return predict(*alone_, what).step();
      }
    return std::nullopt;
  }

  /// Steps without any exchange on the fewest GPUs tell how late the slowest is, and what a rim takes.
  void fit_lateness(Machine& machine) {
    used_.assign(rows_.size(), false);
    int fewest = std::numeric_limits<int>::max();
    for (const Row& row : rows_)
      if (row.slabs > 1 && row.halo == "none") fewest = std::min(fewest, row.slabs);
    const auto for_each = [&](bool along_y, const auto& use) {
      for (std::size_t i = 0; i < rows_.size(); ++i)
        if (rows_[i].slabs == fewest && rows_[i].halo == "none" && is_cut_along(rows_[i], along_y))
          if (const auto time = alone(rows_[i])) use(i, *time);
    };
    std::vector<double> shares;
    for_each(false, [&](std::size_t i, double time) {
      if (rows_[i].cells_each() >= many_cells) shares.push_back(rows_[i].step_ms / time - 1);
    });
    machine.late_share = shares.empty() ? 0 : std::max(0., spread_of(shares).median);
    const auto rims = [&](bool along_y) {
      std::map<double, std::vector<double>> found;
      for_each(along_y, [&](std::size_t i, double time) {
        if (rows_[i].cells_each() < many_cells)
          found[rows_[i].cells_each()].push_back(
              std::max(0., rows_[i].step_ms - (1 + machine.late_share) * time));
        used_[i] = used_[i] || !along_y || rows_[i].cells_each() < many_cells;
      });
      return medians(found);
    };
    machine.rim_ms = rims(false);
    machine.rim_rows_ms = rims(true);
  }

  /// Along one axis alone.
  static bool is_cut_along(const Row& row, bool y) { return row.cut_y == (y ? row.slabs : 1); }

  std::vector<std::string> backends() const {
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
      if (!name.empty() && name != "none" && std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
    };
    for (const Row& row : rows_)
      if (row.slabs > 1) add(row.halo);
    for (const HaloRow& row : halos_) add(row.halo);
    std::erase_if(names, [&](const std::string& name) { return exchanges(name).size() < 2; });
    return names;
  }

  /// Microseconds by the bytes that leave a GPU, of the most slabs measured.
  Curve exchanges(const std::string& halo) const {
    int most = 0;
    std::map<double, std::vector<double>> times;
    for (const HaloRow& row : halos_)
      if (row.halo == halo && row.axis == "z") most = std::max(most, row.slabs);
    for (const HaloRow& row : halos_)
      if (row.halo == halo && row.axis == "z" && row.slabs == most) times[row.bytes].push_back(row.us);
    return medians(times);
  }

  Link fit_link(const Machine& machine, const std::string& halo) {
    Link link;
    link.fused = halo == "direct";
    const Curve measured = exchanges(halo);
    const auto& [b0, us0] = *(measured.end() - 2);
    const auto& [b1, us1] = measured.back();
    link.gb_per_second = us1 > us0 ? (b1 - b0) / (us1 - us0) / 1e3 : b1 / us1 / 1e3;
    link.never_hidden = share_never_hidden(halo);
    if (!link.fused) link.slows_sweep = fit_slowing(halo);
    link.strided_cost = fit_strided(halo, measured);
    link.latency_us = fit_latency(machine, halo, link, false);
    if (link.latency_us.empty()) link.latency_us = {{2, measured.front().second}};
    link.row_latency_us = fit_latency(machine, halo, link, true);
    return link;
  }

  /// Sweeps of the largest box beside the exchange against those without, on two GPUs.
  double fit_slowing(const std::string& halo) {
    constexpr double noticeable = 0.1;  // large boxes differ by half of that from run to run
    std::map<double, std::vector<double>> shares;
    std::map<double, std::vector<std::size_t>> from;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (const Row& without : rows_)
        if (const Row& with = rows_[i]; with.halo == halo && without.halo == "none" && with.slabs == 2 &&
                                        without.slabs == 2 && with.cut_y == 1 && without.cut_y == 1 &&
                                        with.cells == without.cells && with.scheme == without.scheme &&
                                        with.precision == without.precision && without.compute_ms > 0) {
          shares[with.cells_each()].push_back(with.compute_ms / without.compute_ms - 1);
          from[with.cells_each()].push_back(i);
        }
    if (shares.empty() || spread_of(shares.rbegin()->second).median < noticeable) return 0;
    for (const std::size_t i : from.rbegin()->second) used_[i] = true;
    return spread_of(shares.rbegin()->second).median;
  }

  /// With which the model takes as long as measured for the smallest box on this many GPUs, where nothing
  /// hides.
  Curve fit_latency(const Machine& machine, const std::string& halo, const Link& link, bool along_y) {
    std::map<int, double> least;
    for (const Row& row : rows_)
      if (row.slabs > 1 && is_cut_along(row, along_y) && row.halo == halo) {
        auto& cells = least.try_emplace(row.slabs, row.cells_each()).first->second;
        cells = std::min(cells, row.cells_each());
      }
    std::map<double, std::vector<double>> latencies;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Row& row = rows_[i];
      if (row.slabs == 1 || !is_cut_along(row, along_y) || row.halo != halo ||
          row.cells_each() > least[row.slabs] || !alone(row))
        continue;
      latencies[row.slabs].push_back(latency_for(machine, link, row));
      used_[i] = true;
    }
    return medians(latencies);
  }

  static double latency_for(Machine machine, Link link, const Row& row) {
    constexpr int rounds = 100;  // each leaves at most two thirds of what is missing
    double latency_us = 0;
    for (int round = 0; round < rounds; ++round) {
      (row.cut_y > 1 ? link.row_latency_us : link.latency_us) = {{row.slabs, latency_us}};
      machine.inside[row.halo] = link;
      const double step = predict(machine, row.asked()).step();
      latency_us = std::max(0., latency_us + (row.step_ms - step) * 1e3 / stages);
    }
    return latency_us;
  }

  /// Rows against planes of as many bytes, of the largest of which both are known.
  double fit_strided(const std::string& halo, const Curve& planes) const {
    double bytes = 0, ratio = Link().strided_cost;
    for (const HaloRow& row : halos_)
      if (row.axis == "y" && row.halo == halo && row.bytes > bytes && row.bytes <= planes.back().first) {
        bytes = row.bytes;
        ratio = row.us / value_at(planes, bytes);
      }
    return ratio;
  }

  std::string device_;
  std::vector<Row> rows_;
  std::vector<HaloRow> halos_;
  std::vector<bool> used_;
  const Machine* alone_ = nullptr;  // its speeds
};

Json curve_json(const Curve& curve) {
  Json json = Json::array();
  for (const auto& [x, y] : curve) json.push(Json::array().push(x).push(y));
  return json;
}

Json link_json(const Link& link) {
  Json json = Json::object().set("latency_us", curve_json(link.latency_us));
  if (!link.row_latency_us.empty()) json.set("row_latency_us", curve_json(link.row_latency_us));
  return json.set("gb_per_second", link.gb_per_second)
      .set("fused", link.fused)
      .set("slows_sweep", link.slows_sweep)
      .set("strided_cost", link.strided_cost)
      .set("never_hidden", link.never_hidden);
}

Json links_json(const std::map<std::string, Link>& links) {
  Json json = Json::object();
  for (const auto& [name, link] : links) json.set(name, link_json(link));
  return json;
}

}  // namespace

MachineData read_machine(const std::vector<std::string>& files) {
  Results results;
  std::optional<Machine> given;
  for (const std::string& file : files) {
    const Json json = read_json_file(file);
    if (json.find("benchmark")) {
      results.add(file, json);
    } else {
      if (given) fail(file, "is a second machine file: name one");
      given = machine_of_json(file, json);
    }
  }
  const Machine machine = given ? *given : results.fit();
  return {machine, results.cases()};
}

Json machine_json(const Machine& machine) {
  Json speeds = Json::array();
  for (const SpeedOf& speed : machine.speeds)
    speeds.push(Json::object()
                    .set("scheme", speed.scheme)
                    .set("precision", speed.precision)
                    .set("step_ms", curve_json(speed.step_ms)));
  Json json = Json::object()
                  .set("machine", machine.name)
                  .set("gpus_per_node", machine.gpus_per_node)
                  .set("gigabytes", machine.gigabytes)
                  .set("cost_per_hour", machine.cost_per_hour)
                  .set("late_share", machine.late_share);
  if (!machine.rim_ms.empty()) json.set("rim_ms", curve_json(machine.rim_ms));
  if (!machine.rim_rows_ms.empty()) json.set("rim_rows_ms", curve_json(machine.rim_rows_ms));
  return json.set("speeds", speeds)
      .set("inside", links_json(machine.inside))
      .set("between", links_json(machine.between));
}

}  // namespace tayra
