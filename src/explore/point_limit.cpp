#include "explore/point_limit.hpp"

#include "dse/base/checkpoint.hpp"

namespace dse::explore {

results::IntervalSet limited(const space::Sampler& sampler, const results::IntervalSet& covered,
                             std::uint64_t limit) {
    if (limit >= sampler.size()) return covered;
    results::IntervalSet result = covered;
    space::Point point;
    std::uint64_t left = limit;
    for (const results::Interval& gap : covered.gaps(sampler.size()).intervals()) {
        if (left == 0) {
            result.insert(gap);
            continue;
        }
        const auto stream = sampler.points(gap.first, gap.last);
        while (left > 0 && stream->next(point)) {
            --left;
            checkpoint(1);
        }
        if (left == 0 && point.id + 1 < gap.last) result.insert({point.id + 1, gap.last});
    }
    return result;
}

}  // namespace dse::explore
