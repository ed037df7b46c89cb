#pragma once

#include <string>

#include "dse/results/provenance.hpp"
#include "dse/results/result_schema.hpp"

namespace dse::results {

/// Metadata of a file of rows: the same for shards and finished files.
struct Header {
    ResultSchema schema;
    Provenance provenance;
    /// "major.minor" of the file that this was read from.
    std::string version{schema_version};
    /// Rows in it come from a file without a valid seal.
    bool unsealed{false};
};

}  // namespace dse::results
