// One line for a case, its parts in the order in which they come.
#include "app/prediction_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "app/units.hpp"

namespace tayra {

std::string parts_text(const Prediction& prediction) {
  std::vector<std::string> parts;
  const auto add = [&](const char* name, double ms) {
    if (ms > 0) parts.push_back(fmt::format("{} {:.4g}", name, ms));
  };
  add("sweep", prediction.sweep);
  add("late", prediction.late);
  add("rim", prediction.rim);
  add("latency", prediction.latency);
  add("bandwidth", prediction.transfer);
  add("reduction", prediction.reduction);
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string prediction_header() {
  return fmt::format("{:>6} {:>11} {:<8} {:>9} {:>9} {:>9} {:>10} {:>12}  {}", "GPUs", "z x y", "halo",
                     "ms/step", "exposed", "efficient", "memory", "GPU h/1000", "parts in ms");
}

std::string prediction_line(const ModelCase& what, const Prediction& prediction) {
  return fmt::format("{:>6} {:>11} {:<8} {:>9.4g} {:>7.1f} % {:>7.1f} % {:>10} {:>12.3g}  {}",
                     prediction.gpus, fmt::format("{} x {}", what.along_z, what.along_y),
                     prediction.gpus > 1 ? what.halo : "-", prediction.step(),
                     100 * prediction.exposed() / prediction.step(), 100 * prediction.efficiency(),
                     bytes_text(static_cast<std::uint64_t>(prediction.bytes)), prediction.gpu_hours(1000),
                     parts_text(prediction));
}

}  // namespace tayra
