#include "dse/serving/percentiles.hpp"

#include "dse/base/statistics.hpp"

namespace dse::serving {

Statistics statistics(std::vector<double>& values) {
    Statistics result;
    // Before the percentiles: sums depend on the order.
    result[0] = mean(values);
    for (std::size_t i = 1; i < result.size(); ++i) result[i] = percentile(values, shares[i]);
    return result;
}

}  // namespace dse::serving
