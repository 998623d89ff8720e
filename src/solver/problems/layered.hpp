// What the problems of two layers under gravity share: hydrostatic, and those with a perturbed interface,
// rt_single and rt_multi.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "solver/problem.hpp"
#include "solver/problems/linear_mode.hpp"

namespace tayra {

class LayeredProblem : public Problem {
 public:
  std::vector<Key> keys(const ProblemSetting& setting) override;
  Background background(double z) const override { return {column_.density(z), column_.pressure(z)}; }
  /// From what each fluid is at its wall; nothing where a fluid's range of potential densities reaches the
  /// other's, so that they can't be told apart, unless the flow carries the heavy one's fraction.
  std::optional<Layers> layers() const override;
  bool starts(const std::string& scalar) const override { return scalar == heavy_scalar; }
  bool has_heavy_above_light() const override {
    return (column_.density_above - column_.density_below) * upward() > 0;
  }

 protected:
  /// Heavy on the side that gravity points away from; a negative Atwood number turns them round.
  void fit(const ProblemSetting& setting);
  /// Where the interface has risen by `rise`.
  void set_fraction(Primitive& gas, double z, double rise) const {
    if (const auto number = setting_.scalar(heavy_scalar))
      gas.scalars[*number] = column_.heavy_share(z, rise);
  }
  /// +1 where up is along z, -1 where gravity points along z.
  double upward() const { return setting_.gravity > 0 ? -1 : 1; }
  /// Of the longest wave that is perturbed.
  virtual double wavelength(const Grid& /*grid*/) const { return 0; }
  /// Of a key that is one of them.
  static Key& key_named(const std::string& name, std::vector<Key>& keys);

  ProblemSetting setting_;
  TwoLayers column_;

 private:
  double height_of_interface(const Grid& grid) const;
  double longest_length(const Grid& grid) const;
  std::optional<double> usual_pressure(double length, const ProblemSetting& setting) const;
  void require_gas_everywhere() const;

  double atwood_ = 0.5;
  double density_ = 1;
  std::optional<double> pressure_, interface_;
  double thickness_ = 0;
  std::string profile_ = "constant";
};

enum class Perturb { velocity, interface, eigenmode };

/// Heavy fluid above light, perturbed at the interface.
class RayleighTaylor : public LayeredProblem {
 public:
  std::vector<Key> keys(const ProblemSetting& setting) override;
  /// Of layers that are superadiabatic; others don't convect.
  std::optional<Convection> convection() const override;

 protected:
  void fit(const ProblemSetting& setting);
  /// Along z, positive where light fluid is to rise.
  double amplitude() const { return upward() * amplitude_; }
  /// `highest` is the largest |rise| (interface, eigenmode) of all: the interface must stay in the box, and
  /// an eigenmode is a solution only while it is small beside the thickness.
  void require_possible_rise(double highest) const;
  /// Velocity: potential flow. Eigenmode: the fastest growing one. Throws where there is none.
  std::function<VerticalMode(double)> vertical_mode(double wavenumber) const;
  /// The layers at rest, the interface risen by `rise` with the pressure as it was.
  Primitive at_rest(double z, double rise) const {
    Primitive gas{
        .density = column_.density(z, rise), .velocity = {0, 0, 0}, .pressure = column_.pressure(z)};
    set_fraction(gas, z, rise);
    return gas;
  }
  virtual double least_wavenumber() const = 0;

  Perturb perturb_ = Perturb::interface;

 private:
  double growth_rate(double wavenumber) const;

  double amplitude_ = 0.01;
};

}  // namespace tayra
