// The structure by HDF5, the rows by calls of the system.
#include "io/statistics_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <span>
#include <utility>

#include "core/error.hpp"
#include "io/hdf5.hpp"
#include "tayra_version.hpp"

namespace tayra {
namespace {

using Column = StatisticsTable::Column;

constexpr h5::Format file_format = h5::Format::widely_read;
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t number_bytes = 8;

const Quantity step_facts{"step", "1", "step of the run, counted from 1; 0 at its start"};
const Quantity time_facts{"time", "time", "time of the flow"};

template <class Named>
auto find(std::vector<Named>& all, const std::string& name) {
  return std::find_if(all.begin(), all.end(), [&](const Named& one) { return one.name == name; });
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

/// Makes the group of a table with all its room, and notes where what lies.
void make_table(hid_t file, StatisticsTable& table) {
  const auto& [name, axis, places, quantities] = table.group;
  const auto room = static_cast<hsize_t>(table.room);
  h5::Handle group = h5::create_group(file, name);
  table.columns.clear();
  const auto add = [&](const Quantity& of, hid_t type, const std::vector<hsize_t>& sizes) {
    const std::uint64_t row = number_bytes * (sizes.size() > 1 ? sizes[1] : 1);
    table.columns.push_back({of.name, h5::make_room(group, of.name, type, sizes), row});
    describe(group, of);
  };
  add(step_facts, H5T_STD_I64LE, {room});
  add(time_facts, H5T_IEEE_F64LE, {room});
  for (const Quantity& one : quantities) add(one, H5T_IEEE_F64LE, {room, places.size()});
  h5::write_dataset(group, axis.name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, places.size(), places.data());
  describe(group, axis);
  table.rows_place = h5::make_room(group, "rows", H5T_STD_I64LE, {1});
  describe(group, {"rows", "1", "how many rows count, from the first on; the others are only room"});
  h5::write_attribute(group, "axis", axis.name);
  group.close("close group " + name);
}

void make_file(const std::string& path, const StatisticsHead& head, std::vector<StatisticsTable>& tables) {
  const auto alone = h5::prepare_alone();
  h5::Handle file = h5::create_file(path, file_format);
  for (StatisticsTable& table : tables) make_table(file, table);
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

StatisticsTable read_table(hid_t file, const std::string& name) {
  const h5::Handle group = h5::open_group(file, name);
  StatisticsTable table;
  const std::string axis = read_text(group, "axis");
  table.group = {name, read_facts(group, axis), read_places(group, axis), {}};
  table.room = static_cast<std::int64_t>(h5::extent_of(h5::open_dataset(group, "step")).at(0));
  table.rows_place = place_of(group, "rows");
  for (const char* each : {"step", "time"})
    table.columns.push_back({each, place_of(group, each), number_bytes});
  for (const std::string& one : h5::names_in(group)) {
    const auto sizes = h5::extent_of(h5::open_dataset(group, one));
    if (sizes.size() != 2) continue;
    require(sizes == std::vector{hsize_t(table.room), hsize_t(table.group.places.size())}, ExitCode::failed,
            one + " has another size than its axes");
    table.group.quantities.push_back(read_facts(group, one));
    table.columns.push_back({one, place_of(group, one), number_bytes * sizes[1]});
  }
  return table;
}

std::vector<StatisticsTable> read_file(const std::string& path) {
  const auto alone = h5::prepare_alone();
  const h5::Handle file = h5::open_file(path);
  std::vector<StatisticsTable> tables;
  for (const std::string& name : h5::names_in(file)) tables.push_back(read_table(file, name));
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
void count_rows(const Descriptor& file, StatisticsTable& table, std::int64_t last) {
  const std::int64_t rows = read_numbers<std::int64_t>(file, table.rows_place, 1)[0];
  require(rows >= 0 && rows <= table.room, ExitCode::failed, "it counts more rows than it has room for");
  const auto steps = read_numbers<std::int64_t>(file, table.columns[0].begin, rows);
  for (std::int64_t before = -1; table.rows < rows && steps[table.rows] > before && steps[table.rows] <= last;
       ++table.rows)
    before = steps[table.rows];
}

/// The rows of one table as those of another, which has other columns besides and at least as much room.
void copy_rows(const Descriptor& from, StatisticsTable& table, const Descriptor& to, StatisticsTable& next) {
  constexpr std::uint64_t block_bytes = 8u << 20;
  next.rows = table.rows;
  for (const Column& column : table.columns) {
    const auto place = find(next.columns, column.name);
    const std::uint64_t bytes = column.row_bytes * table.rows;
    for (std::uint64_t done = 0; done < bytes; done += block_bytes) {
      const auto block = read_numbers<std::byte>(
          from, column.begin + done, static_cast<std::int64_t>(std::min(block_bytes, bytes - done)));
      write_bytes(to, place->begin + done, block);
    }
  }
  for (const Column& column : next.columns)
    if (find(table.columns, column.name) == table.columns.end()) {
      const std::vector<double> none(column.row_bytes / number_bytes * table.rows, no_number);
      write_bytes(to, column.begin, std::as_bytes(std::span(none)));
    }
}

/// Who does not ask for the number of rows shall see at least that there is no time where there is none.
void mark_room(const Descriptor& file, const StatisticsTable& table) {
  const std::size_t unused = table.room - table.rows;
  const std::vector<std::int64_t> no_step(unused, -1);
  const std::vector<double> no_time(unused, no_number);
  write_bytes(file, table.columns[0].begin + number_bytes * table.rows, std::as_bytes(std::span(no_step)));
  write_bytes(file, table.columns[1].begin + number_bytes * table.rows, std::as_bytes(std::span(no_time)));
  write_bytes(file, table.rows_place, std::as_bytes(std::span(&table.rows, 1)));
}

/// With the quantities of both, the wanted ones first.
StatisticsGroup joined(const StatisticsGroup& earlier, StatisticsGroup wanted) {
  require(earlier.axis.name == wanted.axis.name && earlier.places == wanted.places, ExitCode::failed,
          fmt::format("its {} are of another {} than the config's", wanted.name, wanted.axis.name));
  for (const Quantity& one : earlier.quantities)
    if (find(wanted.quantities, one.name) == wanted.quantities.end()) wanted.quantities.push_back(one);
  return wanted;
}

/// Of a file that goes on from such tables: first what is wanted, in that order.
std::vector<StatisticsTable> tables_after(std::vector<StatisticsTable>& earlier,
                                          const std::vector<StatisticsGroup>& wanted) {
  std::vector<StatisticsTable> tables;
  const auto named = [](std::vector<StatisticsTable>& all, const std::string& name) {
    return std::find_if(all.begin(), all.end(), [&](const auto& table) { return table.group.name == name; });
  };
  for (const StatisticsGroup& group : wanted) {
    const auto before = named(earlier, group.name);
    tables.emplace_back().group = before == earlier.end() ? group : joined(before->group, group);
  }
  for (const StatisticsTable& table : earlier)
    if (named(tables, table.group.name) == tables.end()) tables.emplace_back().group = table.group;
  return tables;
}

}  // namespace

StatisticsFile::StatisticsFile(std::string path, StatisticsHead head, std::vector<StatisticsGroup> groups,
                               const LastRow& last)
    : path_(std::move(path)), head_(std::move(head)), wanted_(std::move(groups)) {
  if (last && std::filesystem::exists(path_)) try {
      take_over(*last);
    } catch (const Error& error) {
      throw Error(ExitCode::bad_input,
                  fmt::format("{} cannot be continued ({}): move it away, the statistics "
                              "then go on without what it holds",
                              path_, error.what()));
    }
  std::int64_t reached = -1;
  for (const StatisticsTable& table : tables_)
    if (table.rows > 0)
      reached = std::max(reached, read_numbers<std::int64_t>(
                                      file_, table.columns[0].begin + number_bytes * (table.rows - 1), 1)[0]);
  if (last && reached < *last) missing_.push_back({reached, *last});
  auto tables = tables_after(tables_, wanted_);
  for (StatisticsTable& table : tables) table.room = least_room;
  replace(std::move(tables));
}

void StatisticsFile::take_over(std::int64_t last) {
  const std::string other = other_than_file(path_);
  require(other.empty(), ExitCode::failed, "it is " + other);
  auto tables = read_file(path_);
  file_ = open_held(path_, O_RDONLY | O_NOFOLLOW);
  require_done(file_.id() >= 0, "open the file");
  for (StatisticsTable& table : tables) count_rows(file_, table, last);
  static_cast<void>(tables_after(tables, wanted_));  // or they don't go together
  tables_ = std::move(tables);
}

/// By a file with such tables, and the rows that there are.
void StatisticsFile::replace(std::vector<StatisticsTable> tables) {
  try {
    for (StatisticsTable& next : tables)
      for (const StatisticsTable& table : tables_)
        if (table.group.name == next.group.name) next.room = std::max(next.room, table.rows);
    FileBeside beside(path_);
    make_file(beside.name(), head_, tables);
    Descriptor file = open_held(beside.name(), O_RDWR | O_NOFOLLOW);
    require_done(file.id() >= 0, "open the file");
    for (StatisticsTable& next : tables) {
      for (StatisticsTable& table : tables_)
        if (table.group.name == next.group.name) copy_rows(file_, table, file, next);
      mark_room(file, next);
    }
    require_done(file.sync(), "force it to the disk");
    beside.publish();
    file_ = std::move(file);
    tables_ = std::move(tables);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("cannot write {} ({})", path_, error.what()));
  }
}

void StatisticsFile::append(std::size_t group, std::int64_t step, double time, std::vector<double> numbers) {
  waiting_.push_back({group, step, time, std::move(numbers)});
  write_waiting();
}

void StatisticsFile::write_waiting() {
  while (!waiting_.empty()) {
    write(waiting_.front());
    waiting_.erase(waiting_.begin());
  }
}

void StatisticsFile::write(const Row& row) {
  struct stat status {};
  if (::fstat(file_.id(), &status) == 0 && status.st_nlink == 0) fail("it was removed");
  if (tables_[row.group].rows == tables_[row.group].room) {
    auto tables = tables_;
    tables[row.group].room = std::max(least_room, 2 * tables[row.group].room);
    replace(std::move(tables));
  }
  StatisticsTable& table = tables_[row.group];
  const auto place = [&](const Column& column) { return column.begin + column.row_bytes * table.rows; };
  write_at(place(table.columns[0]), &row.step, number_bytes);
  write_at(place(table.columns[1]), &row.time, number_bytes);
  const StatisticsGroup& given = wanted_[row.group];
  const std::size_t places = given.places.size();
  const std::vector<double> none(places, no_number);
  for (std::size_t i = 2; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    const auto quantity = std::find_if(given.quantities.begin(), given.quantities.end(),
                                       [&](const Quantity& one) { return one.name == column.name; });
    const double* from = quantity == given.quantities.end()
                             ? none.data()
                             : row.numbers.data() + places * (quantity - given.quantities.begin());
    write_at(place(column), from, column.row_bytes);
  }
  const std::int64_t rows = table.rows + 1;
  write_at(table.rows_place, &rows, number_bytes);
  table.rows = rows;
}

void StatisticsFile::write_at(std::uint64_t place, const void* numbers, std::size_t bytes) {
  if (!file_.write_at(place, {static_cast<const std::byte*>(numbers), bytes})) fail(std::strerror(errno));
}

void StatisticsFile::sync() {
  if (!file_.sync()) fail(std::strerror(errno));
}

void StatisticsFile::trim() {
  auto tables = tables_;
  bool is_large = false;
  for (StatisticsTable& table : tables) {
    const std::int64_t enough = std::max<std::int64_t>(table.rows, 1);  // HDF5 gives no place to none
    is_large = is_large || table.room > enough;
    table.room = enough;
  }
  if (is_large) replace(std::move(tables));
}

void StatisticsFile::fail(const std::string& reason) const {
  throw Error(ExitCode::failed, "cannot write " + path_ + " (" + reason + ")");
}

}  // namespace tayra
