#pragma once

#include <filesystem>
#include <memory>

#include "results/row_source.hpp"

namespace dse::results {

/// Opens a finished file with the library that reads HDF5, in this process, whatever it holds.
/// \throws InputError for what is no finished file
std::unique_ptr<RowSource> open_columns(const std::filesystem::path& path);

}  // namespace dse::results
