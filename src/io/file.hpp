// Files as the system knows them: whole or not at all, and in the directory in which the run began.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tayra {

/// An open file: written in full or not, forced to the disk, closed by itself.
class Descriptor {
 public:
  Descriptor() = default;
  /// `flags` as open() takes them; errno tells why id() is negative.
  Descriptor(const std::string& path, int flags);
  /// Of a path from this folder on, wherever that lies by now.
  Descriptor(const Descriptor& folder, const std::string& path, int flags);
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }

  int id() const { return id_; }
  /// Whether the path leads to what is open here, by device and number.
  bool is_at(const std::string& path) const;
  // False with errno set when it did not work.
  bool write(std::string_view text) const;
  bool write_at(std::uint64_t place, std::span<const std::byte> bytes) const;
  bool read_at(std::uint64_t place, std::span<std::byte> bytes) const;
  bool sync() const;
  /// Lets the disk begin with what is written so far.
  void start_sync() const;
  /// Has the system forget what it holds of it in memory, as far as that goes.
  void forget() const;
  bool close();

 private:
  int id_ = -1;
};

/// While one lives, whoever creates, names or removes a file of the run asks first whether the path still
/// leads to the same directory: another run may have begun there after it was moved away. Holds nothing where
/// there is no directory, or where a file system gives one another number each time.
class HeldDirectory {
 public:
  explicit HeldDirectory(const std::string& path);
  ~HeldDirectory();
  HeldDirectory(const HeldDirectory&) = delete;
  HeldDirectory& operator=(const HeldDirectory&) = delete;

  bool is_there() const { return directory_.is_at(path_); }
  Descriptor open(const std::string& path, int flags) const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  Descriptor directory_;  // open: no other gets its number
};

/// Throws Error(failed) if the path does not lead to the directory any more that is held, if one is.
void require_held_directory();
/// Likewise; opens a file of the directory that is held, or of any where none is.
Descriptor open_held(const std::string& path, int flags);

/// Throws Error(failed) "cannot `what` (the system's reason)" unless it is done.
void require_done(bool done, const char* what);

/// A file that has its final name only when it is whole: until publish() it lies beside under another, and is
/// removed at the end.
class FileBeside {
 public:
  explicit FileBeside(std::string path) : final_(std::move(path)), name_(name_beside(final_)) {}
  ~FileBeside();
  FileBeside(const FileBeside&) = delete;
  FileBeside& operator=(const FileBeside&) = delete;

  static std::string name_beside(const std::string& path) { return path + ".tmp"; }
  const std::string& name() const { return name_; }
  /// Once its content has reached the disk. Throws Error(failed) with the reason.
  void publish();
  /// At once: a machine that loses its power may leave the name without its content.
  void publish_unforced();

 private:
  std::string final_, name_;
  bool published_ = false;
};

/// Forces the file's content to the disk and has the system forget it, as far as that goes: who reads it next
/// hears what the disk holds. Throws Error(failed) with the reason.
void leave_to_disk(const std::string& path);

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
