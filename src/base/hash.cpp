#include "dse/base/hash.hpp"

#include <fmt/format.h>
#include <xxhash.h>

namespace dse {

Digest digest(std::span<const std::byte> bytes) {
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return {hash.high64, hash.low64};
}

Digest digest(std::string_view text) {
    return digest(std::as_bytes(std::span{text.data(), text.size()}));
}

std::uint64_t checksum(std::span<const std::byte> bytes) {
    return XXH3_64bits(bytes.data(), bytes.size());
}

std::string to_string(const Digest& value) {
    return fmt::format("{:016x}{:016x}", value.high, value.low);
}

}  // namespace dse
