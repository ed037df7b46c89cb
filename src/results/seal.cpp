#include "results/seal.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/hash.hpp"

namespace dse::results {
namespace {

constexpr std::string_view mark = "dse seal";

struct Seal {
    std::array<char, mark.size()> text{};
    std::uint64_t checksum{0};
};

/// XXH3 of the first `bytes` of a file.
std::uint64_t checksum_of(std::ifstream& file, std::uint64_t bytes) {
    RunningChecksum sum;
    std::vector<char> block(std::size_t{1} << 20U);
    file.seekg(0);
    while (bytes > 0 && file) {
        file.read(block.data(), static_cast<std::streamsize>(std::min<std::uint64_t>(bytes, block.size())));
        sum.add(std::as_bytes(std::span{block.data(), static_cast<std::size_t>(file.gcount())}));
        bytes -= static_cast<std::uint64_t>(file.gcount());
    }
    return sum.value();
}

}  // namespace

void seal(const std::filesystem::path& path) {
    Seal made;
    std::memcpy(made.text.data(), mark.data(), mark.size());
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(path, error);
    if (error) throw InputError(fmt::format("cannot read '{}': {}", path.string(), error.message()));
    {
        std::ifstream file{path, std::ios::binary};
        made.checksum = checksum_of(file, size);
    }
    std::ofstream file{path, std::ios::binary | std::ios::app};
    file.write(reinterpret_cast<const char*>(&made), sizeof made);
    file.close();
    if (!file) throw InputError(fmt::format("cannot write to '{}'", path.string()));
}

void check_seal(const std::filesystem::path& path) {
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(path, error);
    Seal found;
    if (error || size < sizeof found) return;  // whoever opens it says why it is none
    std::ifstream file{path, std::ios::binary};
    file.seekg(static_cast<std::streamoff>(size - sizeof found));
    file.read(reinterpret_cast<char*>(&found), sizeof found);
    if (!file || std::string_view{found.text.data(), found.text.size()} != mark) return;
    if (checksum_of(file, size - sizeof found) != found.checksum) {
        throw InputError(
            fmt::format("'{}' is damaged: its contents are not those that were written", path.string()));
    }
}

}  // namespace dse::results
