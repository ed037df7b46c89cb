#include "explore/screen_margin.hpp"

#include <algorithm>
#include <cmath>

namespace dse::explore {
namespace {

/// Margin on either side of the range of observed ratios, as a fraction of it: unseen ratios may be outside.
constexpr double reserve = 0.1;

}  // namespace

void ScreenMargin::learn(std::span<const double> cheap, std::span<const double> dear) {
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
        const double ratio = dear[i] / cheap[i];
        if (!std::isfinite(ratio)) continue;  // no ratios to a cost of zero
        Range& range = ranges_[i];
        range.low = range.known ? std::min(range.low, ratio) : ratio;
        range.high = range.known ? std::max(range.high, ratio) : ratio;
        range.known = true;
    }
}

std::vector<double> ScreenMargin::best(std::span<const double> cheap) const {
    std::vector<double> costs(cheap.begin(), cheap.end());
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
        const double slack = reserve * (ranges_[i].high - ranges_[i].low);
        costs[i] *= costs[i] >= 0.0 ? ranges_[i].low - slack : ranges_[i].high + slack;
    }
    return costs;
}

}  // namespace dse::explore
