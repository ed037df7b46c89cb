#pragma once

#include <string>
#include <string_view>

#include "results/hdf5/file.hpp"
#include "results/header.hpp"

/// The attributes of the root of a finished file, which say what it is.
namespace dse::results {

void write_header(const h5::File& file, const Header& header);

/// \throws InputError for a file that is not dse's, of another kind, or of a major version that is neither
/// this dse's nor the one before
Header read_header(const h5::File& file);

}  // namespace dse::results
