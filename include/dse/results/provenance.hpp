#pragma once

#include <string>
#include <string_view>

namespace dse::results {

/// Origin of rows.
struct Provenance {
    std::string dse_version;
    std::string git_hash;  ///< of the sources that dse was built from; ends in "-dirty" if they were modified
    std::string host;
    std::string start;  ///< ISO 8601, UTC
};

/// Version of this build.
std::string_view dse_version();
std::string_view git_hash();

/// Name of this machine.
std::string host_name();

/// Provenance of this process; `start` is the time of the call.
Provenance this_run();

}  // namespace dse::results
