// Candidates out of the options that commands declare and the table of keys. The scripts for shells only ask
// for them.
#include "app/completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "app/commands.hpp"
#include "io/config_keys.hpp"
#include "physics/schemes.hpp"
#include "solver/placement.hpp"
#include "solver/problem.hpp"

namespace tayra {
namespace {

using Words = std::vector<std::string>;

struct Candidate {
  std::string text, meaning;
};
using Candidates = std::vector<Candidate>;

const Candidate files{":files", ""};

/// What shells show beside a word.
std::string first_sentence(const std::string& text) { return text.substr(0, text.find(". ")); }

/// Of a problem, scheme or halo backend.
std::string summary_of(const std::string& name) {
  for (const ProblemEntry& problem : problem_registry())
    if (problem.name == name) return problem.summary;
  for (const auto& [scheme, traits] : all_schemes())
    if (scheme == name) return traits.summary;
  for (const HaloBackend& backend : halo_registry())
    if (backend.name == name) return backend.summary;
  return "";
}

Candidates names_behind(const std::string& beginning, const Words& names) {
  Candidates all;
  for (const std::string& name : names) all.push_back({beginning + name, summary_of(name)});
  return all;
}

/// All keys by their full names, those of every problem among them; of parts only those of `part`.
std::map<std::string, Key> all_keys(Config& config, const std::string& part) {
  std::map<std::string, Key> keys;
  const auto add = [&keys](const std::string& path, const Key& key) { keys.emplace(path, key); };
  if (!part.empty()) config.parts[part];
  for_each_key(config_keys(config), add);
  for (const ProblemEntry& entry : problem_registry()) {
    Config of_problem;
    of_problem.problem_keys = entry.keys();
    for_each_key(*config_keys(of_problem).find("problem"), add, "problem");
  }
  return keys;
}

Words choices_of(const Key& key) {
  if (key.kind == Kind::boolean) return {"false", "true"};
  return key.choices;
}

/// Of KEY.PATH=VALUE; in a list of the last element.
Candidates values_of_key(const Key& key, const std::string& word) {
  std::string beginning = word.substr(0, word.find('=') + 1);
  if (key.is_list) {
    const auto last = word.find_last_of("[,");
    beginning = last == std::string::npos ? beginning + "[" : word.substr(0, last + 1);
  }
  return names_behind(beginning, choices_of(key));
}

Candidates settings(const std::string& word) {
  const std::string parts = std::string(parts_section) + ".";
  std::string part;
  if (word.starts_with(parts)) {
    const auto dot = word.find('.', parts.size());
    if (dot != std::string::npos) part = word.substr(parts.size(), dot - parts.size());
  }
  Config config;
  const auto keys = all_keys(config, part);
  const auto found = keys.find(word.substr(0, word.find('=')));
  if (word.find('=') != std::string::npos)
    return found == keys.end() ? Candidates() : values_of_key(found->second, word);
  Candidates all;
  for (const auto& [path, key] : keys) all.push_back({path + "=", first_sentence(key.meaning)});
  if (part.empty()) all.push_back({parts, "a part of the box, by its name"});
  return all;
}

/// The key whose values an option takes.
std::string key_of_option(const std::string& name) {
  static const std::map<std::string, std::string> keys{{"--device", "run.device"},
                                                       {"--halo", "run.halo"},
                                                       {"--precision", "numerics.precision"},
                                                       {"--scheme", "numerics.scheme"}};
  const auto found = keys.find(name);
  return found == keys.end() ? "" : found->second;
}

Candidates values_of_option(const CLI::Option& option, const std::string& word) {
  const std::string name = option.get_name();
  if (name == "--set") return settings(word);
  if (name == "SHELL") return names_behind("", shell_names());
  const std::string key = key_of_option(name);
  if (key.empty()) {
    const std::string type = option.get_type_name();
    const bool is_file = option.get_positional() || type == "DIR" || type.find("FILE") != std::string::npos;
    return is_file ? Candidates{files} : Candidates();
  }
  Config config;
  Words choices = all_keys(config, "").at(key).choices;
  const char between = option.get_delimiter();  // of a list
  if (between == '\0') return names_behind("", choices);
  if (name != "--precision") choices.emplace_back("all");
  const auto last = word.find_last_of(between);
  return names_behind(last == std::string::npos ? "" : word.substr(0, last + 1), choices);
}

Candidates names_of_options(const CLI::App& command) {
  Candidates all;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames())
      all.push_back({"--" + name, first_sentence(option->get_description())});
  return all;
}

std::vector<const CLI::App*> inner_commands(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App*) { return true; });
}

