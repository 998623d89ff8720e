// What tests, validation, documents and the GPU's tiles need to know of a scheme besides its flux.
#pragma once

namespace tayra {

/// Tests and validation hold a scheme to what it says here, and `tayra info --json` repeats it.
struct SchemeTraits {
  const char* summary;   // what to take it for, in README.md
  int order;             // with which errors fall on smooth flow
  double growth_error;   // at most, of the growth rate of a Rayleigh-Taylor wave on 32 cells, as a share
  bool keeps_contacts;   // densities that jump at rest stay as they are
  bool keeps_crests;     // a smooth bubble keeps its single crest
  bool captures_shocks;  // sharp ones, without ringing, by limiting some cells and not others
  bool wants_limiter;    // violent flow that has no background would break without the positivity limiter

  // Flaws and costs that most schemes don't have.
  double lacks_of_order = 0;     // where few cells make up a wave
  bool lets_sound_grow = false;  // in columns at rest, where density jumps (docs/decisions/0015)
  bool fills_registers = false;  // so that its GPU sweep has no room for two rows of cells a thread in double
};

}  // namespace tayra
