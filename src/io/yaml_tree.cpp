// The tree is built here from yaml-cpp's events: its own loader takes aliases without end, and documents,
// too.
#include "io/yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <map>
#include <sstream>
#include <utility>

#include "core/error.hpp"

namespace tayra {
namespace {

constexpr std::size_t deepest = 64;
constexpr std::size_t most_copied = std::size_t(1) << 20;  // bytes, by all anchors and aliases together

std::size_t size_of(const YamlNode& node) {
  std::size_t size = sizeof(YamlNode) + node.text.size();
  for (const auto& item : node.items) size += size_of(item);
  for (const auto& [key, value] : node.entries) size += size_of(key) + size_of(value);
  return size;
}

class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const std::string& text, const Placer& place) : text_(text), place_(place) {}

  std::optional<YamlNode> take() { return std::move(root_); }

  /// Refuses a second document. yaml-cpp 0.7 makes one of a comma outside of [ ] and { }, and never gets past
  /// it: as no value begins with a comma, each document is empty, and the next one begins at the same comma.
  void OnDocumentStart(const YAML::Mark& mark) override {
    if (!root_) return;
    const auto begin = static_cast<std::size_t>(mark.pos);
    const bool is_comma = begin < text_.size() && text_[begin] == ',';
    fail(mark.line + 1, is_comma ? "a comma stands outside of [ ] and { }: remove it"
                                 : "a second YAML document starts here");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add({.line = mark.line + 1}, anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    add({.kind = YamlNode::Kind::scalar, .line = mark.line + 1, .is_quoted = tag == "!", .text = text},
        anchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open({.kind = YamlNode::Kind::list, .line = mark.line + 1}, anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open({.kind = YamlNode::Kind::section, .line = mark.line + 1}, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto named = anchored_.find(anchor);
    if (named == anchored_.end()) fail(mark.line + 1, "an alias lies within what it names");
    add(copy_of(named->second, mark.line + 1), 0);
  }

 private:
  struct Open {
    YamlNode node;
    YAML::anchor_t anchor;
    std::optional<YamlNode> key;  // of a section: its value comes next
  };

  [[noreturn]] void fail(int line, const std::string& problem) const {
    throw Error(ExitCode::bad_input, place_(line) + ": " + problem);
  }

  YamlNode copy_of(const YamlNode& node, int line) {
    copied_ += size_of(node);
    if (copied_ > most_copied)
      fail(line, "anchors (&) and aliases (*) stand for too much: write out what they name");
    return node;
  }

  void open(YamlNode node, YAML::anchor_t anchor) {
    if (open_.size() == deepest) fail(node.line, fmt::format("is nested more than {} deep", deepest));
    open_.push_back({std::move(node), anchor, std::nullopt});
  }

  void close() {
    Open closed = std::move(open_.back());
    open_.pop_back();
    add(std::move(closed.node), closed.anchor);
  }

  /// To what is open. Anchors are counted from one.
  void add(YamlNode node, YAML::anchor_t anchor) {
    if (anchor != 0) anchored_.insert_or_assign(anchor, copy_of(node, node.line));
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.is_list())
      parent.node.items.push_back(std::move(node));
    else if (!parent.key)
      parent.key = std::move(node);
    else
      parent.node.entries.emplace_back(*std::exchange(parent.key, std::nullopt), std::move(node));
  }

  const std::string& text_;
  const Placer& place_;
  std::optional<YamlNode> root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, YamlNode> anchored_;
  std::size_t copied_ = 0;
};

}  // namespace

std::optional<YamlNode> parse_yaml(const std::string& text, const Placer& place) {
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    TreeBuilder tree(text, place);
    while (parser.HandleNextDocument(tree)) {
    }
    return tree.take();
  } catch (const YAML::Exception& error) {
    const int line = error.mark.is_null() ? 1 : error.mark.line + 1;
    throw Error(ExitCode::bad_input, fmt::format("{}: not valid YAML ({}, column {})", place(line), error.msg,
                                                 error.mark.column + 1));
  }
}

}  // namespace tayra
