// The CPU that this process runs on.
#pragma once

#include <string>

namespace tayra {

std::string processor_name();

}  // namespace tayra
