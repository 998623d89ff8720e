// formula: a start of the user's own, as expressions in x, y and z that muParser reads.
#include <fmt/format.h>
#include <muParser.h>

#include <atomic>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <optional>

#include "core/error.hpp"
#include "core/printable.hpp"
#include "solver/problem.hpp"
#include "solver/problems/wave_surface.hpp"

namespace tayra::problems {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// What a formula may call random noise by.
struct NoiseName {
  double seed, lowest, highest;
  auto operator<=>(const NoiseName&) const = default;
};
using Noises = std::map<NoiseName, std::shared_ptr<const WaveSurface>>;

/// An expression of the config, and the key that holds it.
struct Formula {
  std::string key, text;
  std::string name = {};  // by which later ones know its value
};

/// "eta = 0.01 * cos(x)"
Formula definition(const std::string& text) {
  const std::size_t equals = text.find('=');
  std::string name = text.substr(0, equals);
  name.erase(name.find_last_not_of(" \t") + 1);
  constexpr const char* allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  require(equals != std::string::npos && !name.empty() &&
              name.find_first_not_of(allowed) == std::string::npos &&
              std::isalpha(static_cast<unsigned char>(name[0])),
          ExitCode::bad_input,
          fmt::format(
              "define: '{}' defines nothing: write 'name = expression', with a name of letters, digits and _ "
              "the name",
              printable(text)));
  return {"define", text.substr(equals + 1), name};
}

/// muParser says which of its characters it doesn't understand.
Error error_in(const Formula& formula, const mu::ParserError& error) {
  std::string what = error.GetMsg();
  while (!what.empty() && (what.back() == '.' || what.back() == '\n')) what.pop_back();
  return Error(ExitCode::bad_input,
               fmt::format("{}: in '{}{}': {}", formula.key, formula.name.empty() ? "" : formula.name + " =",
                           printable(formula.text), what));
}

/// What formulas may name besides x, y, z and what they define.
struct Constants {
  double gamma, gravity;
  Vec3 length, spacing;
};

/// Formulas in the order in which they find each other's values; one thread's.
class Evaluator {
 public:
  Evaluator(const std::vector<Formula>& formulas, const Constants& constants, const Grid& grid,
            std::shared_ptr<const Noises> noises)
      : grid_(grid), noises_(std::move(noises)), values_(formulas.size(), unknown), formulas_(formulas) {
    parsers_.reserve(formulas.size());
    for (std::size_t i = 0; i < formulas.size(); ++i) try {
        mu::Parser& parser = parsers_.emplace_back();
        name_what_is_known(parser, constants);
        for (std::size_t earlier = 0; earlier < i; ++earlier)
          if (!formulas[earlier].name.empty()) parser.DefineVar(formulas[earlier].name, &values_[earlier]);
        parser.SetExpr(formulas[i].text);
        const std::string& name = formulas[i].name;
        require(!parser.GetVar().contains(name) && !parser.GetConst().contains(name) &&
                    !parser.GetFunDef().contains(name),
                ExitCode::bad_input,
                fmt::format("{}: '{}' has a meaning already: take another name", formulas[i].key, name));
      } catch (const mu::ParserError& error) {
        throw error_in(formulas[i], error);
      }
  }
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  /// All values at a point; whoever makes noise that nobody has made yet learns so.
  const std::vector<double>& at(const Point& point, const Background& background, Noises* makes = nullptr) {
    x_ = point.position[0];
    y_ = point.position[1];
    z_ = point.position[2];
    cell_ = {cell_index(grid_, 0, point.offset[0]), cell_index(grid_, 1, point.offset[1])};
    background_ = background;
    makes_ = makes;
    for (std::size_t i = 0; i < parsers_.size(); ++i) try {
        values_[i] = parsers_[i].Eval();
      } catch (const mu::ParserError& error) {
        throw error_in(formulas_[i], error);
      }
    return values_;
  }

