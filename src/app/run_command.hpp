// A command line that ends in `tayra run …`, with or without a launcher before it, as `supervise` changes it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/options.hpp"

namespace tayra {

/// Where an option's number stands: in which word, and how far into it.
struct NumberPlace {
  std::size_t word, begin;
};

class RunCommand {
 public:
  /// Throws Error(bad_input) when there is no `tayra run` in it, or its options are none of run's.
  explicit RunCommand(std::vector<std::string> words);

  const std::vector<std::string>& words() const { return words_; }
  const RunOptions& options() const { return options_; }
  /// Ranks that the launcher is told to start, or without one the GPUs asked for.
  std::optional<int> size() const;

  /// The same on so many; as it is where it has no size.
  RunCommand with_size(int size) const;
  /// The same on so many GPUs, however many ranks there are.
  RunCommand with_gpus(int gpus) const;
  /// The same with a cut along y that fits, whichever was asked for.
  RunCommand with_any_cut() const;
  /// The same, going on from the newest checkpoint.
  RunCommand going_on() const;

 private:
  RunCommand with_number(const NumberPlace& place, int number) const;
  /// Behind the options that it has.
  RunCommand with_options(const std::vector<std::string>& options) const;

  std::vector<std::string> words_;
  std::size_t first_option_;  // of run's
  RunOptions options_;
  std::optional<NumberPlace> gpus_, size_;
};

}  // namespace tayra
