// Planes as HDF5's filters "shuffle" and "deflate" leave them, so that every rank compresses its own.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tayra {

inline constexpr unsigned deflate_level = 1;  // higher ones gain a few percent for several times the work

/// Bytes of a number that change together are put together first, which makes them much smaller. Where they
/// don't become smaller they are only put together. Throws Error(failed).
std::vector<std::byte> shuffled_and_deflated(std::span<const std::byte> numbers,
                                             std::size_t bytes_per_number);

}  // namespace tayra
