#include "serving/lanes.hpp"

#include <algorithm>

namespace dse::serving {

ReplicaLimits lane_limits(ReplicaLimits limits, std::int64_t stages) {
    limits.pages /= stages;
    limits.host_pages /= stages;
    limits.engine.max_sequences = std::max<std::int64_t>(1, limits.engine.max_sequences / stages);
    return limits;
}

void advance_together(std::span<RankGroup> all, std::size_t first, std::size_t stride, Ticks time) {
    if (first + stride >= all.size()) return all[first].advance(time);
    const auto earliest = [&]() -> RankGroup& {
        RankGroup* next = &all[first];
        for (std::size_t i = first + stride; i < all.size(); i += stride) {
            if (all[i].next_time() < next->next_time()) next = &all[i];
        }
        return *next;
    };
    // A group whose clients have all given up does nothing more, but others may.
    while (earliest().work(time) || earliest().next_time() < time) {
    }
}

}  // namespace dse::serving
