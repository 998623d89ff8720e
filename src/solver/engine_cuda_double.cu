// The GPU's engine in double precision.
#include "solver/engine_cuda.cuh"

namespace tayra {
template std::unique_ptr<Engine<double>> make_cuda_engine(const EngineChoice&);
}  // namespace tayra
