// Formulas of a config in x, y and z, as muParser reads them.
#pragma once

#include <muParser.h>

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/problem.hpp"
#include "solver/problems/wave_surface.hpp"

namespace tayra {

/// An expression, and the key that holds it.
struct Formula {
  std::string key, text;
  std::string name = {};  // by which later ones know its value
};

/// Of the key define: "eta = 0.01 * cos(x)".
Formula definition(const std::string& text);

/// What a formula may call random noise by.
struct NoiseName {
  double seed, lowest, highest;
  auto operator<=>(const NoiseName&) const = default;
};
using Noises = std::map<NoiseName, std::shared_ptr<const WaveSurface>>;

/// Formulas in the order in which they find each other's values; one thread's. Throws Error(bad_input), with
/// a message that begins with the key, for what muParser does not understand.
class Evaluator {
 public:
  Evaluator(const std::vector<Formula>& formulas, const ProblemSetting& setting,
            std::shared_ptr<const Noises> noises = std::make_shared<Noises>());
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  /// All values at a point; noise that nobody has made yet is put into `makes`.
  const std::vector<double>& at(const Point& point, const Background& background, Noises* makes = nullptr);

 private:
  void name_what_is_known(mu::Parser& parser, const ProblemSetting& setting);
  static double noise(void* self, double seed, double lowest, double highest);
  std::shared_ptr<const WaveSurface> make_noise(const NoiseName& name) const;

  const Grid grid_;
  const std::shared_ptr<const Noises> noises_;
  double x_ = 0, y_ = 0, z_ = 0;
  std::array<int, 2> cell_{};
  Background background_;
  Noises* makes_ = nullptr;
  std::vector<double> values_;
  const std::vector<Formula> formulas_;
  std::vector<mu::Parser> parsers_;
};

/// What each thread has of its own of a formula: made when it is first asked for, of the one it asked last.
class EvaluatorOfThread {
 public:
  EvaluatorOfThread() = default;
  EvaluatorOfThread(std::vector<Formula> formulas, const ProblemSetting& setting,
                    std::shared_ptr<const Noises> noises = std::make_shared<Noises>());
  Evaluator& get() const;

 private:
  std::uint64_t number_ = 0;
  std::vector<Formula> formulas_;
  ProblemSetting setting_;
  std::shared_ptr<const Noises> noises_;
};

/// Gas at rest, whose density is a formula in z and whose pressure follows in hydrostatic balance.
class RestingGas {
 public:
  /// Of the section background.
  std::vector<Key> keys(const ProblemSetting& setting);
  bool is_given() const { return !density_.empty(); }
  /// The formula may use what is defined.
  void fit(const ProblemSetting& setting, std::vector<Formula> definitions = {});
  /// In the middle of a plane of cells what fit() has found, to the last bit.
  Background at(double z) const;

 private:
  double density_at(double z) const;
  double weight(double from, double to) const;

  std::string density_;
  double pressure_ = 1;
  std::optional<double> height_;
  ProblemSetting setting_;
  EvaluatorOfThread evaluator_;
  std::vector<Background> planes_;
};

}  // namespace tayra
