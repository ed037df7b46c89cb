#pragma once

#include <string>

#include "dse/config/diagnostics.hpp"
#include "dse/netsim/astra/files.hpp"

namespace dse::netsim {

/// ASTRA-sim's input files.
struct AstraPaths {
    std::string network;  ///< --network-configuration (YAML)
    std::string system;   ///< --system-configuration (JSON)
    std::string memory;   ///< --remote-memory-configuration (JSON)
};

/// Reads them as they are. Every key that ASTRA-sim reads is honoured; a key that it does not read has a
/// warning, and so has one that only makes it write more files. \param diagnostics  gets errors and warnings
/// with their places \throws InputError where a file cannot be read
AstraFiles read_astra_files(const AstraPaths& paths, config::Diagnostics& diagnostics);

/// Likewise, and makes of them what they mean. The schedules that the system file names are read as well,
/// from paths relative to the working directory. \throws InputError with every error
AstraMachine read_astra_machine(const AstraPaths& paths, config::Diagnostics& diagnostics);

}  // namespace dse::netsim
