// Bytes and durations.
#include "app/units.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>

namespace tayra {

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  const auto is_long = [&] { return amount >= (unit == 0 ? 1024 : 999.5); };  // four digits
  for (; is_long() && unit + 1 < units.size(); ++unit) amount /= 1024;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.3g} {}", amount, units[unit]);
}

std::string duration_text(double seconds) {
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::int64_t>(seconds);
  const auto minutes = whole / 60;
  if (minutes < 60) return fmt::format("{}m {:02}s", minutes, whole % 60);
  return fmt::format("{}h {:02}m {:02}s", minutes / 60, minutes % 60, whole % 60);
}

}  // namespace tayra
