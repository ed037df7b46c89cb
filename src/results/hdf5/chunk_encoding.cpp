#include "results/hdf5/chunk_encoding.hpp"

#include <cstdint>
#include <cstring>
#include <new>

#include <zlib.h>

namespace dse::results::h5 {
namespace {

/// Groups the bytes by their position in the value.
std::vector<std::byte> shuffled(std::span<const std::byte> values, std::size_t value_bytes) {
    if (value_bytes == 1) return {values.begin(), values.end()};
    std::vector<std::byte> result(values.size());
    const std::size_t count = values.size() / value_bytes;
    for (std::size_t place = 0; place < value_bytes; ++place) {
        std::byte* const plane = result.data() + place * count;
        for (std::size_t i = 0; i < count; ++i) plane[i] = values[i * value_bytes + place];
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
