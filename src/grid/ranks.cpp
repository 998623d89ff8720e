// What all kinds of ranks have in common, and the rank alone.
#include "grid/ranks.hpp"

#include <cstdlib>
#include <cstring>
#include <sstream>

#include "grid/watchdog.hpp"

namespace tayra {
namespace {

class RankAlone final : public Ranks {
 public:
  RankAlone() { start_watchdog(); }  // its GPUs may wait for each other
  void gather_to_all(const void* mine, std::size_t bytes, void* all) override {
    std::memcpy(all, mine, bytes);
  }
  void gather_to_first(const void* mine, std::size_t bytes, void* all) override {
    std::memcpy(all, mine, bytes);
  }
  void merge_on_all(void*, std::size_t, const Merge&) override {}
  void broadcast(void*, std::size_t, int) override {}
  void swap(const std::vector<Parcel>&, const std::vector<Parcel>&) override {}  // there is nobody else
  std::vector<std::size_t> gather_failures(std::size_t mine, double) override { return {mine}; }
  void abort(ExitCode code) override { std::_Exit(static_cast<int>(code)); }
};

int number_in_environment(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : std::atoi(text);
}

/// As Open MPI, MPICH and Slurm tell the processes that they start.
int launched_processes() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"})
    if (const int count = number_in_environment(name); count > 0) return count;
  return 1;
}

std::unique_ptr<Ranks> start_ranks() {
  const int launched = launched_processes();
  if (launched == 1) return std::make_unique<RankAlone>();
  require(
      built_with_mpi(), ExitCode::unavailable,
      std::to_string(launched) +
          " processes were started, but this tayra was built without MPI: install an MPI library and build "
          "again, or start one process");
  auto started = start_mpi_ranks();
  require(started->size() == launched, ExitCode::bad_input,
          "the launcher started " + std::to_string(launched) + " processes, but MPI sees " +
              std::to_string(started->size()) +
              " (launcher and MPI library don't fit together): use the mpirun of the library that tayra was "
              "built "
              "with, or srun --mpi=pmix");
  return started;
}

}  // namespace

Ranks::~Ranks() = default;

void Ranks::start_watchdog() { watchdog_ = std::make_unique<Watchdog>(rank_, works_); }

Ranks& ranks() {
  static const std::unique_ptr<Ranks> all = start_ranks();
  return *all;
}

std::string Ranks::from(int rank, std::string text) {
  std::size_t length = text.size();
  broadcast(&length, sizeof length, rank);
  text.resize(length);
  broadcast(text.data(), length, rank);
  return text;
}

std::vector<std::string> Ranks::from_first(std::vector<std::string> texts) {
  texts.resize(from_first(texts.size()));
  for (std::string& text : texts) text = from_first(std::move(text));
  return texts;
}

std::vector<std::string> Ranks::gather_texts(const std::string& mine) {
  std::size_t longest = 0;
  const auto lengths = gather_values(mine.size());
  for (const std::size_t length : lengths) longest = std::max(longest, length);
  std::string padded = mine;
  padded.resize(longest);
  std::string all(longest * lengths.size(), '\0');
  gather_to_all(padded.data(), longest, all.data());
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < lengths.size(); ++i) texts.push_back(all.substr(i * longest, lengths[i]));
  return texts;
}

std::vector<std::string> Ranks::gather_texts_to_first(std::string mine) {
  const auto lengths = gather_values(mine.size());
  const auto parcel = [](int rank, std::string& text) {
    return Parcel{rank, reinterpret_cast<std::byte*>(text.data()), text.size()};
  };
  if (!is_first()) {
    swap({parcel(0, mine)}, {});
    return {};
  }
  std::vector<std::string> texts{std::move(mine)};
  for (int rank = 1; rank < size_; ++rank) texts.emplace_back(lengths[rank], '\0');
  std::vector<Parcel> arriving;
  for (int rank = 1; rank < size_; ++rank) arriving.push_back(parcel(rank, texts[rank]));
  swap({}, arriving);
  return texts;
}

std::vector<std::string> Ranks::gather_lines(const std::vector<std::string>& mine) {
  std::string text;
  for (const std::string& line : mine) text += line + '\n';
  std::vector<std::string> lines;
  for (const std::string& part : gather_texts(text)) {
    std::istringstream of_rank(part);
    for (std::string line; std::getline(of_rank, line);) lines.push_back(line);
  }
  return lines;
}

}  // namespace tayra
