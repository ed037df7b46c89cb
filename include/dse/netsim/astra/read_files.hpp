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

/// Reads the files. All keys that ASTRA-sim reads are supported; keys that it does not read, and keys that
/// only make it write more files, cause a warning.
/// \param diagnostics  receives errors and warnings with their locations
/// \throws InputError if a file cannot be read
AstraFiles read_astra_files(const AstraPaths& paths, config::Diagnostics& diagnostics);

/// Reads and interprets the files. Schedules named in the system file are read as well, from paths relative
/// to the working directory.
/// \throws InputError with all errors
AstraMachine read_astra_machine(const AstraPaths& paths, config::Diagnostics& diagnostics);

}  // namespace dse::netsim
