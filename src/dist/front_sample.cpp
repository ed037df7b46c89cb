#include "dist/front_sample.hpp"

#include <algorithm>
#include <cmath>

#include "dse/metrics/pareto.hpp"

namespace dse::dist {

bool FrontSample::admit(std::span<const double> costs) {
    if (costs.empty() ||
        std::any_of(costs.begin(), costs.end(), [](double cost) { return std::isnan(cost); })) {
        return false;
    }
    const auto nowhere_worse = [&](const std::vector<double>& other) {
        return std::equal(other.begin(), other.end(), costs.begin(),
                          [](double a, double b) { return a <= b; });
    };
    if (std::any_of(front_.begin(), front_.end(), nowhere_worse)) return false;
    std::erase_if(front_, [&](const std::vector<double>& other) { return metrics::dominates(costs, other); });
    if (front_.size() == bound_) return false;
    front_.emplace_back(costs.begin(), costs.end());
    return true;
}

}  // namespace dse::dist
