#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// A log is a file to which records are appended, each with its length and a checksum.
///
///     offset  bytes
///          0      4  mark, by which a reader finds a record behind damaged ones
///          4      4  length of the payload
///          8      7  sequence: the number of the record in the log
///         15      1  kind
///         16      8  checksum (XXH3) of all bytes before and of the payload, salted
///         24         payload
///
/// The salt is a hash of the log's header, which itself has none: a record of another log is no record. Since
/// the checksum covers the sequence, one that was moved, doubled or lost shows.
namespace dse::results {

enum class RecordKind : std::uint8_t {
    header = 1,    ///< what the log is
    row = 2,       ///< a point and its answer
    coverage = 3,  ///< a range of indices whose rows stand before
};

/// A record as a view of the bytes that it was read from.
struct LogRecord {
    RecordKind kind{RecordKind::header};
    std::uint64_t sequence{0};
    std::uint64_t offset{0};  ///< of the record in the file
    std::span<const std::byte> payload;
};

/// No UTF-8 text has the bytes FF and FE in it, so a reason never looks like the beginning of a record.
inline constexpr std::uint32_t record_mark = 0x5EC0'FEFFU;

inline constexpr std::size_t frame_bytes = 24;

/// Longest payload; a damaged length must not make a reader ask for memory without end.
inline constexpr std::size_t max_payload = std::size_t{16} << 20U;

/// The salt of the records of a log.
/// \param header  payload of its header
std::uint64_t salt_of(std::span<const std::byte> header);

/// Makes records, one behind the other.
class RecordWriter {
  public:
    /// Opens a record; its payload is what is appended to bytes() until end().
    void begin(RecordKind kind);
    /// \throws InputError for a payload that is too long, which is dropped
    void end(std::uint64_t salt);

    [[nodiscard]] std::vector<std::byte>& bytes() { return bytes_; }
    /// Forgets the bytes; the sequence goes on.
    void clear() { bytes_.clear(); }

  private:
    std::vector<std::byte> bytes_;
    std::size_t start_{0};
    std::uint64_t sequence_{0};
};

/// Length of the payload that the first frame_bytes bytes announce; nothing where no record begins.
std::optional<std::size_t> announced_payload(std::span<const std::byte> bytes);

/// The record that `bytes` are: frame and payload.
/// \return nothing where the checksum is not theirs
std::optional<LogRecord> checked_record(std::span<const std::byte> bytes, std::uint64_t salt);

}  // namespace dse::results
