#pragma once

#include <cstdint>
#include <functional>

#include "dse/serving/pools.hpp"

namespace dse::serving {

/// Removes requests that do not fit, with their pieces. \returns their number
std::int64_t take_out_unfit(Requests& requests, const std::function<bool(const Request&)>& fits);

/// When the last of them was sent; 0 if there is none.
Ticks last_arrival(const Requests& requests);

/// Whether a request could ever be answered.
bool fits_pools(const PoolDeployment& deployment, const Request& request);

}  // namespace dse::serving
