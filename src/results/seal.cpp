#include "results/seal.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/file_checksum.hpp"

namespace dse::results {
namespace {

constexpr std::string_view mark = "dse seal";

struct Seal {
    std::array<char, mark.size()> text{};
    std::uint64_t checksum{0};
};

/// Source: HDF5 File Format Specification 3.0, II.A "Format Signature and Version".
constexpr std::string_view hdf5_signature{"\x89HDF\r\n\x1a\n", 8};

std::uint64_t size_of(std::ifstream& file) {
    file.seekg(0, std::ios::end);
    return file ? static_cast<std::uint64_t>(file.tellg()) : 0;
}

/// The last bytes of a file; nothing if it has too few.
std::optional<Seal> read_seal(std::ifstream& file) {
    const std::uint64_t size = size_of(file);
    Seal found;
    if (size < sizeof found) return std::nullopt;
    file.seekg(static_cast<std::streamoff>(size - sizeof found));
    if (!file.read(reinterpret_cast<char*>(&found), sizeof found)) return std::nullopt;
    return found;
}

bool has_mark(const Seal& seal) {
    return std::string_view{seal.text.data(), seal.text.size()} == mark;
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
        made.checksum = checksum_of_stream(file, size);
    }
    std::ofstream file{path, std::ios::binary | std::ios::app};
    file.write(reinterpret_cast<const char*>(&made), sizeof made);
    file.close();
    if (!file) throw InputError(fmt::format("cannot write to '{}'", path.string()));
}

bool is_sealed(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    const std::optional<Seal> found = read_seal(file);
    if (!found || !has_mark(*found)) return false;
    const std::uint64_t sealed = size_of(file) - sizeof(Seal);
    file.seekg(0);
    return checksum_of_stream(file, sealed) == found->checksum;
}

bool looks_finished(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    std::array<char, hdf5_signature.size()> first{};
    if (file.read(first.data(), first.size()) &&
        std::string_view{first.data(), first.size()} == hdf5_signature) {
        return true;
    }
    file.clear();
    const std::optional<Seal> found = read_seal(file);
    return found && has_mark(*found);
}

}  // namespace dse::results
