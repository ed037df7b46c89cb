#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// A log is an append-only file of records, each with its length and a checksum.
///
///     offset  bytes
///          0      4  mark, by which a reader finds the next record after damaged ones
///          4      4  length of the payload
///          8      7  sequence: the number of the record in the log
///         15      1  kind
///         16      8  checksum (XXH3) of all bytes before and of the payload, salted
///         24         payload
///
/// The salt is a hash of the log's header, which itself has none: a record of another log is invalid. Since
/// the checksum covers the sequence, moved, duplicated or lost records are detected.
namespace dse::results {

enum class RecordKind : std::uint8_t {
    header = 1,    ///< describes the log
    row = 2,       ///< a point and its answer
    coverage = 3,  ///< a range of indices whose rows precede it
};

/// A record as a view of the bytes that it was read from.
struct LogRecord {
    RecordKind kind{RecordKind::header};
    std::uint64_t sequence{0};
    std::uint64_t offset{0};  ///< of the record in the file
    std::span<const std::byte> payload;
};

/// UTF-8 text never contains the bytes FF and FE, so a reason cannot look like the start of a record.
inline constexpr std::uint32_t record_mark = 0x5EC0'FEFFU;

inline constexpr std::size_t frame_bytes = 24;

/// Longest payload, so that a damaged length does not make a reader allocate without bound.
inline constexpr std::size_t max_payload = std::size_t{16} << 20U;

/// The salt of a log's records.
/// \param header  payload of its header
std::uint64_t salt_of(std::span<const std::byte> header);

/// Builds consecutive records.
class RecordWriter {
  public:
    /// Starts a record; its payload is what is appended to bytes() until end().
    void begin(RecordKind kind);
    /// \throws InputError if the payload is too long; it is dropped then
    void end(std::uint64_t salt);

    [[nodiscard]] std::vector<std::byte>& bytes() { return bytes_; }
    /// Discards the bytes; the sequence continues.
    void clear() { bytes_.clear(); }

  private:
    std::vector<std::byte> bytes_;
    std::size_t start_{0};
    std::uint64_t sequence_{0};
};

/// Payload length according to the first frame_bytes bytes; nothing if they do not start a record.
std::optional<std::size_t> announced_payload(std::span<const std::byte> bytes);

/// Decodes the record in `bytes`: frame and payload.
/// \return nothing if the checksum is wrong
std::optional<LogRecord> checked_record(std::span<const std::byte> bytes, std::uint64_t salt);

}  // namespace dse::results
