// The few HDF5 calls that Tayra makes.
#include "io/hdf5.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

#include "core/error.hpp"
#include "io/file.hpp"
#include "io/run_directory.hpp"

namespace tayra::h5 {
namespace {

/// The innermost entry of the error stack, where the system's reason stands if there is one.
herr_t take_first(unsigned /*depth*/, const H5E_error2_t* error, void* reason) {
  auto& text = *static_cast<std::string*>(reason);
  if (text.empty() && error->desc) text = error->desc;
  return 0;
}

/// "… error message = 'No space left on device', …" becomes "No space left on device".
std::optional<std::string> system_reason(const std::string& text) {
  const std::string key = "error message = '";
  const auto start = text.find(key);
  if (start == std::string::npos) return std::nullopt;
  const auto first = start + key.size();
  return text.substr(first, text.find('\'', first) - first);
}

std::string innermost_text() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &text);
  return text;
}

std::string last_error() {
  const std::string text = innermost_text();
  return text.empty() ? "HDF5 gives no reason" : system_reason(text).value_or(text);
}

/// "… errno = 13, error message = …": whether another time, or another user, may get at the file.
bool is_out_of_reach(const std::string& text) {
  const std::string key = "errno = ";
  const auto start = text.find(key);
  if (start == std::string::npos) return false;
  constexpr std::array passing{EACCES,   EPERM,       EMFILE,   ENFILE,    ENOMEM,       EAGAIN,
                               EINTR,    EBUSY,       ENODEV,   ENXIO,     EIO,          EREMOTEIO,
                               ESTALE,   ETIMEDOUT,   ENOTCONN, ESHUTDOWN, ECONNREFUSED, ECONNRESET,
                               ENETDOWN, ENETUNREACH, ENOLINK,  EHOSTDOWN, EHOSTUNREACH, ECONNABORTED};
  return std::find(passing.begin(), passing.end(), std::atoi(text.c_str() + start + key.size())) !=
         passing.end();
}

void create_attribute(hid_t object, const std::string& name, hid_t stored, hid_t space, hid_t type,
                      const void* values) {
  Handle attribute(H5Acreate2(object, name.c_str(), stored, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                   "create attribute " + name);
  check(H5Awrite(attribute, type, values), "write attribute " + name);
  attribute.close("close attribute " + name);
}

/// A damaged file may claim more values than there is room for.
Handle open_attribute(hid_t object, const std::string& name, hsize_t count) {
  Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, "open attribute " + name);
  const Handle space(H5Aget_space(attribute), H5Sclose, "get the space of " + name);
  require(H5Sget_simple_extent_npoints(space) == hssize_t(count), ExitCode::failed,
          "attribute " + name + " has another number of values");
  return attribute;
}

Handle scalar() { return {H5Screate(H5S_SCALAR), H5Sclose, "create a scalar space"}; }

Handle string_type(std::size_t size, H5T_cset_t characters) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "copy the string type");
  check(H5Tset_size(type, size), "set the size of a string");
  check(H5Tset_cset(type, characters), "set the characters of a string");
  return type;
}

Handle access_settings(Format format) {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "create access settings");
  const H5F_libver_t oldest = format == Format::guarded ? H5F_LIBVER_V110 : H5F_LIBVER_EARLIEST;
  check(H5Pset_libver_bounds(access, oldest, H5F_LIBVER_V110), "set the format version");
  return access;
}

/// Other links may lead to any file that HDF5 can open.
void require_own_link(hid_t group, const std::string& name) {
  H5L_info_t info;
  check(H5Lget_info(group, name.c_str(), &info, H5P_DEFAULT), "find " + name);
  require(info.type == H5L_TYPE_HARD, ExitCode::failed,
          name + " is a link that may lead out of the file, as Tayra writes none");
}

Handle settings_of(hid_t dataset) {
  return {H5Dget_create_plist(dataset), H5Pclose, "get the settings of a dataset"};
}

/// The file of each part and its dataset.
std::vector<std::pair<std::string, std::string>> parts_of(hid_t dataset) {
  const Handle settings = settings_of(dataset);
  std::size_t count = 0;
  if (H5Pget_layout(settings) == H5D_VIRTUAL) check(H5Pget_virtual_count(settings, &count), "count parts");
  std::vector<std::pair<std::string, std::string>> parts;
  for (std::size_t i = 0; i < count; ++i) {
    std::string file(4096, '\0'), name(256, '\0');
    check(H5Pget_virtual_filename(settings, i, file.data(), file.size()), "name a part");
    check(H5Pget_virtual_dsetname(settings, i, name.data(), name.size()), "name a part");
    parts.emplace_back(file.c_str(), name.c_str());
  }
  return parts;
}

