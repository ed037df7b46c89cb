#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace dse {

/// 128 bits that name a content: equal contents, equal digests, on every machine (XXH3).
struct Digest {
    std::uint64_t high{0};
    std::uint64_t low{0};
    friend constexpr auto operator<=>(const Digest&, const Digest&) = default;
};

Digest digest(std::span<const std::byte> bytes);
Digest digest(std::string_view text);

/// 64-bit checksum of a record (XXH3).
std::uint64_t checksum(std::span<const std::byte> bytes);

/// 32 hexadecimal digits.
std::string to_string(const Digest& value);

}  // namespace dse
