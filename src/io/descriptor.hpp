// A file as the system knows it: written in full or not, forced to the disk, closed by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tayra {

class Descriptor {
 public:
  /// `flags` as open() takes them; errno tells why id() is negative.
  Descriptor(const std::string& path, int flags);
  /// Of a path from this folder on, wherever that lies by now.
  Descriptor(const Descriptor& folder, const std::string& path, int flags);
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&&) = delete;

  int id() const { return id_; }
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
  int id_;
};

}  // namespace tayra