/// Numbers that lie outside of the file may be bytes of any file of this machine; parts have their folder.
void require_own_numbers(hid_t dataset, const std::string& name) {
  require(H5Pget_external_count(settings_of(dataset)) == 0, ExitCode::failed,
          name + " has its numbers in a file outside (external storage), as Tayra writes none");
  const std::string folder = std::string(parts_folder) + "/";
  for (const auto& [file, of_part] : parts_of(dataset)) {
    const bool is_own = file.starts_with(folder) &&
                        file.find_first_of("/%", folder.size()) == std::string::npos &&
                        of_part.find_first_of("/%") == std::string::npos;
    require(is_own, ExitCode::failed,
            name + " shows numbers of " + file + ", which is no part of it beside it in " + folder);
  }
}

/// HDF5 looks twice for a file, and keeps to itself that somebody has removed it in between.
Handle opened(hid_t file, const std::string& path, const std::string& doing) {
  std::error_code ignored;
  if (file < 0 && !system_reason(innermost_text()) && !std::filesystem::exists(path, ignored))
    throw Error(ExitCode::failed,
                "cannot " + doing + " (" + std::strerror(ENOENT) + "), HDF5 says: " + last_error());
  return {file, H5Fclose, doing};
}

}  // namespace

void fail(const std::string& what) {
  const std::string problem = "cannot " + what + " (" + last_error() + ")";
  if (is_out_of_reach(innermost_text())) throw OutOfReach(ExitCode::failed, problem);
  throw Error(ExitCode::failed, problem);
}

std::unique_lock<std::mutex> prepare_alone() {
  static std::mutex mutex;
  std::unique_lock lock(mutex);
  prepare();
  return lock;
}

void prepare() {
  static const herr_t once = H5dont_atexit();
  static_cast<void>(once);  // fails when HDF5 is in use already, which harms nothing
  check(H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr), "silence HDF5");
}

Handle create_group(hid_t parent, const std::string& name) {
  Handle settings(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, "create group settings");
  check(H5Pset_obj_track_times(settings, false), "leave out times");
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, settings, H5P_DEFAULT), H5Gclose,
          "create group " + name};
}

Handle create_dataset(hid_t parent, const std::string& name, hid_t type, const std::vector<hsize_t>& sizes,
                      hid_t settings) {
  return {H5Dcreate2(parent, name.c_str(), type, space_of(sizes), H5P_DEFAULT, settings, H5P_DEFAULT),
          H5Dclose, "create dataset " + name};
}

Handle create_file(const std::string& path, Format format) {
  const Handle access = access_settings(format);
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "create file settings");
  // Times would make two files with the same content differ.
  check(H5Pset_obj_track_times(creation, false), "leave out times");
  require_held_directory();  // not before: who works with HDF5 alone may have waited for that
  ::unlink(path.c_str());    // where that is not possible the creation says so
  return opened(H5Fcreate(path.c_str(), H5F_ACC_EXCL, creation, access), path, "create the file");
}

Handle open_file(const std::string& path) {
  const std::string other = other_than_file(path);
  require(other.empty(), ExitCode::failed, "cannot open the file (it is " + other + ")");
  return opened(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), path, "open the file");
}

Handle open_to_add(const std::string& path, Format format) {
  return opened(H5Fopen(path.c_str(), H5F_ACC_RDWR, access_settings(format)), path, "open the file");
}

void flush_and_close(Handle& file) {
  check(H5Fflush(file, H5F_SCOPE_GLOBAL), "flush the file");
  file.close("close the file");
}

Handle open_group(hid_t parent, const std::string& name) {
  require_own_link(parent, name);
  return {H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose, "open group " + name};
}

Handle open_dataset(hid_t parent, const std::string& name) {
  require_own_link(parent, name);
  Handle dataset(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose, "open dataset " + name);
  require_own_numbers(dataset, name);
  return dataset;
}

std::vector<hsize_t> extent_of(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose, "get the space of a dataset");
  std::vector<hsize_t> sizes(check(H5Sget_simple_extent_ndims(space), "get the rank of a dataset"));
  check(H5Sget_simple_extent_dims(space, sizes.data(), nullptr), "get the extent of a dataset");
  return sizes;
}

std::vector<std::string> names_in(hid_t group) {
  H5G_info_t info;
  check(H5Gget_info(group, &info), "look into a group");
  std::vector<std::string> names;
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    std::string name(256, '\0');
    const ssize_t size =
        H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name.data(), name.size(), H5P_DEFAULT);
    check(size, "read a name in a group");
    names.push_back(name.c_str());
  }
  return names;
}

Handle space_of(const std::vector<hsize_t>& sizes) {
  return {H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), H5Sclose,
          "create a space"};
}

