#include "results/scan.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace dse::results {
namespace {

/// Ids of the places, each once, ascending.
std::vector<std::uint64_t> distinct_ids(const std::vector<RowPlace>& places) {
    std::vector<std::uint64_t> ids;
    ids.reserve(places.size());
    for (const RowPlace& place : places) {
        if (ids.empty() || ids.back() != place.point_id) ids.push_back(place.point_id);
    }
    return ids;
}

bool borne_out(const Coverage& claim, const std::vector<std::uint64_t>& ids) {
    const auto begin = std::lower_bound(ids.begin(), ids.end(), claim.first);
    const auto end = std::lower_bound(begin, ids.end(), claim.first + claim.count);
    return static_cast<std::uint64_t>(end - begin) >= claim.rows;
}

IntervalSet verified(const std::vector<Coverage>& claims, const std::vector<std::uint64_t>& ids) {
    std::vector<Interval> intervals;
    for (const Coverage& claim : claims) {
        const bool sane = claim.count <= std::numeric_limits<std::uint64_t>::max() - claim.first;
        if (sane && borne_out(claim, ids)) intervals.push_back({claim.first, claim.first + claim.count});
    }
    IntervalSet covered{std::move(intervals)};
    std::vector<Interval> all = covered.intervals();
    for (const std::uint64_t id : ids) {
        if (!covered.contains(id)) all.push_back({id, id + 1});
    }
    return IntervalSet{std::move(all)};
}

}  // namespace

Scan scan(const RowSource& source) {
    Scan result;
    for_each_valid_row(source, [&](std::uint64_t index, const RowView& row) {
        result.places.push_back({row.point_id(), index});
        if (space::is_failure(row.status())) ++result.failures;
        result.longest_reason = std::max(result.longest_reason, row.inline_reason().size());
    });
    result.invalid_rows = source.rows() - result.places.size();
    std::sort(result.places.begin(), result.places.end(), [](const RowPlace& a, const RowPlace& b) {
        return std::tie(a.point_id, a.row) < std::tie(b.point_id, b.row);
    });
    result.covered = verified(source.coverage(), distinct_ids(result.places));
    return result;
}

}  // namespace dse::results