 private:
  void name_what_is_known(mu::Parser& parser, const Constants& constants) {
    for (const auto& [name, address] : {std::pair{"x", &x_},
                                        {"y", &y_},
                                        {"z", &z_},
                                        {"background_density", &background_.density},
                                        {"background_pressure", &background_.pressure}})
      parser.DefineVar(name, address);
    for (const auto& [name, value] : {std::pair{"pi", std::numbers::pi},
                                      {"gamma", constants.gamma},
                                      {"gravity", constants.gravity},
                                      {"lx", constants.length[0]},
                                      {"ly", constants.length[1]},
                                      {"lz", constants.length[2]},
                                      {"dx", constants.spacing[0]},
                                      {"dy", constants.spacing[1]},
                                      {"dz", constants.spacing[2]}})
      parser.DefineConst(name, value);
    parser.DefineFunUserData("random", noise, this, false);  // no constant, whatever its arguments
  }
  /// random(seed, lowest, highest): nothing but arguments that are the same in every cell are known later.
  static double noise(void* self, double seed, double lowest, double highest) {
    auto& evaluator = *static_cast<Evaluator*>(self);
    const NoiseName name{seed, lowest, highest};
    if (evaluator.makes_ != nullptr && !evaluator.makes_->contains(name))
      (*evaluator.makes_)[name] = evaluator.make_noise(name);
    const auto found = evaluator.noises_->find(name);
    return found == evaluator.noises_->end() ? unknown
                                             : found->second->at(evaluator.cell_[0], evaluator.cell_[1]);
  }
  std::shared_ptr<const WaveSurface> make_noise(const NoiseName& name) const {
    const auto is_count = [](double value) {
      return value >= 0 && value <= 4096 && value == std::floor(value);
    };
    if (!is_count(name.lowest) || !is_count(name.highest) || name.lowest < 1 || !(name.seed >= 0) ||
        name.seed != std::floor(name.seed) || name.seed > 9e15)
      throw mu::ParserError(
          fmt::format("random({}, {}, {}) wants random(seed, lowest, highest), whole "
                      "numbers: at least 0, and wavenumbers from 1 to 4096",
                      name.seed, name.lowest, name.highest));
    try {
      const Band band{static_cast<std::int64_t>(name.lowest), static_cast<std::int64_t>(name.highest)};
      return std::make_shared<WaveSurface>("random", band, static_cast<std::uint64_t>(name.seed), 1., grid_);
    } catch (const Error& error) {
      throw mu::ParserError(error.what());
    }
  }

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

/// Integral from a to b, to round-off where the function is smooth, else to a tiny part of the interval.
template <class Function>
double integral(const Function& function, double a, double b, int halvings = 40) {
  // Gauss and Legendre's ten points, exact for polynomials up to the nineteenth degree.
  constexpr double nodes[]{0.14887433898163122, 0.43339539412924719, 0.67940956829902441, 0.86506336668898451,
                           0.97390652851717172};
  constexpr double weights[]{0.29552422471475287, 0.26926671930999636, 0.21908636251598204,
                             0.14945134915058059, 0.06667134430868814};
  const auto by_ten_points = [&](double from, double to) {
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    double sum = 0;
    for (int i = 0; i < 5; ++i)
      sum += weights[i] * (function(middle - half * nodes[i]) + function(middle + half * nodes[i]));
    return half * sum;
  };
  const double middle = 0.5 * (a + b);
  const double whole = by_ten_points(a, b), left = by_ten_points(a, middle), right = by_ten_points(middle, b);
  if (halvings == 0 || !(std::abs(left + right - whole) > 1e-14 * (std::abs(left) + std::abs(right))))
    return left + right;
  return integral(function, a, middle, halvings - 1) + integral(function, middle, b, halvings - 1);
}

class FormulaProblem final : public Problem {
 public:
  std::vector<Key> keys(const ProblemSetting& setting) override {
    const auto usual = [this](std::string& text, const char* with_background, const char* without) {
      return Rules{.derived = [this, &text, with_background, without] {
        text = background_density_.empty() ? without : with_background;
      }};
    };
    return {
        key("define", definitions_,
            "names for what formulas share, in order, each as 'name = expression': 'k = 2 * pi / lx', "
            "'eta = 0.01 * cos(k * x)'. Default: none"),
        key("density", density_,
            "density, an expression in x, y and z. Default: the background's, or 1 without one",
            usual(density_, "background_density", "1")),
        key("velocity", velocity_, "velocity along x, y and z, three expressions"),
        key("pressure", pressure_,
            "pressure, an expression in x, y and z. Default: the background's, or 1 without one",
            usual(pressure_, "background_pressure", "1")),
        section("background",
                {key("density", background_density_,
                     "density of the gas at rest, an expression in z alone. Its pressure follows, in "
                     "hydrostatic balance; the flow is computed as the deviation from both, so that gas at "
                     "rest stays so. Give it wherever there is gravity. Default: no background"),
                 key("pressure", background_pressure_, "pressure of the gas at rest at background.height",
                     {.above = 0}),
                 key("height", background_height_,
                     "where it has this pressure. Default: the middle of the box", {.derived = [&] {
                       if (!background_density_.empty())
                         background_height_ = 0.5 * (setting.grid.lower[2] + setting.grid.upper[2]);
                     }})})};
  }

  std::unique_ptr<Problem> make(const ProblemSetting& setting) const override {
    auto made = std::make_unique<FormulaProblem>(*this);
    made->fit(setting);
    return made;
  }

  Primitive initial(const Point& point) const override {
    const double* of_fields = values_at(point).data() + definitions_.size();
    return {.density = of_fields[0],
            .velocity = {of_fields[1], of_fields[2], of_fields[3]},
            .pressure = of_fields[4]};
  }

  /// At the middle of a plane of cells what make() has found, to the last bit.
  Background background(double z) const override {
    if (background_density_.empty()) return {};
    const Grid& grid = setting_.grid;
    const int k = cell_index(grid, 2, z - 0.5 * (grid.lower[2] + grid.upper[2]));
    const double centre = grid.centre(2, k);
    if (z == centre) return planes_[k];
    return {rest_density(z), planes_[k].pressure + weight(centre, z)};
  }

