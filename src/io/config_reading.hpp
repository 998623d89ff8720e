// What a document gives: its problem, its parts, and the values of keys.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "io/config_document.hpp"

namespace tayra {

/// Beyond it, either way, a whole number would be rounded.
inline constexpr std::int64_t largest_whole_number = (std::int64_t(1) << 53) - 1;

/// Checked against its key. Throws Error(bad_input) "place: key: found …; expected …".
Value read_value(const Key& key, const ConfigEntry& entry);

/// The config's keys, with those of the problem and the parts that the document names, which the config then
/// has. Throws Error(bad_input), as all here do.
Key keys_for(const ConfigDocument& document, Config& config);

/// Sets what keys are bound to, and returns the names of those that are given. Every key of the document must
/// be known, every required one there.
std::set<std::string> read_given(const std::string& file, const ConfigDocument& document, const Key& keys);

}  // namespace tayra
