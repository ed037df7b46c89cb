#include "results/hdf5/chunk_encoding.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <new>

#include <zlib.h>

namespace dse::results::h5 {
namespace {

/// Eight values of eight bytes each.
using Block = std::array<std::uint64_t, 8>;

/// Exchanges byte j of value i with byte i of value j: single bytes, then pairs, then halves.
void transpose(Block& block) {
    constexpr std::array<std::uint64_t, 3> masks{0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};
    for (std::size_t level = 0; level < masks.size(); ++level) {
        const std::size_t distance = std::size_t{1} << level;
        const std::size_t bits = 8 * distance;
        for (std::size_t i = 0; i < block.size(); ++i) {
            if ((i & distance) != 0) continue;
            const std::uint64_t swapped = ((block[i] >> bits) ^ block[i + distance]) & masks[level];
            block[i + distance] ^= swapped;
            block[i] ^= swapped << bits;
        }
    }
}

/// shuffled() for as many whole blocks of values of eight bytes as there are. \return the number of values
std::size_t shuffle_blocks(std::span<const std::byte> values, std::byte* result) {
    constexpr std::size_t width = sizeof(std::uint64_t);
    const std::size_t count = values.size() / width;
    const std::size_t whole = std::endian::native == std::endian::little ? count - count % width : 0;
    Block block;
    for (std::size_t i = 0; i < whole; i += width) {
        std::memcpy(block.data(), values.data() + i * width, sizeof block);
        transpose(block);
        for (std::size_t place = 0; place < width; ++place)
            std::memcpy(result + place * count + i, &block[place], width);
    }
    return whole;
}

/// Groups the bytes by their position in the value.
std::vector<std::byte> shuffled(std::span<const std::byte> values, std::size_t value_bytes) {
    if (value_bytes == 1) return {values.begin(), values.end()};
    std::vector<std::byte> result(values.size());
    const std::size_t count = values.size() / value_bytes;
    const std::size_t done = value_bytes == sizeof(std::uint64_t) ? shuffle_blocks(values, result.data()) : 0;
    for (std::size_t place = 0; place < value_bytes; ++place) {
        std::byte* const plane = result.data() + place * count;
        for (std::size_t i = done; i < count; ++i) plane[i] = values[i * value_bytes + place];
    }
    return result;
}

std::vector<std::byte> deflated(std::span<const std::byte> bytes) {
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::vector<std::byte> result(size + sizeof(std::uint32_t));
    const int status = compress2(reinterpret_cast<Bytef*>(result.data()), &size,
                                 reinterpret_cast<const Bytef*>(bytes.data()),
                                 static_cast<uLong>(bytes.size()), deflate_level);
    if (status != Z_OK) throw std::bad_alloc{};  // there is room for every result
    result.resize(size);
    return result;
}

/// Fletcher checksum over 16-bit words, high byte first; a trailing odd byte is the high one.
std::uint32_t fletcher32(std::span<const std::byte> bytes) {
    constexpr std::size_t words_without_overflow = 360;
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    const auto fold = [](std::uint32_t sum) { return (sum & 0xFFFFU) + (sum >> 16U); };
    const auto at = [&](std::size_t i) {
        return i < bytes.size() ? static_cast<std::uint32_t>(bytes[i]) : 0U;
    };
    for (std::size_t first = 0; first < bytes.size();) {
        const std::size_t end = std::min(first + 2 * words_without_overflow, bytes.size());
        for (; first < end; first += 2) {
            low += at(first) << 8U | at(first + 1);
            high += low;
        }
        low = fold(low);
        high = fold(high);
    }
    return fold(high) << 16U | fold(low);
}

}  // namespace

std::vector<std::byte> encoded_chunk(std::span<const std::byte> values, std::size_t value_bytes,
                                     Compression compression) {
    std::vector<std::byte> result = compression == Compression::shuffle_deflate
                                        ? deflated(shuffled(values, value_bytes))
                                        : std::vector<std::byte>{values.begin(), values.end()};
    if (compression == Compression::none) return result;
    const std::uint32_t sum = fletcher32(result);
    const std::size_t size = result.size();
    result.resize(size + sizeof sum);
    std::memcpy(result.data() + size, &sum, sizeof sum);
    return result;
}

}  // namespace dse::results::h5
