// Configs spoilt at random: each is taken or refused with exit code 2, soon and in little memory.
// TAYRA_FUZZ=20000 tayra_tests --gtest_filter='ConfigFuzz.*' tries more than the usual 500.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <map>
#include <random>

#include "app/tayra_process.hpp"
#include "io/config.hpp"
#include "io/config_keys.hpp"

namespace tayra {
namespace {

using Texts = std::vector<std::string>;

constexpr std::size_t longest = 300 << 10;  // more than a config may have
constexpr double most_seconds = 2;
#ifdef __SANITIZE_ADDRESS__
constexpr double most_mebibytes = 4096;  // it keeps what was freed
#else
constexpr double most_mebibytes = 300;
#endif

const Texts& tokens() {
  static const Texts all{
      ",",        "[",       "]",         "{",      "}",          "- ",    ": ",        "? ",
      "&a ",      "*a",      "&a [*a]",   "!",      "!!str ",     "| ",    "> ",        "'",
      "\"",       "#",       "---\n",     "...\n",  "%TAG ! b\n", "null",  "~",         "1e999",
      "nan",      "-0",      ".inf",      "\t",     "\r",         "\n",    "\n  ",      "<<: *a",
      "\xff\xfe", "\x1b[2J", "\u202e",    "\u0085", "9999999999", "-1",    "0x10",      "1e-320",
      "true",     ".",       "a.b.c",     "..",     "/",          "$HOME", "[8, 8, 8]", "{a: 1}",
      "parts",    "output",  "numerics:", "modes",  "rt_multi",   "65536", "\\x41",     std::string(1, '\0')};
  return all;
}

const Texts& seeds() {
  static const Texts all = [] {
    Texts texts{
        "problem: {name: vortex}\ngrid: {cells: [8, 8, 8], lower: &c [0, 0, 0], upper: [1, 1, 1]}\n"
        "run: {time: &t 2}\noutput: {snapshots: {every_time: *t}, parts: {a: {upper: *c, stride: [2, 2, "
        "2]}}}\n"};
    for (const auto& entry : std::filesystem::directory_iterator(TAYRA_SOURCE_DIR "/configs"))
      if (entry.path().extension() == ".yaml") texts.push_back(text_of(entry.path().string()));
    std::sort(texts.begin(), texts.end());  // a folder has no order
    return texts;
  }();
  return all;
}

const Texts& key_names() {
  static const Texts all = [] {
    Config config = config_of_documents();
    Texts names;
    for_each_key(config_keys(config), [&](const std::string& path, const Key&) { names.push_back(path); });
    return names;
  }();
  return all;
}

/// One config and its overrides; the same for the same number.
class Spoilt {
 public:
  explicit Spoilt(unsigned number) : random_(number) {
    yaml = any_of(seeds());
    for (std::size_t times = 1 + below(4); times > 0; --times) spoil(yaml);
    for (std::size_t times = below(3) == 0 ? 1 + below(3) : 0; times > 0; --times)
      overrides.push_back(spoilt_override());
  }

  std::string yaml;
  std::vector<Override> overrides;

 private:
  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
  }
  const std::string& any_of(const Texts& texts) { return texts[below(texts.size())]; }
  std::size_t place_in(const std::string& text) { return below(text.size() + 1); }

  void spoil(std::string& text) {
    const std::size_t place = place_in(text), length = 1 + below(20);
    switch (below(9)) {
      case 0:
        if (place < text.size()) text[place] = static_cast<char>(below(256));
        return;
      case 1:
        text.erase(place, length);
        return;
      case 2:
        text.insert(place, text.substr(place_in(text), length));
        return;
      case 3:
        return repeat(text, place, length);
      case 4:
        return exchange_lines(text);
      case 5:
      case 6:
        return replace_word(text, place);
      default:
        text.insert(place, any_of(tokens()));
    }
  }

  void repeat(std::string& text, std::size_t place, std::size_t length) {
    const std::string part = below(2) == 0 ? any_of(tokens()) : text.substr(place, length);
    if (part.empty()) return;
    const std::size_t most = below(20) == 0 ? longest : 2000;
    std::string all;
    while (all.size() < most) all += part;
    text.insert(place, all);
  }

