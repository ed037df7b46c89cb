#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "results/log/frame.hpp"

namespace dse::results {

/// Bytes [begin, end) of a file.
struct FileRange {
    std::uint64_t begin{0};
    std::uint64_t end{0};
};

/// Reads the records of a log in order. Damaged bytes are skipped up to the next whole record. A record with
/// a lower sequence than an earlier one is out of place, and skipped too.
///
/// Holds no open file between calls, since there may be thousands of readers.
class LogReader {
  public:
    /// \param buffer  bytes to read at once; more if a record is longer
    LogReader(std::filesystem::path path, FileRange range, std::uint64_t salt, std::size_t buffer);

    /// \param record  valid until the next call
    /// \return false at the end
    /// \throws InputError if the file cannot be read
    bool next(LogRecord& record);

    /// Number of records skipped so far: missing sequence numbers, plus one if there are invalid bytes at the
    /// end.
    [[nodiscard]] std::uint64_t lost() const { return lost_; }

  private:
    /// Makes the next `count` bytes available. \return false if the file has fewer
    bool have(std::size_t count);
    void refill(std::size_t count);
    bool take(LogRecord& record);
    bool find_mark();
    [[nodiscard]] std::uint64_t position() const { return buffer_offset_ + used_; }
    [[nodiscard]] std::span<const std::byte> ahead() const { return std::span{buffer_}.subspan(used_); }

    std::filesystem::path path_;
    FileRange range_;
    std::uint64_t salt_;
    std::size_t read_size_;
    std::vector<std::byte> buffer_;
    std::uint64_t buffer_offset_;  ///< of the buffer's first byte in the file
    std::size_t used_{0};          ///< bytes of the buffer that have been consumed
    std::uint64_t expected_{0};    ///< sequence of the next record
    std::uint64_t lost_{0};
    bool strayed_{false};  ///< bytes were skipped since the last record
};

}  // namespace dse::results
