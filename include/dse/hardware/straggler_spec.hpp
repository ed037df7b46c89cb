#pragma once

#include "dse/hardware/problem.hpp"
#include "dse/hardware/rank_set.hpp"

namespace dse::hardware {

/// Devices of a job that compute slower (or faster) than the rest, for example because they are throttled.
struct StragglerSpec {
    RankSet ranks;  ///< empty: all devices are equal
    /// Kernel time relative to the other devices; below 1 the devices are faster.
    double slowdown{1.0};

    [[nodiscard]] bool exist() const { return ranks.number > 0 && slowdown != 1.0; }
};

Problems problems_of(const StragglerSpec& stragglers);

template <class Visitor>
void describe(Visitor& v, StragglerSpec& stragglers) {
    describe_ranks(v, stragglers.ranks, "devices that compute slower than the rest");
    v.optional("slowdown", stragglers.slowdown, config::positive,
               "kernel time relative to the other devices");
    check_after_reading(v, stragglers);
}

}  // namespace dse::hardware
