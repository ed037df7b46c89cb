#include "dse/serving/token_sender.hpp"

#include <algorithm>

namespace dse::serving {

void TokenSender::send(Ticks time, std::int64_t tokens) {
    arrived_ = end_of(std::max(arrived_, time), repeated(token_time_, tokens));
}

/// What it lags behind is a concave function of the number of steps, which is not negative for the first one.
std::int64_t TokenSender::steps_behind(Ticks start, const Pace& pace, std::int64_t steps, Ticks whole) const {
    std::int64_t behind = 1;
    for (std::int64_t beyond = steps + 1; beyond - behind > 1;) {
        const std::int64_t middle = behind + (beyond - behind) / 2;
        const bool lags = repeated(whole, middle - 2) >= start + pace.duration(middle) - arrived_;
        (lags ? behind : beyond) = middle;
    }
    return behind;
}

}  // namespace dse::serving
