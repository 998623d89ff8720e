// This process as the machine knows it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tayra {

std::string host_name();
/// Of its processor, as /proc/cpuinfo has it.
std::string processor_name();
/// The processor whose instructions this program uses, as TAYRA_PROCESSOR had it: native, that of its build.
std::string_view compiled_for();
/// The command line as the user typed it, one word an element.
std::vector<std::string> command_words();

}  // namespace tayra
