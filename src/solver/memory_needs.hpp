// What a run takes of a device's memory, and what there is.
#pragma once

#include <cstdint>

#include "solver/simulation.hpp"

namespace tayra {

/// By the settings of a rank.
int slabs_meant_for_a_gpu(const SolverSettings& settings);
/// On the device with most, of all ranks' slabs; ranks of a node may share its GPUs. All ranks must call it
/// together.
int most_slabs_of_a_device(const SolverSettings& settings);

/// Bytes that a run needs on each device, before anything is allocated. All ranks must call it together.
std::uint64_t memory_needed(const SolverSettings& settings);
/// In a plane of a device: the sweep of a GPU counts the bytes between a cell's variables in 32 bits.
std::uint64_t most_cells_across(const SolverSettings& settings);
/// Bytes free: on the fullest of this rank's GPUs, or in the machine's memory.
std::uint64_t memory_available(const SolverSettings& settings);
}  // namespace tayra
