#include "results/log/frame.hpp"

#include <cstring>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/base/hash.hpp"

namespace dse::results {
namespace {

constexpr std::size_t length_offset = 4;
constexpr std::size_t sequence_offset = 8;
constexpr std::size_t checksum_offset = 16;
constexpr std::uint64_t sequence_mask = (std::uint64_t{1} << 56U) - 1;

template <class T>
T load(std::span<const std::byte> from, std::size_t offset) {
    T value;
    std::memcpy(&value, from.data() + offset, sizeof value);
    return value;
}

template <class T>
void store(T value, std::span<std::byte> to, std::size_t offset) {
    std::memcpy(to.data() + offset, &value, sizeof value);
}

/// Combines two sums, of the head and of the payload, so that neither has to be copied.
std::uint64_t checksum_of(std::span<const std::byte> record, std::uint64_t salt) {
    const std::uint64_t head = checksum(record.first(checksum_offset));
    const std::uint64_t payload = checksum(record.subspan(frame_bytes));
    const std::array<std::uint64_t, 3> parts{head, payload, salt};
    return checksum(std::as_bytes(std::span{parts}));
}

/// A header is written before the salt is known.
std::uint64_t salt_for(RecordKind kind, std::uint64_t salt) {
    return kind == RecordKind::header ? 0 : salt;
}

}  // namespace

std::uint64_t salt_of(std::span<const std::byte> header) {
    return digest(header).low;
}

void RecordWriter::begin(RecordKind kind) {
    start_ = bytes_.size();
    bytes_.resize(start_ + frame_bytes);
    const std::span frame{bytes_.data() + start_, frame_bytes};
    store(record_mark, frame, 0);
    store(sequence_ | static_cast<std::uint64_t>(kind) << 56U, frame, sequence_offset);
}

void RecordWriter::end(std::uint64_t salt) {
    const std::span record{bytes_.data() + start_, bytes_.size() - start_};
    const std::size_t length = record.size() - frame_bytes;
    if (length > max_payload) {
        bytes_.resize(start_);
        throw InputError(fmt::format("a record of {} bytes is too long for a file of rows", length));
    }
    const auto kind = static_cast<RecordKind>(load<std::uint64_t>(record, sequence_offset) >> 56U);
    store(static_cast<std::uint32_t>(length), record, length_offset);
    store(checksum_of(record, salt_for(kind, salt)), record, checksum_offset);
    ++sequence_;
}

std::optional<std::size_t> announced_payload(std::span<const std::byte> bytes) {
    DSE_EXPECT(bytes.size() >= frame_bytes);
    if (load<std::uint32_t>(bytes, 0) != record_mark) return std::nullopt;
    const std::size_t length = load<std::uint32_t>(bytes, length_offset);
    if (length > max_payload) return std::nullopt;
    return length;
}

std::optional<LogRecord> checked_record(std::span<const std::byte> bytes, std::uint64_t salt) {
    DSE_EXPECT(bytes.size() >= frame_bytes);
    const auto numbered = load<std::uint64_t>(bytes, sequence_offset);
    const auto kind = static_cast<RecordKind>(numbered >> 56U);
    if (load<std::uint64_t>(bytes, checksum_offset) != checksum_of(bytes, salt_for(kind, salt))) {
        return std::nullopt;
    }
    return LogRecord{.kind = kind,
                     .sequence = numbered & sequence_mask,
                     .offset = 0,
                     .payload = bytes.subspan(frame_bytes)};
}

}  // namespace dse::results
