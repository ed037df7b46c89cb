#pragma once

#include <filesystem>

namespace dse::results {

/// Ends a finished file with a checksum of everything before it, since HDF5 has none for its own tables and
/// does not survive every damage to them. HDF5 readers ignore bytes beyond their end of the file.
/// \throws InputError if it cannot be written
void seal(const std::filesystem::path& path);

/// Whether a file is unchanged since it was sealed; false also for unreadable files.
bool is_sealed(const std::filesystem::path& path);

/// Whether a file, damaged or not, was once a finished one: it starts with HDF5's signature, or ends with a
/// seal.
bool looks_finished(const std::filesystem::path& path);

}  // namespace dse::results
