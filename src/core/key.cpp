// What is said of a key.
#include "core/key.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tayra {
namespace {

std::string limits_of(const Rules& rules) {
  std::vector<std::string> limits;
  if (rules.above) limits.push_back(fmt::format("above {}", *rules.above));
  if (rules.at_least) limits.push_back(fmt::format("at least {}", *rules.at_least));
  if (rules.below) limits.push_back(fmt::format("below {}", *rules.below));
  if (rules.at_most) limits.push_back(fmt::format("at most {}", *rules.at_most));
  return fmt::format("{}", fmt::join(limits, " and "));
}

const char* element_text(Kind kind, bool plural) {
  constexpr const char* texts[][2]{{"true or false", "true or false"},
                                   {"a whole number", "whole numbers"},
                                   {"a number", "numbers"},
                                   {"a text", "texts"}};  // in the order of Kind
  return texts[static_cast<int>(kind)][plural ? 1 : 0];
}

}  // namespace

const Key* Key::find(const std::string& wanted) const {
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const Key& known) { return known.name == wanted; });
  return found == keys.end() ? nullptr : &*found;
}

std::string joined(const std::string& section, const std::string& name) {
  return section.empty() ? name : section + "." + name;
}

std::string expectation(const Key& key) {
  if (!key.choices.empty() && !key.is_list) return fmt::format("one of: {}", fmt::join(key.choices, ", "));
  const std::string limits = limits_of(key.rules);
  if (key.may_vary) return "a number, an expression in t, or a list of [time, number]";
  if (!key.is_list)
    return element_text(key.kind, false) + (limits.empty() ? "" : " " + limits) +
           (key.word.empty() ? "" : ", or " + key.word);
  std::string text = "a list of ";
  if (key.length) text += fmt::format("{} ", *key.length);
  text += key.choices.empty() ? element_text(key.kind, true) : "names";
  if (!limits.empty()) text += ", each " + limits;
  if (!key.choices.empty()) text += fmt::format(" out of: {}", fmt::join(key.choices, ", "));
  return text;
}

}  // namespace tayra
