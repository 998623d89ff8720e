// A key of a config, declared once: the member that holds its value, what the value may be, and what it
// means.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace tayra {

/// What a file holds of a key: one value, those of a list, or none where the key is unset.
using Scalar = std::variant<bool, std::int64_t, double, std::string>;
using Value = std::vector<Scalar>;

enum class Kind { boolean, integer, number, text };  // in the order of Scalar

/// Limits of a number, or of each element of a list, and what holds where the key is not given.
struct Rules {
  std::optional<double> above = {};     // exclusive
  std::optional<double> at_least = {};  // inclusive
  std::optional<double> below = {};     // exclusive
  std::optional<double> at_most = {};   // inclusive
  bool is_required = false;
  std::function<void()> derived = {};   // finds the default from others' values; the meaning says how
  std::function<void()> adapted = {};   // may change the default
  bool may_be_empty = false;            // of a list
  std::function<void()> formerly = {};  // as `derived` did in versions that did not write the value down
};

/// What a member may be, by name.
template <class T>
using Choices = std::vector<std::pair<std::string, T>>;

/// A key, or a section of keys. What a member holds when its key is declared is the key's default.
struct Key {
  std::string name;
  std::string meaning = {};
  Kind kind = Kind::text;  // of the value, or of each element of a list
  bool is_list = false;
  std::optional<std::size_t> length = {};  // of a list
  Rules rules = {};
  std::vector<std::string> choices = {};
  /// Of a number that may vary in time: also an expression in t, as a text, or a table, as its times and
  /// values in turn.
  bool may_vary = false;
  std::function<std::string(const Value&)> flaw = {};  // of a value that varies; empty: none
  std::string word = {};                               // in a file, for a value that is found by itself
  std::function<void(const Value&)> set = {};          // of a value that is what the key expects
  std::function<Value()> get = {};
  std::vector<Key> keys = {};  // of a section

  bool is_section() const { return !get; }
  /// The one of this name in a section; null where there is none.
  const Key* find(const std::string& name) const;
};

/// "numerics.cfl".
std::string joined(const std::string& section, const std::string& name);

/// Calls act(path, key) for the key, or for all that a section holds.
template <class Act>
void for_each_key(const Key& key, const Act& act, const std::string& path = {}) {
  if (!key.is_section()) act(path, key);
  for (const Key& inner : key.keys) for_each_key(inner, act, joined(path, inner.name));
}

/// Whether what the member holds at first is the default, whatever other keys are.
inline bool has_default(const Key& key) {
  return !key.rules.is_required && !key.rules.derived && !key.get().empty();
}

/// "a number above 0 and at most 1".
std::string expectation(const Key& key);

/// What a file may hold of a member of type T.
template <class T>
struct Member {
  using Held = std::conditional_t<std::integral<T> && !std::same_as<T, bool>, std::int64_t, T>;
  static constexpr bool is_list = false;
  static constexpr std::optional<std::size_t> length = {};

  static Value get(const T& member) {
    if constexpr (std::same_as<T, std::string>)
      if (member.empty()) return {};  // no key takes an empty text
    return {Held(member)};
  }
  static void set(T& member, const Value& value) { member = static_cast<T>(std::get<Held>(value.front())); }
};
template <class T>
struct Member<std::optional<T>> : Member<T> {
  static Value get(const std::optional<T>& member) { return member ? Member<T>::get(*member) : Value(); }
  static void set(std::optional<T>& member, const Value& value) {
    member.reset();
    if (!value.empty()) Member<T>::set(member.emplace(), value);
  }
};
template <class List>
struct MemberList : Member<typename List::value_type> {
  using Each = Member<typename List::value_type>;
  static constexpr bool is_list = true;

  static Value get(const List& member) {
    Value value;
    for (const auto& element : member) value.push_back(Each::get(element).front());
    return value;
  }
  static void set(List& member, const Value& value) {
    if constexpr (requires { member.resize(1); }) member.resize(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) Each::set(member[i], {value[i]});
  }
};
template <class T>
struct Member<std::vector<T>> : MemberList<std::vector<T>> {};
template <class T, std::size_t count>
struct Member<std::array<T, count>> : MemberList<std::array<T, count>> {
  static constexpr std::optional<std::size_t> length = count;
};

template <class T>
Key key(std::string name, T& member, std::string meaning, const Rules& rules = {}) {
  return {.name = std::move(name),
          .meaning = std::move(meaning),
          .kind = static_cast<Kind>(Scalar(typename Member<T>::Held()).index()),
          .is_list = Member<T>::is_list,
          .length = Member<T>::length,
          .rules = rules,
          .set = [&member](const Value& value) { Member<T>::set(member, value); },
          .get = [&member] { return Member<T>::get(member); }};
}

/// A value, or a word for none.
template <class T>
Key key_or(std::string word, std::string name, std::optional<T>& member, std::string meaning,
           const Rules& rules = {}) {
  Key made = key(std::move(name), member, std::move(meaning), rules);
  made.word = std::move(word);
  return made;
}

/// A text, or a list of texts, out of a few.
template <class T>
requires std::same_as<typename Member<T>::Held, std::string> Key choice(std::string name, T& member,
                                                                        std::string meaning,
                                                                        std::vector<std::string> choices,
                                                                        const Rules& rules = {}) {
  Key made = key(std::move(name), member, std::move(meaning), rules);
  made.choices = std::move(choices);
  return made;
}

/// What has names.
template <class T>
Key choice(std::string name, T& member, std::string meaning, const Choices<std::type_identity_t<T>>& choices,
           const Rules& rules = {}) {
  Key made{.name = std::move(name), .meaning = std::move(meaning), .rules = rules};
  for (const auto& choice : choices) made.choices.push_back(choice.first);
  made.set = [&member, choices](const Value& value) {
    for (const auto& [known, meant] : choices)
      if (known == std::get<std::string>(value.front())) member = meant;
  };
  made.get = [&member, choices] {
    Value value;
    for (const auto& [known, meant] : choices)
      if (meant == member) value = {known};
    return value;
  };
  return made;
}

inline Key section(std::string name, std::vector<Key> keys) {
  return {.name = std::move(name), .keys = std::move(keys)};
}

}  // namespace tayra
