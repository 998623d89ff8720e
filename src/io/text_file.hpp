// Small text files, written whole or not at all; and what is no file to be read.
#pragma once

#include <string>

namespace tayra {

/// Writes `path`.tmp, forces it to the disk and renames it. Throws Error(failed) that names path and reason.
void write_text_file(const std::string& path, const std::string& text);

/// What lies there and is no file to be read, such as "a directory" or "a pipe (FIFO)", which would be waited
/// for without end; empty for a file, or where nothing is.
std::string other_than_file(const std::string& path);

}  // namespace tayra
