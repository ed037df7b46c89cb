#include "trace/chakra/file_checksum.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/hash.hpp"

namespace dse::trace::chakra {

std::uint64_t file_checksum(const std::string& path) {
    constexpr std::size_t piece = std::size_t{1} << 18U;
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    RunningChecksum sum;
    std::vector<char> bytes(piece);
    while (stream) {
        stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        sum.add(std::as_bytes(std::span{bytes}.first(static_cast<std::size_t>(stream.gcount()))));
    }
    if (!stream.eof())
        throw InputError(fmt::format("cannot read the trace '{}': {}", path, std::strerror(errno)));
    return sum.value();
}

}  // namespace dse::trace::chakra
