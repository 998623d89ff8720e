// The structure by HDF5, the rows by calls of the system.
#include "io/growing_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <limits>
#include <set>
#include <span>
#include <sstream>
#include <utility>

#include "core/error.hpp"
#include "io/hdf5.hpp"
#include "tayra_version.hpp"

namespace tayra {
namespace {

using Place = GrowingTable::Place;

constexpr h5::Format file_format = h5::Format::widely_read;
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t number_bytes = 8;

const Quantity step_facts{"step", "1", "step of the run, counted from 1; 0 at its start"};
const Quantity time_facts{"time", "time", "time of the flow"};
const std::string whole_file = "/";

const std::string& name_of(const Place& place) { return place.name; }
const std::string& name_of(const GrowingColumn& column) { return column.facts.name; }
const std::string& name_of(const GrowingTable& table) { return table.group.name; }

template <class All>
auto find(All& all, const std::string& name) {
  return std::find_if(all.begin(), all.end(), [&](const auto& one) { return name_of(one) == name; });
}

void describe(hid_t parent, const Quantity& of) {
  h5::Handle data = h5::open_dataset(parent, of.name);
  h5::write_attribute(data, "units", of.units);
  h5::write_attribute(data, "meaning", of.meaning);
  data.close("close dataset " + of.name);
}

/// Of a text that Tayra has written: short, without zeros.
std::string read_text(hid_t object, const std::string& name) {
  const h5::Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, "open attribute " + name);
  const h5::Handle type(H5Aget_type(attribute), H5Tclose, "get the type of " + name);
  require(H5Tis_variable_str(type) > 0, ExitCode::failed, "attribute " + name + " is no text");
  char* text = nullptr;
  h5::check(H5Aread(attribute, type, &text), "read attribute " + name);
  std::string found = text;
  H5free_memory(text);
  return found;
}

Quantity read_facts(hid_t parent, const std::string& name) {
  const h5::Handle data = h5::open_dataset(parent, name);
  return {name, read_text(data, "units"), read_text(data, "meaning")};
}

h5::Handle root_of(hid_t file) {
  return {H5Gopen2(file, whole_file.c_str(), H5P_DEFAULT), H5Gclose, "open the file's root"};
}

std::string names_of(const std::vector<GrowingAxis>& axes) {
  std::string names;
  for (const GrowingAxis& axis : axes) names += (names.empty() ? "" : " ") + axis.facts.name;
  return names;
}

hid_t type_of(const GrowingColumn& column) {
  return column.number_bytes == sizeof(float) ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
}

/// Makes the group of a table with all its room, and notes where what lies.
void make_table(hid_t file, GrowingTable& table) {
  const GrowingGroup& of = table.group;
  h5::Handle group = of.name == whole_file ? root_of(file) : h5::create_group(file, of.name);
  table.places.clear();
  const auto add = [&](const Quantity& facts, hid_t type, std::uint64_t row_bytes,
                       std::vector<std::uint64_t> row_sizes = {}) {
    row_sizes.insert(row_sizes.begin(), static_cast<std::uint64_t>(table.room));
    const std::vector<hsize_t> sizes(row_sizes.begin(), row_sizes.end());
    table.places.push_back({facts.name, h5::make_room(group, facts.name, type, sizes), row_bytes});
    describe(group, facts);
  };
  add(step_facts, H5T_STD_I64LE, number_bytes);
  add(time_facts, H5T_IEEE_F64LE, number_bytes);
  for (const GrowingColumn& one : of.columns) add(one.facts, type_of(one), of.bytes(one), of.sizes(one));
  for (const auto& [facts, places] : of.axes) {
    h5::write_dataset(group, facts.name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, places.size(), places.data());
    describe(group, facts);
  }
  table.rows_place = h5::make_room(group, "rows", H5T_STD_I64LE, {1});
  describe(group, {"rows", "1", "how many rows count, from the first on; the others are only room"});
  h5::write_attribute(group, "axis", names_of(of.axes));
  group.close("close group " + of.name);
}

void make_file(const std::string& path, const GrowingHead& head, std::vector<GrowingTable>& tables) {
  const auto alone = h5::prepare_alone();
  h5::Handle file = h5::create_file(path, file_format);
  for (GrowingTable& table : tables) make_table(file, table);
  for (const auto& [name, value] : head.numbers) h5::write_attribute(file, name, value);
  h5::write_attribute(file, "units", "the user's own: mass, length and time as in the config");
  h5::write_attribute(file, "config", head.config);
  h5::write_attribute(file, "tayra_version", tayra::version);
  h5::write_attribute(file, "tayra_commit", tayra::commit);
  h5::flush_and_close(file);
}

std::uint64_t place_of(hid_t parent, const std::string& name) {
  const haddr_t place = H5Dget_offset(h5::open_dataset(parent, name));
  require(place != HADDR_UNDEF, ExitCode::failed, name + " is not stored in one piece");
  return place;
}

std::vector<double> read_places(hid_t group, const std::string& name) {
  const h5::Handle data = h5::open_dataset(group, name);
  const auto sizes = h5::extent_of(data);
  require(sizes.size() == 1, ExitCode::failed, name + " is no axis");
  std::vector<double> places(sizes[0]);
  h5::check(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, places.data()), "read " + name);
  return places;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// As it lies there, if it is one of a group with these axes.
GrowingColumn read_column(hid_t group, const std::string& name, const GrowingTable& table) {
  const h5::Handle data = h5::open_dataset(group, name);
  const h5::Handle type(H5Dget_type(data), H5Tclose, "get the type of " + name);
  const auto sizes = h5::extent_of(data);
  GrowingColumn column{read_facts(group, name), 1, static_cast<int>(H5Tget_size(type))};
  if (sizes.size() == table.group.axes.size() + 2) column.components = static_cast<int>(sizes.back());
  std::vector<hsize_t> expected{static_cast<hsize_t>(table.room)};
  for (const std::uint64_t size : table.group.sizes(column)) expected.push_back(size);
  require(sizes == expected, ExitCode::failed, name + " has another size than its axes");
  require(H5Tequal(type, type_of(column)) > 0, ExitCode::failed, name + " holds other numbers");
  return column;
}

GrowingTable read_table(hid_t file, const std::string& name) {
  const h5::Handle group = name == whole_file ? root_of(file) : h5::open_group(file, name);
  GrowingTable table;
  table.group.name = name;
  std::set<std::string> others{"step", "time", "rows"};
  for (const std::string& axis : words_of(read_text(group, "axis"))) {
    table.group.axes.push_back({read_facts(group, axis), read_places(group, axis)});
    others.insert(axis);
  }
  table.room = static_cast<std::int64_t>(h5::extent_of(h5::open_dataset(group, "step")).at(0));
  table.rows_place = place_of(group, "rows");
  for (const char* each : {"step", "time"})
    table.places.push_back({each, place_of(group, each), number_bytes});
  for (const std::string& one : h5::names_in(group)) {
    if (others.contains(one)) continue;
    const GrowingColumn column = read_column(group, one, table);
    table.group.columns.push_back(column);
    table.places.push_back({one, place_of(group, one), table.group.bytes(column)});
  }
  return table;
}

std::vector<GrowingTable> read_file(const std::string& path) {
  const auto alone = h5::prepare_alone();
  const h5::Handle file = h5::open_file(path);
  const auto names = h5::names_in(file);
  if (std::find(names.begin(), names.end(), "rows") != names.end()) return {read_table(file, whole_file)};
  std::vector<GrowingTable> tables;
  for (const std::string& name : names) tables.push_back(read_table(file, name));
  return tables;
}

template <class Number>
std::vector<Number> read_numbers(const Descriptor& file, std::uint64_t place, std::int64_t count) {
  std::vector<Number> numbers(count);
  require_done(file.read_at(place, std::as_writable_bytes(std::span(numbers))), "read rows");
  return numbers;
}

void write_bytes(const Descriptor& file, std::uint64_t place, std::span<const std::byte> bytes) {
  require_done(file.write_at(place, bytes), "write rows");
}

/// Rows up to step `last`, of those that count. A machine that lost its power may have left none where the
/// number says that they are.
void count_rows(const Descriptor& file, GrowingTable& table, std::int64_t last) {
  const std::int64_t rows = read_numbers<std::int64_t>(file, table.rows_place, 1)[0];
  require(rows >= 0 && rows <= table.room, ExitCode::failed, "it counts more rows than it has room for");
  const auto steps = read_numbers<std::int64_t>(file, table.places[0].begin, rows);
  for (std::int64_t before = -1; table.rows < rows && steps[table.rows] > before && steps[table.rows] <= last;
       ++table.rows)
    before = steps[table.rows];
}

/// What stands where nothing was measured.
std::vector<std::byte> no_numbers(const GrowingColumn& column, std::size_t bytes) {
  std::vector<std::byte> none(bytes);
  const auto fill = [&](auto nothing) {
    for (std::size_t at = 0; at < bytes; at += sizeof nothing)
      std::memcpy(&none[at], &nothing, sizeof nothing);
  };
  column.number_bytes == sizeof(float) ? fill(std::numeric_limits<float>::quiet_NaN()) : fill(no_number);
  return none;
}

/// The rows of one table as those of another, which has other columns besides and at least as much room.
void copy_rows(const Descriptor& from, GrowingTable& table, const Descriptor& to, GrowingTable& next) {
  constexpr std::uint64_t block_bytes = 8u << 20;
  next.rows = table.rows;
  for (const Place& column : table.places) {
    const auto place = find(next.places, column.name);
    const std::uint64_t bytes = column.row_bytes * table.rows;
    for (std::uint64_t done = 0; done < bytes; done += block_bytes) {
      const auto block = read_numbers<std::byte>(
          from, column.begin + done, static_cast<std::int64_t>(std::min(block_bytes, bytes - done)));
      write_bytes(to, place->begin + done, block);
    }
  }
  for (const GrowingColumn& column : next.group.columns) {
    const auto place = find(next.places, column.facts.name);
    if (find(table.places, place->name) != table.places.end()) continue;
    const auto none = no_numbers(column, place->row_bytes);
    for (std::int64_t row = 0; row < table.rows; ++row)
      write_bytes(to, place->begin + row * place->row_bytes, none);
  }
}

/// Who does not ask for the number of rows shall see at least that there is no time where there is none.
void mark_room(const Descriptor& file, const GrowingTable& table) {
  const std::size_t unused = table.room - table.rows;
  const std::vector<std::int64_t> no_step(unused, -1);
  const std::vector<double> no_time(unused, no_number);
  write_bytes(file, table.places[0].begin + number_bytes * table.rows, std::as_bytes(std::span(no_step)));
  write_bytes(file, table.places[1].begin + number_bytes * table.rows, std::as_bytes(std::span(no_time)));
  write_bytes(file, table.rows_place, std::as_bytes(std::span(&table.rows, 1)));
}

/// With the columns of both, the wanted ones first.
GrowingGroup joined(const GrowingGroup& earlier, GrowingGroup wanted) {
  const std::string what = wanted.name == whole_file ? "rows" : wanted.name;
  const auto is_same = [](const GrowingAxis& one, const GrowingAxis& other) {
    return one.facts.name == other.facts.name && one.places == other.places;
  };
  require(names_of(earlier.axes) == names_of(wanted.axes), ExitCode::failed,
          fmt::format("its {} are along {}, the config's along {}", what, names_of(earlier.axes),
                      names_of(wanted.axes)));
  for (std::size_t i = 0; i < wanted.axes.size(); ++i)
    require(is_same(earlier.axes[i], wanted.axes[i]), ExitCode::failed,
            fmt::format("its {} are of another {} than the config's", what, wanted.axes[i].facts.name));
  for (const GrowingColumn& one : earlier.columns) {
    const auto same = find(wanted.columns, one.facts.name);
    if (same == wanted.columns.end()) {
      wanted.columns.push_back(one);
      continue;
    }
    require(one.number_bytes == same->number_bytes && one.components == same->components, ExitCode::failed,
            fmt::format("its {} holds numbers of {} bytes, the config's {}", one.facts.name, one.number_bytes,
                        same->number_bytes));
  }
  return wanted;
}

/// Of a file that goes on from such tables: first what is wanted, in that order.
std::vector<GrowingTable> tables_after(std::vector<GrowingTable>& earlier,
                                       const std::vector<GrowingGroup>& wanted) {
  std::vector<GrowingTable> tables;
  for (const GrowingGroup& group : wanted) {
    const auto before = find(earlier, group.name);
    tables.emplace_back().group = before == earlier.end() ? group : joined(before->group, group);
  }
  for (const GrowingTable& table : earlier)
    if (find(tables, table.group.name) == tables.end()) tables.emplace_back().group = table.group;
  return tables;
}

}  // namespace