 private:
  void fit(const ProblemSetting& setting) {
    static std::atomic<std::uint64_t> count = 0;
    number_ = ++count;
    setting_ = setting;
    for (const std::string& text : definitions_) formulas_.push_back(definition(text));
    at_rest_ = formulas_;
    formulas_.push_back({"density", density_});
    for (const std::string& along : velocity_) formulas_.push_back({"velocity", along});
    formulas_.push_back({"pressure", pressure_});
    if (!background_density_.empty()) fit_background();
    // Makes what is random, and finds what muParser doesn't understand.
    const auto noises = std::make_shared<Noises>();
    const auto evaluator = evaluator_of(formulas_, noises);
    evaluator->at(setting.grid.point(0, 0, 0), background(setting.grid.centre(2, 0)), noises.get());
    noises_ = noises;
  }

  void fit_background() {
    at_rest_.push_back({"background.density", background_density_});
    const Grid& grid = setting_.grid;
    const int planes = grid.cells[2];
    const auto nearest = cell_index(grid, 2, *background_height_ - 0.5 * (grid.lower[2] + grid.upper[2]));
    planes_.resize(planes);
    for (int k = 0; k < planes; ++k) planes_[k].density = rest_density(grid.centre(2, k));
    planes_[nearest].pressure = background_pressure_ + weight(*background_height_, grid.centre(2, nearest));
    for (int k = nearest + 1; k < planes; ++k)
      planes_[k].pressure = planes_[k - 1].pressure + weight(grid.centre(2, k - 1), grid.centre(2, k));
    for (int k = nearest - 1; k >= 0; --k)
      planes_[k].pressure = planes_[k + 1].pressure + weight(grid.centre(2, k + 1), grid.centre(2, k));
    for (int k = 0; k < planes; ++k)
      require(
          planes_[k].density > 0 && planes_[k].pressure > 0, ExitCode::bad_input,
          fmt::format("background.{}: the gas at rest has density {:.6g} and pressure {:.6g} at z = {:.6g}: "
                      "both must be above 0 (and '{}' may depend on z alone)",
                      planes_[k].density > 0 ? "pressure" : "density", planes_[k].density,
                      planes_[k].pressure, grid.centre(2, k), printable(background_density_)));
  }
  /// What the gas at rest between two heights adds to the pressure.
  double weight(double from, double to) const {
    return setting_.gravity == 0 || from == to
               ? 0
               : setting_.gravity * integral([&](double z) { return rest_density(z); }, from, to);
  }
  /// Not a number where it depends on x or y.
  double rest_density(double z) const {
    std::shared_ptr<Evaluator>& own = mine().at_rest;
    if (!own) own = evaluator_of(at_rest_, std::make_shared<Noises>());
    return own->at({{unknown, unknown, z}, {0, 0, 0}}, {unknown, unknown}).back();
  }
  const std::vector<double>& values_at(const Point& point) const {
    std::shared_ptr<Evaluator>& own = mine().of_flow;
    if (!own) own = evaluator_of(formulas_, noises_);
    return own->at(point, background(point.position[2]));
  }

  std::shared_ptr<Evaluator> evaluator_of(const std::vector<Formula>& formulas,
                                          std::shared_ptr<const Noises> noises) const {
    const Grid& grid = setting_.grid;
    const Constants constants{setting_.gamma,
                              setting_.gravity,
                              {grid.length(0), grid.length(1), grid.length(2)},
                              {grid.spacing(0), grid.spacing(1), grid.spacing(2)}};
    return std::make_shared<Evaluator>(formulas, constants, grid, std::move(noises));
  }
  /// A thread's own, of the problem that it asked last.
  struct Evaluators {
    std::uint64_t number = 0;
    std::shared_ptr<Evaluator> of_flow, at_rest;
  };
  Evaluators& mine() const {
    thread_local Evaluators evaluators;
    if (evaluators.number != number_) evaluators = {number_, nullptr, nullptr};
    return evaluators;
  }

  std::vector<std::string> definitions_;
  std::string density_, pressure_;
  std::array<std::string, 3> velocity_{"0", "0", "0"};
  std::string background_density_;
  double background_pressure_ = 1;
  std::optional<double> background_height_;

  std::uint64_t number_ = 0;  // of those that were made
  ProblemSetting setting_;
  std::vector<Formula> formulas_, at_rest_;
  std::shared_ptr<const Noises> noises_;
  std::vector<Background> planes_;
};

}  // namespace

ProblemEntry formula() {
  return {
      .name = "formula",
      .summary = "a start of your own: expressions in x, y and z",
      .keys = [] { return std::make_unique<FormulaProblem>(); },
      .details =
          "Expressions are those of muParser: + - * / ^, comparisons, && ||, condition ? this : that, abs, "
          "min, "
          "max, sqrt, exp, ln, sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh and others. They may "
          "use "
          "x, y, z (the middle of a cell), pi, the box's sides lx, ly, lz, a cell's dx, dy, dz, gamma, "
          "gravity, "
          "what 'define' names, background_density and background_pressure, and random(seed, lowest, "
          "highest): "
          "smooth noise in x and y whose root mean square is 1, of all waves from so many to so many across "
          "the wider side of the box, the same as rt_multi's."};
}

}  // namespace tayra::problems
