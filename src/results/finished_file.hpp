#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "dse/results/trust.hpp"
#include "results/row_source.hpp"

namespace dse::results {

/// Opens a finished file. One without a valid seal is rejected or, depending on `trust`, converted to a log
/// by a child process, since HDF5 does not survive every damage, and its header marked as unsealed.
/// \throws InputError if it is not a finished file, or is damaged
std::unique_ptr<RowSource> open_finished(const std::filesystem::path& path, Trust trust = Trust::sealed);

/// \param hint  what to do about it
/// \throws InputError saying that a file without a valid seal is damaged, or one of another program
[[noreturn]] void refuse_unsealed(const std::filesystem::path& path, std::string_view hint = {});

/// \throws InputError saying what is wrong if there is no file of this name, or it is not an HDF5 file
void require_file(const std::filesystem::path& path);

}  // namespace dse::results