std::vector<std::uint64_t> GrowingGroup::sizes(const GrowingColumn& column) const {
  std::vector<std::uint64_t> all;
  for (const GrowingAxis& axis : axes) all.push_back(axis.places.size());
  if (column.components > 1) all.push_back(static_cast<std::uint64_t>(column.components));
  return all;
}

std::size_t GrowingGroup::bytes(const GrowingColumn& column) const {
  std::size_t bytes = static_cast<std::size_t>(column.number_bytes);
  for (const std::uint64_t size : sizes(column)) bytes *= size;
  return bytes;
}

std::size_t GrowingGroup::row_bytes() const {
  std::size_t all = 0;
  for (const GrowingColumn& column : columns) all += bytes(column);
  return all;
}

GrowingFile::GrowingFile(std::string path, GrowingHead head, std::vector<GrowingGroup> groups,
                         const LastRow& last)
    : path_(std::move(path)), head_(std::move(head)), wanted_(std::move(groups)) {
  if (last && std::filesystem::exists(path_)) try {
      take_over(*last);
    } catch (const Error& error) {
      throw Error(ExitCode::bad_input, fmt::format("{} cannot be continued ({}): move it away, then it is "
                                                   "begun anew without what it holds",
                                                   path_, error.what()));
    }
  std::int64_t reached = -1;
  for (const GrowingTable& table : tables_)
    if (table.rows > 0)
      reached = std::max(reached, read_numbers<std::int64_t>(
                                      file_, table.places[0].begin + number_bytes * (table.rows - 1), 1)[0]);
  if (last && reached < *last) missing_.push_back({reached, *last});
  auto tables = tables_after(tables_, wanted_);
  for (GrowingTable& table : tables) table.room = least_room;
  replace(std::move(tables));
}

