#pragma once

#include <filesystem>

namespace dse::results {

/// Ends a finished file with a checksum of all that stands before: HDF5 has none for its own tables, and does
/// not survive every damage to them. Its readers do not look behind their own end of a file.
/// \throws InputError when it cannot be written
void seal(const std::filesystem::path& path);

/// Whether a file is what was sealed; false also for what cannot be read.
bool is_sealed(const std::filesystem::path& path);

/// Whether a file, damaged or not, once was a finished one: it begins as HDF5 does, or ends as a seal.
bool looks_finished(const std::filesystem::path& path);

}  // namespace dse::results
