// The GPU's engine in single precision.
#include "solver/engine_cuda.cuh"

namespace tayra {
template std::unique_ptr<Engine<float>> make_cuda_engine(const EngineChoice&);
}  // namespace tayra