void GrowingFile::take_over(std::int64_t last) {
  const std::string other = other_than_file(path_);
  require(other.empty(), ExitCode::failed, "it is " + other);
  auto tables = read_file(path_);
  file_ = open_held(path_, O_RDONLY | O_NOFOLLOW);
  require_done(file_.id() >= 0, "open the file");
  for (GrowingTable& table : tables) count_rows(file_, table, last);
  static_cast<void>(tables_after(tables, wanted_));  // or they don't go together
  tables_ = std::move(tables);
}

/// By a file with such tables, and the rows that there are.
void GrowingFile::replace(std::vector<GrowingTable> tables) {
  try {
    for (GrowingTable& next : tables)
      for (const GrowingTable& table : tables_)
        if (table.group.name == next.group.name) next.room = std::max(next.room, table.rows);
    FileBeside beside(path_);
    make_file(beside.name(), head_, tables);
    Descriptor file = open_held(beside.name(), O_RDWR | O_NOFOLLOW);
    require_done(file.id() >= 0, "open the file");
    for (GrowingTable& next : tables) {
      for (GrowingTable& table : tables_)
        if (table.group.name == next.group.name) copy_rows(file_, table, file, next);
      mark_room(file, next);
    }
    beside.publish();
    file_ = std::move(file);
    tables_ = std::move(tables);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("cannot write {} ({})", path_, error.what()));
  }
}

