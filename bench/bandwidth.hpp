// How fast a device copies its own memory: what bounds a step that is limited by memory.
#pragma once

#include "core/device.hpp"

namespace tayra {

/// Bytes a second, read and written ones both counted; the median of several copies between two arrays that
/// no cache holds. Takes up to a quarter of the free memory for a few seconds at most.
double copy_bandwidth(Device device);

}  // namespace tayra
