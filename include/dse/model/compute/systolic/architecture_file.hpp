#pragma once

#include <string>

#include "dse/config/diagnostics.hpp"
#include "dse/model/compute/systolic/buffers.hpp"

namespace dse::model {

/// Memory bandwidth of the buffers in SCALE-Sim.
enum class InterfaceBandwidth : std::uint8_t {
    calc,  ///< as high as needed: no stalls
    user,  ///< as set in the file
};

/// The content of SCALE-Sim's architecture file (*.cfg).
struct ScaleSimArchitecture {
    std::string run_name;
    SystolicArray array;
    InterfaceBandwidth interface { InterfaceBandwidth::calc };
    SystolicBuffers buffers;  ///< words are bytes; bandwidths are infinite under `calc`
};

/// Reads such a file. Sections, keys and values are interpreted as in SCALE-Sim v3 (1d62b68a), and files that
/// it rejects are rejected. Under USER, inputs have the bandwidths [layout] IfmapSRAMBankBandwidth and
/// FilterSRAMBankBandwidth, and outputs have the first number of Bandwidth. Features that dse does not model
/// (Ramulator's traces, sparsity, custom layouts) are rejected by name if they are switched on.
/// \param diagnostics  receives errors and warnings with their locations
/// \throws InputError if the file cannot be read
ScaleSimArchitecture read_architecture_file(const std::string& file, config::Diagnostics& diagnostics);

}  // namespace dse::model
