#pragma once

#include <string>

#include "dse/config/diagnostics.hpp"
#include "dse/model/compute/systolic/buffers.hpp"

namespace dse::model {

/// How SCALE-Sim treats the memory behind the buffers.
enum class InterfaceBandwidth : std::uint8_t {
    calc,  ///< as fast as needed: no stalls
    user,  ///< as the file says
};

/// What SCALE-Sim's architecture file (*.cfg) describes.
struct ScaleSimArchitecture {
    std::string run_name;
    SystolicArray array;
    InterfaceBandwidth interface { InterfaceBandwidth::calc };
    SystolicBuffers buffers;  ///< words are bytes; bandwidths are infinite under `calc`
};

/// Reads one as it is: sections, keys and values as SCALE-Sim v3 (1d62b68a) reads them, so a file that it
/// refuses is refused. Under USER the inputs come at [layout] IfmapSRAMBankBandwidth and
/// FilterSRAMBankBandwidth, and outputs leave at the first number of Bandwidth. What it models and dse does
/// not (Ramulator's traces, sparsity, custom layouts) is refused by name where it is switched on.
/// \param diagnostics  gets errors and warnings with their places
/// \throws InputError where the file cannot be read
ScaleSimArchitecture read_architecture_file(const std::string& file, config::Diagnostics& diagnostics);

}  // namespace dse::model
