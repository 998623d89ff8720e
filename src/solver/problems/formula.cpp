// formula: a start of the user's own, as expressions in x, y and z.
#include <algorithm>

#include "solver/problems/formulas.hpp"

namespace tayra::problems {
namespace {

class FormulaProblem final : public Problem {
 public:
  std::vector<Key> keys(const ProblemSetting& setting) override {
    const auto usual = [this](std::string& text, const char* with_background, const char* without) {
      return Rules{.derived = [this, &text, with_background, without] {
        text = at_rest_.is_given() ? with_background : without;
      }};
    };
    return {key("define", definitions_,
                "names for what formulas share, in order, each as 'name = expression': 'k = 2 * pi / lx', "
                "'eta = 0.01 * cos(k * x)'. Default: none"),
            key("density", density_,
                "density, an expression in x, y and z. Default: the background's, or 1 without one",
                usual(density_, "background_density", "1")),
            key("velocity", velocity_, "velocity along x, y and z, three expressions"),
            key("pressure", pressure_,
                "pressure, an expression in x, y and z. Default: the background's, or 1 without one",
                usual(pressure_, "background_pressure", "1")),
            scalars_section(setting),
            section("background", at_rest_.keys(setting))};
  }
  bool starts(const std::string& /*scalar*/) const override { return true; }

  std::unique_ptr<Problem> make(const ProblemSetting& setting) const override {
    auto made = std::make_unique<FormulaProblem>(*this);
    made->fit(setting);
    return made;
  }

  Primitive initial(const Point& point) const override {
    const std::vector<double>& values = evaluator_.get().at(point, background(point.position[2]));
    const double* of_fields = values.data() + definitions_.size();
    Primitive gas{.density = of_fields[0],
                  .velocity = {of_fields[1], of_fields[2], of_fields[3]},
                  .pressure = of_fields[4]};
    std::copy_n(of_fields + field_variables, scalar_count_, gas.scalars.begin());
    return gas;
  }
  Background background(double z) const override { return at_rest_.at(z); }

 private:
  /// A key for each that the flow carries.
  Key scalars_section(const ProblemSetting& setting) {
    std::vector<Key> keys;
    for (std::size_t i = 0; i < std::min(setting.scalars.size(), scalars_.size()); ++i)
      keys.push_back(key(setting.scalars[i], scalars_[i],
                         "mass fraction of a scalar that physics.scalars names, an expression in x, y and z",
                         {.is_required = true}));
    return section("scalars", keys);
  }

  void fit(const ProblemSetting& setting) {
    std::vector<Formula> formulas;
    for (const std::string& text : definitions_) formulas.push_back(definition(text));
    at_rest_.fit(setting, formulas);
    formulas.push_back({"density", density_});
    for (const std::string& along : velocity_) formulas.push_back({"velocity", along});
    formulas.push_back({"pressure", pressure_});
    scalar_count_ = setting.scalars.size();
    for (std::size_t i = 0; i < scalar_count_; ++i)
      formulas.push_back({"scalars." + setting.scalars[i], scalars_[i]});
    // Makes what is random, and finds what muParser doesn't understand.
    const auto noises = std::make_shared<Noises>();
    Evaluator(formulas, setting, noises)
        .at(setting.grid.point(0, 0, 0), background(setting.grid.centre(2, 0)), noises.get());
    evaluator_ = EvaluatorOfThread(std::move(formulas), setting, noises);
  }

  std::vector<std::string> definitions_;
  std::string density_, pressure_;
  std::array<std::string, 3> velocity_{"0", "0", "0"};
  std::array<std::string, most_scalars> scalars_;
  std::size_t scalar_count_ = 0;
  RestingGas at_rest_;
  EvaluatorOfThread evaluator_;
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
