#include "dse/base/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "dse/base/check.hpp"

namespace dse {

double mean(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double percentile(std::vector<double>& values, double share) {
    double result = 0.0;
    percentiles(values, {&share, 1}, {&result, 1});
    return result;
}

void percentiles(std::vector<double>& values, std::span<const double> shares, std::span<double> results) {
    DSE_EXPECT(shares.size() == results.size());
    DSE_EXPECT(std::is_sorted(shares.begin(), shares.end()));
    auto first = values.begin();
    for (std::size_t i = 0; i < shares.size(); ++i) {
        if (values.empty()) {
            results[i] = std::numeric_limits<double>::quiet_NaN();
            continue;
        }
        const double place = shares[i] * static_cast<double>(values.size() - 1);
        const auto lower = values.begin() + static_cast<std::ptrdiff_t>(std::floor(place));
        std::nth_element(first, lower, values.end());
        first = lower;  // none before it is larger, so that higher percentiles lie after it
        const double rest = place - std::floor(place);
        results[i] = *lower;
        if (rest > 0.0) results[i] += rest * (*std::min_element(lower + 1, values.end()) - *lower);
    }
}

double weighted_quantile(std::vector<std::pair<double, double>> values, double share) {
    std::ranges::sort(values);
    double total = 0.0;
    for (const auto& [value, weight] : values) total += weight;
    double sum = 0.0;
    for (const auto& [value, weight] : values) {
        sum += weight;
        if (sum >= total * share) return value;
    }
    return std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> ranks(std::span<const double> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> result(values.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t last = first + 1;
        while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
        const double rank = 0.5 * static_cast<double>(first + last - 1);
        for (; first < last; ++first) result[order[first]] = rank;
    }
    return result;
}

double correlation(std::span<const double> x, std::span<const double> y) {
    DSE_EXPECT(x.size() == y.size());
    const double mean_x = mean(x);
    const double mean_y = mean(y);
    double xy = 0.0;
    double xx = 0.0;
    double yy = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xy += (x[i] - mean_x) * (y[i] - mean_y);
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        yy += (y[i] - mean_y) * (y[i] - mean_y);
    }
    return xy / std::sqrt(xx * yy);
}

}  // namespace dse
