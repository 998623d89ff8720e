// One event for each of the rotating fields.
#pragma once

#include <array>

#include "halo/transport.hpp"

namespace tayra {

using FieldEvents = std::array<Event, rotating_fields>;

inline FieldEvents field_events(Device device) { return {Event(device), Event(device), Event(device)}; }

}  // namespace tayra
