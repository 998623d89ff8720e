// What a sweep keeps of a cell until its last face is done, the same for every device.
#pragma once

#include "physics/schemes.hpp"

namespace tayra {

/// The words of a cell that a scheme's fluxes read. What is not kept is never computed either.
template <class Scheme, Positivity positivity>
struct KeptCell {
  static constexpr bool has_sound_speed = Scheme::uses_sound_speed || positivity == Positivity::on;
  static constexpr bool has_root_density = Scheme::uses_root_density;
  static constexpr int sound_speed = 7;
  static constexpr int root_density = 7 + has_sound_speed;
  static constexpr int words = root_density + has_root_density;

  /// Calls put(number of the word, word).
  template <class N, class Put>
  static TAYRA_HD void store(const Cell<N>& cell, const Put& put) {
    put(0, cell.state.density);
    for (int i = 0; i < 3; ++i) put(1 + i, cell.state.momentum[i]);
    put(4, cell.state.energy);
    put(5, cell.inverse_density);
    put(6, cell.pressure);
    if constexpr (has_sound_speed) put(sound_speed, cell.sound_speed);
    if constexpr (has_root_density) put(root_density, cell.inverse_root_density);
  }

  /// Words that are not kept read as zero.
  template <class N, class Word>
  static TAYRA_HD Cell<N> load(const Word& word, N background_pressure) {
    Cell<N> cell{{word(0), {{word(1), word(2), word(3)}}, word(4)},
                 word(5),
                 word(6),
                 N(RealOf<N>(0)),
                 N(RealOf<N>(0)),
                 background_pressure};
    if constexpr (has_sound_speed) cell.sound_speed = word(sound_speed);
    if constexpr (has_root_density) cell.inverse_root_density = word(root_density);
    return cell;
  }
};

}  // namespace tayra
