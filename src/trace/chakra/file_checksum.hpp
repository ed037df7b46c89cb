#pragma once

#include <cstdint>
#include <string>

namespace dse::trace::chakra {

/// Of a file's bytes as they lie on the disk.
/// \throws InputError where it cannot be read
std::uint64_t file_checksum(const std::string& path);

}  // namespace dse::trace::chakra
