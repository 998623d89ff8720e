// What a sweep keeps of a cell until its last face is done, the same for every device.
#pragma once

#include "physics/face_flux.hpp"

namespace tayra {

/// The words of a cell that a scheme's fluxes read: no others are stored or computed. The limiter also wants
/// the enthalpy; where it isn't stored it is computed anew from the others. Else a word whose `uses_...` is
/// false reads as zero. Where room is short, so are reciprocals.
template <class Scheme, Positivity limiter, bool keeps_reciprocals = true>
struct KeptCell {
  /// Of the primitive form the state comes back rounded: good for fluxes, not for what is updated.
  static constexpr bool has_state = Scheme::form == CellForm::conserved;
  /// Of the conserved form it follows from the energy.
  static constexpr bool has_enthalpy = !has_state && Scheme::uses_enthalpy;
  static constexpr bool has_sound_speed = Scheme::uses_sound_speed || limiter == Positivity::on;
  static constexpr bool has_inverse_density = has_state && keeps_reciprocals;
  static constexpr bool has_inverse_sound_speed = Scheme::uses_inverse_sound_speed && keeps_reciprocals;
  static constexpr bool has_inverse_root_density = Scheme::uses_inverse_root_density;
  static constexpr int pressure = 4 + (has_state || has_enthalpy);
  static constexpr int sound_speed = pressure + 1 + has_inverse_density;
  static constexpr int inverse_sound_speed = sound_speed + has_sound_speed;
  static constexpr int inverse_root_density = inverse_sound_speed + has_inverse_sound_speed;
  static constexpr int words = inverse_root_density + has_inverse_root_density;

  /// Calls put(number of the word, word).
  template <class N, class Put>
  static TAYRA_HD void store(const Cell<N>& cell, const Put& put) {
    put(0, cell.state.density);
    for (int i = 0; i < 3; ++i) put(1 + i, has_state ? cell.state.momentum[i] : cell.velocity[i]);
    if constexpr (has_state) put(4, cell.state.energy);
    if constexpr (has_enthalpy) put(4, cell.enthalpy);
    put(pressure, cell.pressure);
    if constexpr (has_inverse_density) put(pressure + 1, cell.inverse_density);
    if constexpr (has_sound_speed) put(sound_speed, cell.sound_speed);
    if constexpr (has_inverse_sound_speed) put(inverse_sound_speed, cell.inverse_sound_speed);
    if constexpr (has_inverse_root_density) put(inverse_root_density, cell.inverse_root_density);
  }

  template <class N, class Word>
  static TAYRA_HD Cell<N> load(const Word& word, N background_pressure, const Gas<RealOf<N>>& gas) {
    const N zero = N(RealOf<N>(0));
    const N density = word(0);
    const Vector<N> vector{{word(1), word(2), word(3)}};
    const N beyond_background = word(pressure);
    Cell<N> cell;
    if constexpr (has_state) {
      const N energy = word(4);
      N inverse_density;
      if constexpr (has_inverse_density)
        inverse_density = word(pressure + 1);
      else
        inverse_density = reciprocal<N>(density);
      cell = {{density, vector, energy},
              inverse_density,
              inverse_density * vector,
              beyond_background,
              enthalpy_of<N>(energy, beyond_background, background_pressure, gas),
              zero,
              zero,
              zero,
              background_pressure};
    } else {
      cell = {{density, density * vector, zero},
              zero,
              vector,
              beyond_background,
              zero,
              zero,
              zero,
              zero,
              background_pressure};
      if constexpr (has_enthalpy)
        cell.enthalpy = word(4);
      else
        cell.enthalpy =
            enthalpy_of_primitive<N>(density, vector, beyond_background + background_pressure, gas);
    }
    if constexpr (has_sound_speed) cell.sound_speed = word(sound_speed);
    if constexpr (has_inverse_sound_speed)
      cell.inverse_sound_speed = word(inverse_sound_speed);
    else if constexpr (Scheme::uses_inverse_sound_speed)
      cell.inverse_sound_speed = reciprocal<N>(cell.sound_speed);
    if constexpr (has_inverse_root_density) cell.inverse_root_density = word(inverse_root_density);
    return cell;
  }

  /// The cell as it comes back.
  template <class N>
  static TAYRA_HD Cell<N> as_kept(const Cell<N>& cell, const Gas<RealOf<N>>& gas) {
    N kept[words];
    store(cell, [&](int number, const N& word) { kept[number] = word; });
    return load<N>([&](int number) { return kept[number]; }, cell.background_pressure, gas);
  }
};

}  // namespace tayra
