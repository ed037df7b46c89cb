#include "dse/hardware/device/cost_sums.hpp"

#include <algorithm>
#include <numeric>

#include "dse/base/check.hpp"

namespace dse::hardware {

bool CostSums::fit(std::size_t costs) const {
    return weights_.contains(any_family) &&
           std::ranges::all_of(weights_, [&](const auto& family) { return family.second.size() == costs; });
}

double CostSums::operator()(int family, std::span<const double> costs) const {
    auto found = weights_.find(family);
    if (found == weights_.end()) found = weights_.find(any_family);
    if (found == weights_.end()) return 0.0;
    const std::vector<double>& weights = found->second;
    DSE_EXPECT(weights.size() == costs.size());
    return std::inner_product(weights.begin(), weights.end(), costs.begin(), 0.0);
}

}  // namespace dse::hardware