const CLI::App* inner_command(const CLI::App& command, const std::string& name) {
  const auto all = inner_commands(command);
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto* one) { return one->get_name() == name; });
  return found == all.end() ? nullptr : *found;
}

Candidates names_of_commands(const CLI::App& command, const Words& names) {
  Candidates all;
  for (const std::string& name : names) {
    const CLI::App* known = inner_command(command, name);
    all.push_back({name, known ? first_sentence(known->get_description()) : ""});
  }
  return all;
}

/// A command line up to its last word.
class Line {
 public:
  Line(const CLI::App& app, const Words& words) : command_(&app) {
    for (auto word = words.begin(); word + 1 != words.end(); ++word) take(*word);
  }

  Candidates candidates(const std::string& word, const Words& commands) const {
    const bool is_option = word.starts_with('-') && !only_files_;
    const auto equals = word.find('=');
    if (is_option && equals != std::string::npos) {
      const CLI::Option* option = command_->get_option_no_throw(word.substr(0, equals));
      if (!takes_value(option)) return {};
      Candidates values = values_of_option(*option, word.substr(equals + 1));
      for (Candidate& value : values)
        if (value.text != files.text) value.text.insert(0, word.substr(0, equals + 1));
      return values;
    }
    if (awaiting_ && !is_option) return values_of_option(*awaiting_, word);
    if (is_option) return names_of_options(*command_);
    if (is_others_) return {files};
    if (command_->get_parent() == nullptr) return names_of_commands(*command_, commands);
    if (const Words names = command_names(*command_); !names.empty())
      return names_of_commands(*command_, names);
    for (const CLI::Option* option : command_->get_options())
      if (option->get_positional()) return values_of_option(*option, word);
    return {};
  }

 private:
  static bool takes_value(const CLI::Option* option) {
    return option != nullptr && option->get_items_expected_max() > 0;
  }

  void take(const std::string& word) {
    const bool is_value = awaiting_ != nullptr && !word.starts_with('-');
    awaiting_ = nullptr;
    if (is_value || only_files_) return;
    if (word == "--")
      only_files_ = true;
    else if (word.starts_with('-') && takes_value(command_->get_option_no_throw(word)))
      awaiting_ = command_->get_option_no_throw(word);
    else if (const CLI::App* inner = inner_command(*command_, word))
      command_ = inner;
    else
      is_others_ = command_->get_parent() == nullptr;
  }

  const CLI::App* command_;
  const CLI::Option* awaiting_ = nullptr;  // its value
  bool only_files_ = false;                // behind --
  bool is_others_ = false;                 // a program's that says nothing of itself
};

/// `tayra supervise -- mpirun -n 4 tayra run`: the last one counts.
Words of_supervised(const Words& words) {
  if (words.front() != "supervise") return words;
  for (std::size_t i = words.size() - 1; i > 0; --i)
    if (std::filesystem::path(words[i - 1]).filename() == "tayra")
      return {words.begin() + static_cast<std::ptrdiff_t>(i), words.end()};
  return words;
}

}  // namespace

std::vector<std::string> command_names(const CLI::App& command) {
  Words names;
  for (const CLI::App* inner : inner_commands(command)) names.push_back(inner->get_name());
  return names;
}

std::string completions(const CLI::App& app, Words words, const Words& commands) {
  if (words.empty()) words.emplace_back();
  words = of_supervised(words);
  std::string lines;
  for (const auto& [text, meaning] : Line(app, words).candidates(words.back(), commands))
    if (text == files.text || text.starts_with(words.back()))
      lines += meaning.empty() ? text + "\n" : fmt::format("{}\t{}\n", text, meaning);
  return lines;
}

}  // namespace tayra
