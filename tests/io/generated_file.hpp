// Files of the repository that are made from the code.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "io/temporary_directory.hpp"

namespace tayra {

/// Names the first line that differs. With TAYRA_UPDATE_DOCS=1 the file is written instead.
inline void expect_generated(const std::string& path, const std::string& text) {
  if (std::getenv("TAYRA_UPDATE_DOCS")) std::ofstream(path) << text;
  const std::string found = text_of(path);
  if (found == text) return;
  std::istringstream lines_found(found), lines(text);
  std::string line_found, line;
  int number = 0;
  do {
    ++number;
    line_found = line = "(the end)";
    std::getline(lines_found, line_found);
    std::getline(lines, line);
  } while (line_found == line && lines);
  ADD_FAILURE() << path << ":" << number << ": is\n"
                << line_found << "\nand should be\n"
                << line << "\nTAYRA_UPDATE_DOCS=1 with this test writes the file again";
}

}  // namespace tayra