void GrowingFile::append(std::size_t group, std::int64_t step, double time, std::vector<std::byte> numbers) {
  waiting_bytes_ += numbers.size();
  waiting_.push_back({group, step, time, std::move(numbers)});
  while (waiting_.size() > 1 && waiting_bytes_ > most_waiting_bytes) {
    waiting_bytes_ -= waiting_.front().numbers.size();
    waiting_.erase(waiting_.begin());
    has_lost_ = true;
  }
  write_waiting();
}

void GrowingFile::write_waiting() {
  while (!waiting_.empty()) {
    write(waiting_.front());
    waiting_bytes_ -= waiting_.front().numbers.size();
    waiting_.erase(waiting_.begin());
  }
}

std::vector<double> GrowingFile::times(std::size_t group) const {
  const GrowingTable& table = tables_[group];
  return read_numbers<double>(file_, table.places[1].begin, table.rows);
}

void GrowingFile::write(const Row& row) {
  struct stat status {};
  if (::fstat(file_.id(), &status) == 0 && status.st_nlink == 0) fail("it was removed");
  if (tables_[row.group].rows == tables_[row.group].room) {
    auto tables = tables_;
    tables[row.group].room = std::max(least_room, 2 * tables[row.group].room);
    replace(std::move(tables));
  }
  GrowingTable& table = tables_[row.group];
  const auto here = [&](const Place& place) { return place.begin + place.row_bytes * table.rows; };
  write_at(here(table.places[0]), &row.step, number_bytes);
  write_at(here(table.places[1]), &row.time, number_bytes);
  const GrowingGroup& given = wanted_[row.group];
  const std::byte* next = row.numbers.data();
  for (const GrowingColumn& column : given.columns) {  // those of the table begin with them
    write_at(here(*find(table.places, column.facts.name)), next, given.bytes(column));
    next += given.bytes(column);
  }
  for (std::size_t i = given.columns.size(); i < table.group.columns.size(); ++i) {
    const Place& place = table.places[2 + i];
    const auto none = no_numbers(table.group.columns[i], place.row_bytes);
    write_at(here(place), none.data(), none.size());
  }
  const std::int64_t rows = table.rows + 1;
  write_at(table.rows_place, &rows, number_bytes);
  table.rows = rows;
}

void GrowingFile::write_at(std::uint64_t place, const void* numbers, std::size_t bytes) {
  if (!file_.write_at(place, {static_cast<const std::byte*>(numbers), bytes})) fail(std::strerror(errno));
}

void GrowingFile::sync() {
  if (!file_.sync()) fail(std::strerror(errno));
}

void GrowingFile::trim() {
  auto tables = tables_;
  bool is_large = false;
  for (GrowingTable& table : tables) {
    const std::int64_t enough = std::max<std::int64_t>(table.rows, 1);  // HDF5 gives no place to none
    is_large = is_large || table.room > enough;
    table.room = enough;
  }
  if (is_large) replace(std::move(tables));
}

void GrowingFile::fail(const std::string& reason) const {
  throw Error(ExitCode::failed, "cannot write " + path_ + " (" + reason + ")");
}

}  // namespace tayra
