#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <limits>
#include <string>

namespace dse {

/// checksum() of a stream from where it is to its end, or of its next `most` bytes.
std::uint64_t checksum_of_stream(std::istream& stream,
                                 std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

/// checksum() of a file's content in 16 hexadecimal digits. A file that cannot be read has that of no bytes.
std::string checksum_of_file(const std::filesystem::path& file);

}  // namespace dse
