// Stands in for engine_cuda.cu in builds without CUDA.
#include "core/error.hpp"
#include "solver/engine.hpp"

namespace tayra {

template <class Real>
std::unique_ptr<Engine<Real>> make_cuda_engine(const EngineChoice&) {
  throw Error(ExitCode::unavailable, why_no_cuda());
}
template std::unique_ptr<Engine<float>> make_cuda_engine(const EngineChoice&);
template std::unique_ptr<Engine<double>> make_cuda_engine(const EngineChoice&);

}  // namespace tayra
