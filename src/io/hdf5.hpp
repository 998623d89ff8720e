// HDF5 made safe: ids that close themselves, and calls whose failure is an Error that says what HDF5 said.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "grid/decomposition.hpp"

namespace tayra::h5 {

/// The system keeps us from a file that may well be whole: no permission, too many open files, a lost server,
/// a disk that fails to read.
class OutOfReach : public Error {
 public:
  using Error::Error;
};

/// Throws Error(failed) "cannot `what` (HDF5's own reason)".
[[noreturn]] void fail(const std::string& what);

/// Fails when `result` is negative; returns it otherwise.
template <class Result>
Result check(Result result, const std::string& what) {
  if (result < 0) fail(what);
  return result;
}

/// To be called before anything else of HDF5: keeps it from printing its error stack (in this thread) and
/// from cleaning up when the process exits. A file whose last bytes found no room crashes HDF5 1.10 there.
void prepare();
/// And has other threads that call this wait while it is held: HDF5 serves one at a time.
[[nodiscard]] std::unique_lock<std::mutex> prepare_alone();

/// One id and the call that closes it. HDF5 keeps small data and all structure in memory, and writes them
/// when something is closed: what was written into must be closed by close(), which says whether that worked.
/// The destructor keeps a failure to itself, and is for what is read, and for errors on their way.
class Handle {
 public:
  using Closer = herr_t (*)(hid_t);
  Handle(hid_t id, Closer closer, const std::string& what) : id_(check(id, what)), closer_(closer) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), closer_(other.closer_) {}
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (id_ >= 0) closer_(id_);
  }
  operator hid_t() const { return id_; }
  void close(const std::string& what) { check(closer_(std::exchange(id_, H5I_INVALID_HID)), what); }

 private:
  hid_t id_;
  Closer closer_;
};

Handle create_group(hid_t parent, const std::string& name);
/// Until it is closed what is written into it need not be in the file.
Handle create_dataset(hid_t parent, const std::string& name, hid_t type, const std::vector<hsize_t>& sizes,
                      hid_t settings);
/// Which formats of HDF5 a file is written in. The newest guard their own structure by checksums.
enum class Format { widely_read, guarded };
/// Readable by HDF5 1.10 and later; equal content gives equal bytes. What had the name is removed: a link is
/// not followed.
Handle create_file(const std::string& path, Format format);
Handle open_file(const std::string& path);  // to read
Handle open_to_add(const std::string& path, Format format);
/// A file on a full disk must fail before it is closed: HDF5 1.10 keeps it open otherwise.
void flush_and_close(Handle& file);
/// Of a name in the parent. They refuse what leads out of the file, such as external links and storage.
Handle open_group(hid_t parent, const std::string& name);
Handle open_dataset(hid_t parent, const std::string& name);
std::vector<hsize_t> extent_of(hid_t dataset);
std::vector<std::string> names_in(hid_t group);  // sorted
Handle space_of(const std::vector<hsize_t>& sizes);
/// For a dataset that is written once, in full: no filling, no times.
Handle dataset_settings();
/// Creates a dataset whose numbers are to be put into the file past HDF5: the byte at which they begin.
std::uint64_t make_room(hid_t parent, const std::string& name, hid_t type, const std::vector<hsize_t>& sizes);
/// Of one axis, written in full.
void write_dataset(hid_t parent, const std::string& name, hid_t stored, hid_t type, hsize_t count,
                   const void* values);
/// Puts in a plane as its filters leave it; those of the set bits did nothing. A chunk is one plane.
void write_chunk(hid_t dataset, int plane, std::uint32_t filters_left_out, std::span<const std::byte> bytes);
/// Planes are places along the first axis.
void read_planes(hid_t dataset, hid_t type, SlabRange planes, void* values);

/// Where a part of the file at `path` lies. Earlier versions wrote one on each rank, and a file that shows
/// them.
std::string path_of(const std::string& path, const std::string& part);
/// Throws when a part is missing or cut short: HDF5 would read it as zeros.
void require_parts(const std::string& path, hid_t dataset);

void write_attribute(hid_t object, const std::string& name, const std::string& text);  // UTF-8
void write_ascii_attribute(hid_t object, const std::string& name,
                           const std::string& text);  // of fixed length
void write_attribute(hid_t object, const std::string& name, std::span<const double> values);
void write_attribute(hid_t object, const std::string& name, std::span<const std::int64_t> values);
void write_attribute(hid_t object, const std::string& name, double value);
void write_attribute(hid_t object, const std::string& name, std::int64_t value);

/// They throw when there aren't exactly as many values.
void read_attribute(hid_t object, const std::string& name, std::span<double> values);
void read_attribute(hid_t object, const std::string& name, std::span<std::int64_t> values);

}  // namespace tayra::h5
