#include "dse/metrics/rank_correlation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "dse/base/check.hpp"

namespace dse::metrics {
namespace {

std::vector<double> ranks(std::span<const double> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> result(values.size());
    for (std::size_t i = 0; i < order.size();) {
        std::size_t end = i;
        while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
        const double rank = (static_cast<double>(i) + static_cast<double>(end) - 1.0) / 2.0;  // ties share
        for (; i < end; ++i) result[order[i]] = rank;
    }
    return result;
}

}  // namespace

double rank_correlation(std::span<const double> x, std::span<const double> y) {
    DSE_EXPECT(x.size() == y.size());
    if (x.size() < 3) return std::nan("");
    const std::vector<double> a = ranks(x);
    const std::vector<double> b = ranks(y);
    const double mean = (static_cast<double>(x.size()) - 1.0) / 2.0;
    double ab = 0.0;
    double aa = 0.0;
    double bb = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        ab += (a[i] - mean) * (b[i] - mean);
        aa += (a[i] - mean) * (a[i] - mean);
        bb += (b[i] - mean) * (b[i] - mean);
    }
    return ab / std::sqrt(aa * bb);
}

}  // namespace dse::metrics