Handle dataset_settings() {
  Handle settings(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "create dataset settings");
  check(H5Pset_fill_time(settings, H5D_FILL_TIME_NEVER), "turn filling off");
  check(H5Pset_obj_track_times(settings, false), "leave out times");
  check(H5Pset_alloc_time(settings, H5D_ALLOC_TIME_EARLY), "set when room is taken");
  return settings;
}

std::uint64_t make_room(hid_t parent, const std::string& name, hid_t type,
                        const std::vector<hsize_t>& sizes) {
  Handle dataset = create_dataset(parent, name, type, sizes, dataset_settings());
  const haddr_t offset = H5Dget_offset(dataset);
  require(offset != HADDR_UNDEF, ExitCode::failed,
          "cannot make room for " + name + " (" + last_error() + ")");
  dataset.close("close " + name);
  return offset;
}

void write_dataset(hid_t parent, const std::string& name, hid_t stored, hid_t type, hsize_t count,
                   const void* values) {
  Handle dataset = create_dataset(parent, name, stored, {count}, dataset_settings());
  check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "write " + name);
  dataset.close("close " + name);
}

void write_chunk(hid_t dataset, int plane, std::uint32_t filters_left_out, std::span<const std::byte> bytes) {
  std::vector<hsize_t> start(extent_of(dataset).size(), 0);
  start[0] = static_cast<hsize_t>(plane);
  check(H5Dwrite_chunk(dataset, H5P_DEFAULT, filters_left_out, start.data(), bytes.size(), bytes.data()),
        "write a plane");
}

void read_planes(hid_t dataset, hid_t type, SlabRange planes, void* values) {
  const auto sizes = extent_of(dataset);
  auto count = sizes;
  count[0] = static_cast<hsize_t>(planes.planes);
  std::vector<hsize_t> start(sizes.size(), 0);
  start[0] = static_cast<hsize_t>(planes.first);
  const Handle in_memory = space_of(count), in_file = space_of(sizes);
  check(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
        "select planes");
  check(H5Dread(dataset, type, in_memory, in_file, H5P_DEFAULT, values), "read planes");
}

std::string path_of(const std::string& path, const std::string& part) {
  return (std::filesystem::path(path).parent_path() / part).string();
}

void require_parts(const std::string& path, hid_t dataset) {
  for (const auto& [file, name] : parts_of(dataset)) {
    const std::string part = path_of(path, file);
    try {
      require(parts_of(open_dataset(open_file(part), name)).empty(), ExitCode::failed, "it has parts itself");
    } catch (const OutOfReach& error) {
      throw OutOfReach(ExitCode::failed, "part " + part + ": " + error.what());
    } catch (const Error& error) {
      throw Error(ExitCode::failed, "part " + part + " is missing or damaged: " + error.what());
    }
  }
}

void write_attribute(hid_t object, const std::string& name, const std::string& text) {
  const Handle type = string_type(H5T_VARIABLE, H5T_CSET_UTF8);
  const char* characters = text.c_str();
  create_attribute(object, name, type, scalar(), type, &characters);
}

void write_ascii_attribute(hid_t object, const std::string& name, const std::string& text) {
  Handle type = string_type(text.size(), H5T_CSET_ASCII);
  check(H5Tset_strpad(type, H5T_STR_NULLPAD), "set the padding of a string");
  create_attribute(object, name, type, scalar(), type, text.data());
}

void write_attribute(hid_t object, const std::string& name, std::span<const double> values) {
  create_attribute(object, name, H5T_IEEE_F64LE, space_of({values.size()}), H5T_NATIVE_DOUBLE, values.data());
}

void write_attribute(hid_t object, const std::string& name, std::span<const std::int64_t> values) {
  create_attribute(object, name, H5T_STD_I64LE, space_of({values.size()}), H5T_NATIVE_INT64, values.data());
}

void write_attribute(hid_t object, const std::string& name, double value) {
  create_attribute(object, name, H5T_IEEE_F64LE, scalar(), H5T_NATIVE_DOUBLE, &value);
}

void write_attribute(hid_t object, const std::string& name, std::int64_t value) {
  create_attribute(object, name, H5T_STD_I64LE, scalar(), H5T_NATIVE_INT64, &value);
}

void read_attribute(hid_t object, const std::string& name, std::span<double> values) {
  check(H5Aread(open_attribute(object, name, values.size()), H5T_NATIVE_DOUBLE, values.data()),
        "read attribute " + name);
}

void read_attribute(hid_t object, const std::string& name, std::span<std::int64_t> values) {
  check(H5Aread(open_attribute(object, name, values.size()), H5T_NATIVE_INT64, values.data()),
        "read attribute " + name);
}

}  // namespace tayra::h5
