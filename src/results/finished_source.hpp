#pragma once

#include <filesystem>
#include <memory>

#include "results/row_source.hpp"

namespace dse::results {

/// Opens a finished file with the HDF5 library in this process, whatever the file contains.
/// \throws InputError if it is not a finished file
std::unique_ptr<RowSource> open_columns(const std::filesystem::path& path);

}  // namespace dse::results
