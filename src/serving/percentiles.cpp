#include "dse/serving/percentiles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace dse::serving {

double percentile(std::vector<double>& values, double share) {
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    const double place = share * static_cast<double>(values.size() - 1);
    const auto lower = values.begin() + static_cast<std::ptrdiff_t>(std::floor(place));
    std::nth_element(values.begin(), lower, values.end());
    const double rest = place - std::floor(place);
    if (rest == 0.0) return *lower;
    return *lower + rest * (*std::min_element(lower + 1, values.end()) - *lower);
}

Statistics statistics(std::vector<double>& values) {
    Statistics result;
    // Before the percentiles: sums depend on the order.
    result[0] = values.empty()
                    ? std::numeric_limits<double>::quiet_NaN()
                    : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    for (std::size_t i = 1; i < result.size(); ++i) result[i] = percentile(values, shares[i]);
    return result;
}

}  // namespace dse::serving
