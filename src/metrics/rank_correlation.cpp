#include "dse/metrics/rank_correlation.hpp"

#include "dse/base/check.hpp"
#include "dse/base/statistics.hpp"

namespace dse::metrics {

double rank_correlation(std::span<const double> x, std::span<const double> y) {
    DSE_EXPECT(x.size() == y.size());
    return x.size() < 3 ? std::nan("") : correlation(ranks(x), ranks(y));
}

}  // namespace dse::metrics
