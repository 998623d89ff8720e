// The keys that describe two layers, and the layers they describe.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/problem.hpp"
#include "solver/problems/two_layers.hpp"

namespace tayra {

class LayerKeys : public ProblemKeys {
 public:
  std::vector<Key> keys(const ProblemSetting& setting) override;

 protected:
  /// Heavy on the side that gravity points away from; a negative Atwood number turns them round.
  TwoLayers layers(const ProblemSetting& setting) const;
  /// Of the longest wave that is perturbed.
  virtual double wavelength(const Grid& /*grid*/) const { return 0; }

 private:
  double height_of_interface(const Grid& grid) const;
  double longest_length(const Grid& grid) const;
  std::optional<double> usual_pressure(double length, const ProblemSetting& setting) const;

  double atwood_ = 0.5;
  double density_ = 1;
  std::optional<double> pressure_;
  std::optional<double> interface_;
  double thickness_ = 0;
  std::string profile_ = "constant";
};

/// Of a key that is one of them.
Key& key_named(const std::string& name, std::vector<Key>& keys);

/// From what each fluid is at its wall; nothing where a fluid's range of potential densities reaches the
/// other's, so that they can't be told apart.
std::optional<Layers> diagnosed_layers(const TwoLayers& layers, const ProblemSetting& setting);

/// +1 where up is along z, -1 where gravity points along z.
inline double upward(double gravity) { return gravity > 0 ? -1 : 1; }

}  // namespace tayra
