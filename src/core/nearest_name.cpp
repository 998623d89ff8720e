// Edit distance with neighbours swapped (optimal string alignment), letter case ignored.
#include "core/nearest_name.hpp"

#include <algorithm>
#include <cctype>

namespace tayra {
namespace {

// Of longer ones nobody would see what is alike, and the distance takes the square of the length.
constexpr std::size_t longest = 100;

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// distances[i][j]: edits that turn the first i letters of `from` into the first j of `to`.
std::size_t edit_distance(const std::string& from, const std::string& to) {
  std::vector<std::vector<std::size_t>> distances(from.size() + 1, std::vector<std::size_t>(to.size() + 1));
  for (std::size_t i = 0; i <= from.size(); ++i) {
    for (std::size_t j = 0; j <= to.size(); ++j) {
      auto& best = distances[i][j];
      best = i == 0 || j == 0 ? i + j : distances[i - 1][j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      if (i == 0 || j == 0) continue;
      best = std::min({best, distances[i - 1][j] + 1, distances[i][j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) best = std::min(best, distances[i - 2][j - 2] + 1);
    }
  }
  return distances[from.size()][to.size()];
}

}  // namespace

std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates) {
  const std::size_t too_far = std::max<std::size_t>(2, name.size() / 3 + 1);
  const std::string typed = lower_case(name);
  std::string nearest;
  std::size_t smallest = too_far;
  for (const auto& candidate : candidates) {
    const std::string known = lower_case(candidate);
    const bool abbreviated = typed.size() >= 3 && known.starts_with(typed);
    if (!abbreviated && std::max(typed.size(), known.size()) > longest) continue;
    const std::size_t distance = abbreviated ? too_far - 1 : edit_distance(typed, known);
    if (distance >= smallest) continue;
    smallest = distance;
    nearest = candidate;
  }
  return nearest;
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates) {
  const std::string nearest = nearest_name(name, candidates);
  return nearest.empty() ? "" : "did you mean '" + nearest + "'? ";
}

}  // namespace tayra
