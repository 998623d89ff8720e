// Each thread evaluates by a parser of its own: muParser's know the addresses of their variables.
#include "solver/problems/formulas.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cctype>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/error.hpp"
#include "core/printable.hpp"

namespace tayra {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// muParser says which of its characters it doesn't understand.
Error error_in(const Formula& formula, const mu::ParserError& error) {
  std::string what = error.GetMsg();
  while (!what.empty() && (what.back() == '.' || what.back() == '\n')) what.pop_back();
  return Error(ExitCode::bad_input,
               fmt::format("{}: in '{}{}': {}", formula.key, formula.name.empty() ? "" : formula.name + " =",
                           printable(formula.text), what));
}

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

}  // namespace

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
              "that begins with a letter",
              printable(text)));
  return {"define", text.substr(equals + 1), name};
}

Evaluator::Evaluator(const std::vector<Formula>& formulas, const ProblemSetting& setting,
                     std::shared_ptr<const Noises> noises)
    : grid_(setting.grid),
      noises_(std::move(noises)),
      values_(formulas.size(), unknown),
      formulas_(formulas) {
  parsers_.reserve(formulas.size());
  for (std::size_t i = 0; i < formulas.size(); ++i) try {
      mu::Parser& parser = parsers_.emplace_back();
      name_what_is_known(parser, setting);
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

const std::vector<double>& Evaluator::at(const Point& point, const Background& background, Noises* makes) {
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

void Evaluator::name_what_is_known(mu::Parser& parser, const ProblemSetting& setting) {
  const Grid& grid = setting.grid;
  for (const auto& [name, address] : {std::pair{"x", &x_},
                                      {"y", &y_},
                                      {"z", &z_},
                                      {"background_density", &background_.density},
                                      {"background_pressure", &background_.pressure}})
    parser.DefineVar(name, address);
  for (const auto& [name, value] : {std::pair{"pi", std::numbers::pi},
                                    {"gamma", setting.gamma},
                                    {"gravity", setting.gravity},
                                    {"lx", grid.length(0)},
                                    {"ly", grid.length(1)},
                                    {"lz", grid.length(2)},
                                    {"dx", grid.spacing(0)},
                                    {"dy", grid.spacing(1)},
                                    {"dz", grid.spacing(2)}})
    parser.DefineConst(name, value);
  parser.DefineFunUserData("random", noise, this, false);  // no constant, whatever its arguments
}

/// random(seed, lowest, highest): nothing but arguments that are the same in every cell are known later.
double Evaluator::noise(void* self, double seed, double lowest, double highest) {
  auto& evaluator = *static_cast<Evaluator*>(self);
  const NoiseName name{seed, lowest, highest};
  if (evaluator.makes_ != nullptr && !evaluator.makes_->contains(name))
    (*evaluator.makes_)[name] = evaluator.make_noise(name);
  const auto found = evaluator.noises_->find(name);
  return found == evaluator.noises_->end() ? unknown
                                           : found->second->at(evaluator.cell_[0], evaluator.cell_[1]);
}

std::shared_ptr<const WaveSurface> Evaluator::make_noise(const NoiseName& name) const {
  const auto is_whole = [](double value, double least, double most) {
    return value >= least && value <= most && value == std::floor(value);
  };
  if (!is_whole(name.seed, 0, 9e15) || !is_whole(name.lowest, 1, 4096) || !is_whole(name.highest, 1, 4096))
    throw mu::ParserError(
        fmt::format("random({}, {}, {}) wants random(seed, lowest, highest), whole numbers: at least 0, and "
                    "wavenumbers from 1 to 4096",
                    name.seed, name.lowest, name.highest));
  try {
    const Band band{static_cast<std::int64_t>(name.lowest), static_cast<std::int64_t>(name.highest)};
    return std::make_shared<WaveSurface>("random", band, static_cast<std::uint64_t>(name.seed), 1., grid_);
  } catch (const Error& error) {
    throw mu::ParserError(error.what());
  }
}

EvaluatorOfThread::EvaluatorOfThread(std::vector<Formula> formulas, const ProblemSetting& setting,
                                     std::shared_ptr<const Noises> noises)
    : formulas_(std::move(formulas)), setting_(setting), noises_(std::move(noises)) {
  static std::atomic<std::uint64_t> count = 0;
  number_ = ++count;
}

Evaluator& EvaluatorOfThread::get() const {
  thread_local std::map<std::uint64_t, std::unique_ptr<Evaluator>> evaluators;
  std::unique_ptr<Evaluator>& own = evaluators[number_];
  if (own) return *own;
  constexpr std::size_t most = 8;  // of problems that may be gone
  for (auto old = evaluators.begin(); evaluators.size() > most;)
    old = old->first == number_ ? std::next(old) : evaluators.erase(old);
  return *(own = std::make_unique<Evaluator>(formulas_, setting_, noises_));
}

std::vector<Key> RestingGas::keys(const ProblemSetting& setting) {
  return {
      key("density", density_,
          "density of the gas at rest, an expression in z alone. Its pressure follows, in hydrostatic "
          "balance; the flow is computed as the deviation from both, so that gas at rest stays so. Give it "
          "wherever there is gravity. Default: no background"),
      key("pressure", pressure_, "pressure of the gas at rest at background.height", {.above = 0}),
      key("height", height_, "where it has this pressure. Default: the middle of the box", {.derived = [&] {
            if (is_given()) height_ = setting.grid.middle(2);
          }})};
}

void RestingGas::fit(const ProblemSetting& setting, std::vector<Formula> definitions) {
  if (!is_given()) return;
  setting_ = setting;
  definitions.push_back({"background.density", density_});
  evaluator_ = EvaluatorOfThread(std::move(definitions), setting);
  const Grid& grid = setting.grid;
  const int planes = grid.cells[2];
  const int nearest = cell_index(grid, 2, *height_ - grid.middle(2));
  planes_.resize(planes);
  for (int k = 0; k < planes; ++k) planes_[k].density = density_at(grid.centre(2, k));
  planes_[nearest].pressure = pressure_ + weight(*height_, grid.centre(2, nearest));
  for (int k = nearest + 1; k < planes; ++k)
    planes_[k].pressure = planes_[k - 1].pressure + weight(grid.centre(2, k - 1), grid.centre(2, k));
  for (int k = nearest - 1; k >= 0; --k)
    planes_[k].pressure = planes_[k + 1].pressure + weight(grid.centre(2, k + 1), grid.centre(2, k));
  for (int k = 0; k < planes; ++k)
    require(
        planes_[k].density > 0 && planes_[k].pressure > 0, ExitCode::bad_input,
        fmt::format("background.{}: the gas at rest has density {:.6g} and pressure {:.6g} at z = {:.6g}: "
                    "both must be above 0 (and '{}' may depend on z alone)",
                    planes_[k].density > 0 ? "pressure" : "density", planes_[k].density, planes_[k].pressure,
                    grid.centre(2, k), printable(density_)));
}

Background RestingGas::at(double z) const {
  if (!is_given()) return {};
  const Grid& grid = setting_.grid;
  const int k = cell_index(grid, 2, z - grid.middle(2));
  const double centre = grid.centre(2, k);
  if (z == centre) return planes_[k];
  return {density_at(z), planes_[k].pressure + weight(centre, z)};
}

/// Not a number where it depends on x or y.
double RestingGas::density_at(double z) const {
  return evaluator_.get().at({{unknown, unknown, z}, {0, 0, 0}}, {unknown, unknown}).back();
}

/// What the gas at rest between two heights adds to the pressure.
double RestingGas::weight(double from, double to) const {
  if (setting_.gravity == 0 || from == to) return 0;
  return setting_.gravity * integral([&](double z) { return density_at(z); }, from, to);
}

}  // namespace tayra
