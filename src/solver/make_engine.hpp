// The engine that the settings ask for.
#pragma once

#include <algorithm>
#include <memory>

#include "solver/engine.hpp"

namespace tayra {

/// For so many planes of the box.
template <class Real>
std::unique_ptr<Engine<Real>> make_engine(const SolverSettings& settings, Device device, int planes) {
  const auto& names = scheme_names();
  const auto scheme = std::find(names.begin(), names.end(), settings.scheme);
  require(scheme != names.end(), ExitCode::bad_input, "there is no scheme '" + settings.scheme + "'");
  const EngineChoice choice{device,
                            static_cast<int>(scheme - names.begin()),
                            settings.positivity ? Positivity::on : Positivity::off,
                            {settings.grid.cells[0], settings.grid.cells[1], planes}};
  return device.kind == DeviceKind::cuda ? make_cuda_engine<Real>(choice) : make_cpu_engine<Real>(choice);
}

}  // namespace tayra
