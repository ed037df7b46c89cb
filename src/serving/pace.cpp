#include "dse/serving/pace.hpp"

#include <algorithm>

namespace dse::serving {

std::int64_t Pace::steps_until(Ticks time, std::int64_t limit) const {
    std::int64_t least = 1;
    while (least < limit) {
        const std::int64_t middle = least + (limit - least) / 2;
        if (duration(middle) >= time) {
            limit = middle;
        } else {
            least = middle + 1;
        }
    }
    return least;
}

std::int64_t Pace::steps_within(double seconds, std::int64_t limit) const {
    const auto takes = [this](std::int64_t steps) {
        const auto number = static_cast<double>(steps);
        return number * to_seconds(first) + to_seconds(growth) * (number * (number - 1.0) / 2.0);
    };
    while (limit > 1 && takes(limit) > seconds) limit /= 2;
    return limit;
}

Pace slower(const Pace& a, const Pace& b) {
    const bool b_starts = b.first != a.first ? b.first > a.first : b.growth > a.growth;
    Pace slow = b_starts ? b : a;
    const Pace& other = b_starts ? a : b;
    slow.most = std::min(a.most, b.most);
    if (other.growth > slow.growth)
        slow.most = std::min(slow.most, (slow.first - other.first) / (other.growth - slow.growth) + 1);
    return slow;
}

}  // namespace dse::serving
