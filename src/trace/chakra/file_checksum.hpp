#pragma once

#include <cstdint>
#include <string>

namespace dse::trace::chakra {

/// Checksum of a file's bytes as stored on disk.
/// \throws InputError if the file cannot be read
std::uint64_t file_checksum(const std::string& path);

}  // namespace dse::trace::chakra
