// Quantities as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace tayra {

std::string bytes_text(std::uint64_t bytes);  // "1.5 GiB"
std::string duration_text(double seconds);    // "1h 02m 03s", "4.2 s"

}  // namespace tayra
