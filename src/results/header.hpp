#pragma once

#include <string>
#include <string_view>

#include "dse/results/provenance.hpp"
#include "dse/results/result_schema.hpp"
#include "results/hdf5/file.hpp"

/// The attributes of the root that say what a file is: the same in shards and in finished files.
namespace dse::results {

inline constexpr std::string_view results_kind = "dse results";
inline constexpr std::string_view shard_kind = "dse shard";

struct Header {
    ResultSchema schema;
    Provenance provenance;
};

void write_header(const h5::File& file, std::string_view kind, const Header& header);

/// \throws InputError for a file that is not dse's, of another kind, or of another major version
Header read_header(const h5::File& file, std::string_view kind);

/// What a file calls itself.
/// \throws InputError for a file that is not dse's
std::string kind_of(const h5::File& file);

}  // namespace dse::results
