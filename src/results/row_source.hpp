#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "dse/results/interval_set.hpp"
#include "dse/results/result_sink.hpp"
#include "results/header.hpp"
#include "results/row_layout.hpp"

namespace dse::results {

/// Rows that stand in a file, a shard or a finished one, in the one layout that merging works on.
class RowSource {
  public:
    RowSource() = default;
    RowSource(const RowSource&) = delete;
    RowSource& operator=(const RowSource&) = delete;
    virtual ~RowSource() = default;

    [[nodiscard]] virtual const std::string& path() const = 0;
    [[nodiscard]] virtual const Header& header() const = 0;
    [[nodiscard]] virtual std::uint64_t rows() const = 0;

    /// Rows [first, first + count) of the file, sealed; a row that cannot be read comes back invalid.
    /// \param rows  count * RowLayout::bytes() bytes
    virtual void read(std::uint64_t first, std::uint64_t count, std::byte* rows) const = 0;

    /// The whole of a reason that is cut in its row, or as much of it as is there; null where nothing is.
    [[nodiscard]] virtual const std::string* long_reason(std::uint64_t point_id) const = 0;

    /// What the file claims to hold; for a shard to be believed as far as its rows bear it out.
    [[nodiscard]] virtual const std::vector<Coverage>& coverage() const = 0;

    /// Names of the machines that wrote the rows.
    [[nodiscard]] virtual const std::vector<std::string>& hosts() const = 0;

    /// Which of hosts() wrote a row.
    [[nodiscard]] virtual std::uint16_t host(std::uint64_t row) const = 0;
};

/// \throws InputError for what is no shard, or not one that can be opened
std::unique_ptr<RowSource> open_shard(const std::filesystem::path& path);

/// \throws InputError for what is no finished file
std::unique_ptr<RowSource> open_finished(const std::filesystem::path& path);

/// Whether all of a row's reason is there, in the row or beside it.
inline bool reason_is_whole(const RowSource& source, const RowView& row) {
    if (!row.reason_is_cut()) return true;
    const std::string* const whole = source.long_reason(row.point_id());
    return whole != nullptr && whole->size() == row.reason_length();
}

/// Goes over all valid rows of a source in the order of the file, in blocks.
/// A row whose long reason is not all there does not count as valid.
/// \param visit  called with (index of the row in the file, RowView)
template <class Visit>
void for_each_valid_row(const RowSource& source, Visit visit) {
    constexpr std::uint64_t block = 4096;
    const RowLayout layout{source.header().schema};
    const Digest sweep = source.header().schema.sweep.digest;
    std::vector<std::byte> bytes(block * layout.bytes());
    for (std::uint64_t first = 0; first < source.rows(); first += block) {
        const std::uint64_t count = std::min(block, source.rows() - first);
        source.read(first, count, bytes.data());
        for (std::uint64_t i = 0; i < count; ++i) {
            const RowView row{layout, bytes.data() + i * layout.bytes()};
            if (!row.valid(sweep) || !reason_is_whole(source, row)) continue;
            visit(first + i, row);
        }
    }
}

}  // namespace dse::results
