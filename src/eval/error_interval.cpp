#include "dse/eval/error_interval.hpp"

#include <cmath>

namespace dse::eval {

ErrorInterval sum(const ErrorInterval& a, const ErrorInterval& b) {
    return {a.shift + b.shift, std::hypot(a.width, b.width)};
}

ErrorInterval ratio(const ErrorInterval& above, const ErrorInterval& below, double correlation) {
    if (above.width == 0.0 || below.width == 0.0) return {};
    const double difference = above.width - below.width;
    const double square = difference * difference + 2.0 * (1.0 - correlation) * above.width * below.width;
    return {above.shift - below.shift, std::sqrt(square)};
}

ErrorInterval interval_between(double low, double high, double predicted) {
    const double below = std::log(low / predicted);
    const double above = std::log(high / predicted);
    const ErrorInterval interval{0.5 * (below + above), 0.5 * (above - below)};
    return std::isfinite(interval.shift) && interval.width > 0.0 ? interval : ErrorInterval{};
}

}  // namespace dse::eval
