#include "dse/base/file_checksum.hpp"

#include <algorithm>
#include <fstream>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "dse/base/hash.hpp"

namespace dse {

std::uint64_t checksum_of_stream(std::istream& stream, std::uint64_t most) {
    RunningChecksum sum;
    std::vector<char> block(std::size_t{1} << 20U);
    while (most > 0 && stream) {
        stream.read(block.data(), static_cast<std::streamsize>(std::min<std::uint64_t>(most, block.size())));
        const auto count = static_cast<std::size_t>(stream.gcount());
        sum.add(std::as_bytes(std::span{block.data(), count}));
        most -= count;
    }
    return sum.value();
}

std::string checksum_of_file(const std::filesystem::path& file) {
    std::ifstream stream{file, std::ios::binary};
    return fmt::format("{:016x}", checksum_of_stream(stream));
}

}  // namespace dse
