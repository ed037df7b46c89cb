#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "dse/results/result_sink.hpp"
#include "results/header.hpp"
#include "results/log/frame.hpp"
#include "results/row.hpp"

/// Contents of the records in a log of rows.
namespace dse::results {

inline constexpr const char* shard_extension = ".rows";

/// Describes a log of rows; its first record, which is stored twice.
struct LogHeader {
    Header header;
    std::vector<std::string> hosts;  ///< machines that Row::host refers to
    std::string name;                ///< unique per log: salts its records
};

std::vector<std::byte> encode(const LogHeader& header);

/// \throws InputError for invalid bytes, and for a log of another version of dse
LogHeader decode_header(std::span<const std::byte> bytes);

/// Number of values of a row.
struct RowShape {
    std::size_t points{0};
    std::size_t metrics{0};

    explicit RowShape(const ResultSchema& schema)
        : points{schema.points.size()}, metrics{schema.metrics.size()} {}
    [[nodiscard]] std::size_t values() const { return points + metrics; }
};

/// Appends the payload of a row's record. If all metrics are NaN, they take no space; NaNs are normalised to
/// a single bit pattern.
/// \pre row.values.size() == shape.values()
void encode(const Row& row, const RowShape& shape, std::vector<std::byte>& to);

/// \param values  receives the row's values, and must outlive it
/// \return views of `bytes` and `values`
/// \throws InputError if the bytes are not a row of that shape
Row decode_row(std::span<const std::byte> bytes, const RowShape& shape, std::vector<double>& values);

void encode(const Coverage& coverage, std::vector<std::byte>& to);
Coverage decode_coverage(std::span<const std::byte> bytes);

}  // namespace dse::results
