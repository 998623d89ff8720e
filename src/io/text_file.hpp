// Small text files, written whole or not at all.
#pragma once

#include <string>

namespace tayra {

/// Writes `path`.tmp, forces it to the disk and renames it. Throws Error(failed) that names path and reason.
void write_text_file(const std::string& path, const std::string& text);

}  // namespace tayra