  void exchange_lines(std::string& text) {
    const std::size_t one = text.find('\n', place_in(text)), other = text.find('\n', place_in(text));
    if (one >= other || other == std::string::npos) return;
    text = text.substr(0, one) + text.substr(other) + text.substr(one, other - one);
  }

  void replace_word(std::string& text, std::size_t place) {
    const char* ends = " ,:[]{}\n";
    const std::size_t begin = text.find_first_not_of(ends, place);
    if (begin == std::string::npos) return;
    text.replace(begin, std::min(text.find_first_of(ends, begin), text.size()) - begin, any_of(tokens()));
  }

  Override spoilt_override() {
    std::string key = any_of(key_names()), value = any_of(tokens());
    if (below(3) == 0) key = key.substr(0, key.find('.'));
    if (below(5) == 0) spoil(key);
    for (std::size_t times = below(3); times > 0; --times) spoil(value);
    return {key, value, "--set", below(2) == 0};
  }

  std::mt19937 random_;
};

double seconds_of_processor() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double peak_mebibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

unsigned wanted_cases() {
  const char* wanted = std::getenv("TAYRA_FUZZ");
  return wanted ? static_cast<unsigned>(std::atoi(wanted)) : 500;
}

/// What comes of it: "taken", "refused", or what should not have happened.
std::string outcome_of(const std::string& file, const std::vector<Override>& overrides) {
  try {
    const Config config = load_config(file, overrides, Devices::anywhere);
    make_problem(config);
    write_file(file, config.resolved_yaml);
    const Config again = load_config(file, {}, Devices::anywhere);
    return again.resolved_yaml == config.resolved_yaml
               ? "taken"
               : "another one when read again: " + config.resolved_yaml;
  } catch (const Error& error) {
    return error.code() == ExitCode::bad_input ? "refused" : error.what();
  } catch (const std::exception& error) {
    return std::string("no error for a person: ") + error.what();
  }
}

TEST(ConfigFuzz, AnyConfigIsTakenOrRefusedSoonAndInLittleMemory) {
  const TemporaryDirectory folder;
  const std::string file = folder.path("a.yaml");
  std::map<std::string, int> outcomes;
  double slowest = 0;
  const double most = peak_mebibytes() + most_mebibytes;  // other tests may have run before
  for (unsigned number = 0; number < wanted_cases(); ++number) {
    const Spoilt spoilt(number);
    write_file(file, spoilt.yaml);
    const double before = seconds_of_processor();
    const std::string outcome = outcome_of(file, spoilt.overrides);
    const double seconds = seconds_of_processor() - before;
    slowest = std::max(slowest, seconds);
    ++outcomes[outcome];
    ASSERT_TRUE(outcome == "taken" || outcome == "refused") << "case " << number << ": " << outcome;
    ASSERT_LT(seconds, most_seconds) << "case " << number;
    ASSERT_LT(peak_mebibytes(), most) << "case " << number;
  }
  std::printf("%d taken, %d refused; at most %.2f s and %.0f MiB\n", outcomes["taken"], outcomes["refused"],
              slowest, peak_mebibytes());
  EXPECT_GT(outcomes["taken"], 0);
  EXPECT_GT(outcomes["refused"], 0);
}

TEST(ConfigFuzz, TheProgramEndsWithZeroOrTwo) {
  const TemporaryDirectory folder;
  for (unsigned number = 0; number < 10; ++number) {
    const Spoilt spoilt(number);
    write_file(folder.path("a.yaml"), spoilt.yaml);
    std::vector<std::string> words{"check", "a.yaml"};
    for (const auto& [key, value, place, null_takes_away] : spoilt.overrides) {
      if ((key + value).find('\0') != std::string::npos) continue;  // no program can be given it
      words.insert(words.end(), {"--set", key + "=" + value});
    }
    const ProcessEnd end = run_tayra(words, folder.path());
    EXPECT_TRUE(end.code == 0 || end.code == 2) << "case " << number << ": " << end.code << " " << end.errors;
  }
}

}  // namespace
}  // namespace tayra
