#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "dse/base/hash.hpp"
#include "dse/results/result_schema.hpp"
#include "dse/space/record.hpp"

namespace dse::results {

/// A reason longer than this is cut in the row; the whole of it stands in a side table.
inline constexpr std::size_t inline_reason_bytes = 155;

/// A record as bytes of a fixed size: the row of a shard, and what merging moves about.
///
///     offset  bytes
///          0      8  point id
///          8      4  length of the whole reason in bytes
///         12      1  status
///         13    155  reason, padded with zeros
///        168    8 n  values of the point, then metrics, as doubles
///                    ^ the answer: equal for equal points, bit for bit
///                 8  wall seconds
///                 4  rank
///                 8  checksum of all bytes before, salted with the sweep's digest
class RowLayout {
  public:
    /// \param points, metrics  number of values of each
    RowLayout(std::size_t points, std::size_t metrics);
    explicit RowLayout(const ResultSchema& schema);

    [[nodiscard]] std::size_t points() const { return points_; }
    [[nodiscard]] std::size_t metrics() const { return metrics_; }
    [[nodiscard]] std::size_t bytes() const { return checksum_offset() + sizeof(std::uint64_t); }
    [[nodiscard]] std::size_t answer_bytes() const {
        return values_offset + (points_ + metrics_) * sizeof(double);
    }

    static constexpr std::size_t point_id_offset = 0;
    static constexpr std::size_t reason_length_offset = 8;
    static constexpr std::size_t status_offset = 12;
    static constexpr std::size_t reason_offset = 13;
    static constexpr std::size_t values_offset = reason_offset + inline_reason_bytes;
    [[nodiscard]] std::size_t value_offset(std::size_t i) const { return values_offset + i * sizeof(double); }
    [[nodiscard]] std::size_t wall_seconds_offset() const { return answer_bytes(); }
    [[nodiscard]] std::size_t rank_offset() const { return wall_seconds_offset() + sizeof(double); }
    [[nodiscard]] std::size_t checksum_offset() const { return rank_offset() + sizeof(std::int32_t); }

  private:
    std::size_t points_;
    std::size_t metrics_;
};

/// Reads a row.
class RowView {
  public:
    RowView(const RowLayout& layout, const std::byte* row) : layout_{&layout}, row_{row} {}

    [[nodiscard]] std::uint64_t point_id() const;
    [[nodiscard]] space::Status status() const;
    [[nodiscard]] std::uint32_t reason_length() const;
    [[nodiscard]] std::string_view inline_reason() const;
    [[nodiscard]] bool reason_is_cut() const { return reason_length() > inline_reason_bytes; }
    /// Values of the point, then metrics.
    [[nodiscard]] double value(std::size_t i) const;
    [[nodiscard]] double wall_seconds() const;
    [[nodiscard]] std::int32_t rank() const;

    /// Whether the row is what was written, by this sweep.
    [[nodiscard]] bool valid(const Digest& sweep) const;

  private:
    const RowLayout* layout_;
    const std::byte* row_;
};

/// Writes a row; seal() comes last.
class RowWriter {
  public:
    RowWriter(const RowLayout& layout, std::byte* row) : layout_{&layout}, row_{row} {}

    void set_point_id(std::uint64_t id);
    void set_status(space::Status status);
    /// The reason and its length: whole if it fits, else cut between characters and marked with an ellipsis.
    void set_reason(std::string_view reason);
    /// The text of a reason that may be cut already, and the length of the whole.
    void set_stored_reason(std::string_view text, std::uint32_t whole_length);
    void set_value(std::size_t i, double value);
    void set_wall_seconds(double seconds);
    void set_rank(std::int32_t rank);
    void seal(const Digest& sweep);
    /// Makes sure that no reader believes the row.
    void invalidate(const Digest& sweep);

  private:
    const RowLayout* layout_;
    std::byte* row_;
};

/// Writes a record into layout.bytes() bytes.
/// \param rank  that evaluated it; the record's own is not looked at
/// \pre the record has as many values as the layout's points, and the layout as many metrics as
/// metric_fields()
void pack(const RowLayout& layout, const space::Record& record, std::int32_t rank, const Digest& sweep,
          std::byte* row);

}  // namespace dse::results
