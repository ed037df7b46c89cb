#include "dse/serving/percentiles.hpp"

#include "dse/base/statistics.hpp"

namespace dse::serving {

Statistics statistics(std::vector<double>& values) {
    Statistics result;
    // Computed before the values are reordered: the sum depends on their order.
    result[0] = mean(values);
    for (std::size_t i = 1; i < result.size(); ++i) result[i] = percentile(values, shares[i]);
    return result;
}

}  // namespace dse::serving
