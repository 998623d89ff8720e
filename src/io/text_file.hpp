// Small text files, written whole or not at all; and what is no file to be read.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace tayra {

/// Writes `path`.tmp, forces it to the disk and renames it. Throws Error(failed) that names path and reason.
void write_text_file(const std::string& path, const std::string& text);

/// The file's first bytes, at most so many; nothing where it can't be opened.
std::optional<std::string> beginning_of_file(const std::string& path, std::size_t most);
/// All of it; nothing where there is no file of at most so many bytes.
std::optional<std::string> text_of_small_file(const std::string& path, std::size_t most);

/// What lies there and is no file to be read, such as "a directory" or "a pipe (FIFO)", which would be waited
/// for without end; empty for a file, or where nothing is.
std::string other_than_file(const std::string& path);

}  // namespace tayra
