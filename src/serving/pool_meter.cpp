#include "serving/pool_meter.hpp"

#include <algorithm>

#include "dse/base/check.hpp"

namespace dse::serving {

void PoolMeter::spent(Ticks duration, std::int64_t waiting, double cache_use) {
    const double seconds = to_seconds(duration);
    stepping_ += seconds;
    waiting_ += seconds * static_cast<double>(waiting);
    cache_use_ += seconds * cache_use;
    most_waiting_ = std::max(most_waiting_, waiting);
    most_cache_use_ = std::max(most_cache_use_, cache_use);
}

PoolUse PoolMeter::use(double seconds, std::int64_t workers) const {
    DSE_EXPECT(seconds > 0.0 && workers >= 1);
    const double all = seconds * static_cast<double>(workers);
    return {stepping_ / all, waiting_ / seconds, most_waiting_, cache_use_ / all, most_cache_use_};
}

}  // namespace dse::serving
