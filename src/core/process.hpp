// This process as the machine knows it.
#pragma once

#include <string>
#include <vector>

namespace tayra {

std::string host_name();
/// Of its processor, as /proc/cpuinfo has it.
std::string processor_name();
/// The command line as the user typed it, one word an element.
std::vector<std::string> command_words();

}  // namespace tayra
