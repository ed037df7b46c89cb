#include "results/coverage_table.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "dse/base/hash.hpp"
#include "results/finished_columns.hpp"
#include "results/hdf5/dataset.hpp"
#include "results/hdf5/library.hpp"

namespace dse::results {
namespace {

constexpr const char* coverage_dataset = "coverage";

/// A range as stored.
struct CoverageRow {
    Coverage coverage;
    std::uint64_t checksum{0};
};
static_assert(sizeof(CoverageRow) == 32);

std::uint64_t checksum_of(const Coverage& coverage) {
    return checksum(std::as_bytes(std::span{&coverage, 1}));
}

bool valid(const CoverageRow& row) {
    const Coverage& range = row.coverage;
    return row.checksum == checksum_of(range) &&
           range.count <= std::numeric_limits<std::uint64_t>::max() - range.first;
}

h5::Handle coverage_type(const h5::File& file) {
    h5::Handle type =
        h5::own(H5Tcreate(H5T_COMPOUND, sizeof(CoverageRow)), H5Tclose, "write to", file.path());
    const auto add = [&](const char* name, std::size_t offset) {
        h5::check(H5Tinsert(type.id(), name, offset, H5T_NATIVE_UINT64), "write to", file.path());
    };
    const std::size_t base = offsetof(CoverageRow, coverage);
    add("first", base + offsetof(Coverage, first));
    add("count", base + offsetof(Coverage, count));
    add("rows", base + offsetof(Coverage, rows));
    add("checksum", offsetof(CoverageRow, checksum));
    return type;
}

}  // namespace

void write_coverage(const h5::File& file, const std::vector<Coverage>& ranges) {
    std::vector<CoverageRow> rows;
    rows.reserve(ranges.size());
    for (const Coverage& range : ranges) rows.push_back({range, checksum_of(range)});
    const h5::Handle type = coverage_type(file);
    h5::Dataset::create(file, coverage_dataset, {H5Tcopy(type.id()), H5Tclose},
                        h5::chunk_for(rows.size(), column_chunk), h5::Compression::shuffle_deflate)
        .append(rows.data(), rows.size(), type.id());
}

std::vector<Coverage> read_coverage(const h5::File& file) {
    const h5::Dataset data = h5::Dataset::open(file, coverage_dataset);
    const h5::Handle type = coverage_type(file);
    std::vector<Coverage> ranges;
    std::vector<CoverageRow> block(column_chunk);
    for (std::uint64_t first = 0; first < data.size(); first += column_chunk) {
        const std::uint64_t count = std::min(column_chunk, data.size() - first);
        data.read(first, count, type.id(), block.data());
        for (std::uint64_t i = 0; i < count; ++i) {
            if (valid(block[i])) ranges.push_back(block[i].coverage);
        }
    }
    std::sort(ranges.begin(), ranges.end(),
              [](const Coverage& a, const Coverage& b) { return a.first < b.first; });
    return ranges;
}

RowCounter::RowCounter(const IntervalSet& ranges) {
    for (const Interval& interval : ranges.intervals()) {
        ranges_.push_back({interval.first, interval.count(), 0});
    }
}

void RowCounter::add(std::uint64_t point_id) {
    const auto ends_before = [&](const Coverage& range) { return range.first + range.count <= point_id; };
    while (current_ < ranges_.size() && ends_before(ranges_[current_])) ++current_;
    if (current_ < ranges_.size() && ranges_[current_].first <= point_id) ++ranges_[current_].rows;
}

}  // namespace dse::results
