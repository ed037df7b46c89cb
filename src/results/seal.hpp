#pragma once

#include <filesystem>

namespace dse::results {

/// Ends a finished file with a checksum of all that stands before: HDF5 has none for its own tables, and does
/// not survive every damage to them. Its readers do not look behind their own end of a file.
/// \throws InputError when it cannot be written
void seal(const std::filesystem::path& path);

/// \throws InputError for a file that is not what was sealed. What has no seal, as after a change by another
/// program, is not looked at.
void check_seal(const std::filesystem::path& path);

}  // namespace dse::results
