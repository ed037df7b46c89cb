#include "dse/serving/request_latencies.hpp"

#include <algorithm>
#include <limits>

namespace dse::serving {
namespace {

double loosest(const graph::ServiceLevels& levels, Latency latency) {
    const double most = std::ranges::max(levels.most[latency]).value();
    return most > 0.0 ? most : std::numeric_limits<double>::infinity();
}

}  // namespace

RequestLimits::RequestLimits(const graph::ServiceLevels& levels)
    : first_{loosest(levels, ttft)},
      per_token_{std::min(loosest(levels, tpot), loosest(levels, itl))},
      whole_{loosest(levels, e2e)} {}

double worst_ratio(const graph::ServiceLevels& levels,
                   const std::array<Statistics, graph::latency_names.size()>& latencies) {
    double worst = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t latency = 0; latency < levels.most.size(); ++latency) {
        for (std::size_t statistic = 0; statistic < levels.most[latency].size(); ++statistic) {
            const double level = levels.most[latency][statistic].value();
            if (level == 0.0) continue;
            const double ratio = latencies[latency][statistic] / level;
            if (!(ratio <= worst)) worst = ratio;
        }
    }
    return worst;
}

}  // namespace dse::serving
