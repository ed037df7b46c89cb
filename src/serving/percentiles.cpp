#include "dse/serving/percentiles.hpp"

#include "dse/base/statistics.hpp"

namespace dse::serving {

Statistics statistics(std::vector<double>& values) {
    Statistics result;
    // Computed before the values are reordered: the sum depends on their order.
    result[0] = mean(values);
    percentiles(values, std::span{shares}.subspan(1), std::span{result}.subspan(1));
    return result;
}

}  // namespace dse::serving
