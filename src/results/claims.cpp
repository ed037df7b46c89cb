#include "results/claims.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace dse::results {
namespace {

/// Far more rows than are ever flushed at once: without claims, memory must not grow with the file.
constexpr std::size_t max_batch = std::size_t{1} << 20U;

}  // namespace

void Claims::add_row(std::uint64_t point_id) {
    if (claimed_ || batch_.size() == max_batch) end_batch();
    batch_.push_back(point_id);
}

void Claims::add_claim(const Coverage& claim) {
    if (!claimed_) {
        std::sort(batch_.begin(), batch_.end());
        batch_.erase(std::unique(batch_.begin(), batch_.end()), batch_.end());
        claimed_ = true;
    }
    if (borne_out(claim)) accepted_.push_back({claim.first, claim.first + claim.count});
}

bool Claims::borne_out(const Coverage& claim) {
    if (claim.count > std::numeric_limits<std::uint64_t>::max() - claim.first) return false;
    const auto begin = std::lower_bound(batch_.begin(), batch_.end(), claim.first);
    const auto end = std::lower_bound(begin, batch_.end(), claim.first + claim.count);
    return static_cast<std::uint64_t>(end - begin) >= claim.rows;
}

void Claims::end_batch() {
    const IntervalSet accepted{std::exchange(accepted_, {})};
    for (const std::uint64_t id : batch_) {
        if (!accepted.contains(id)) cover({id, id + 1});
    }
    for (const Interval& interval : accepted.intervals()) cover(interval);
    batch_.clear();
    claimed_ = false;
}

void Claims::cover(const Interval& interval) {
    if (!covered_.empty() && covered_.back().last == interval.first) {
        covered_.back().last = interval.last;
    } else {
        covered_.push_back(interval);
    }
}

IntervalSet Claims::take() {
    end_batch();
    return IntervalSet{std::exchange(covered_, {})};
}

}  // namespace dse::results
