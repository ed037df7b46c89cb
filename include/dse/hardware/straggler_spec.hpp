#pragma once

#include "dse/hardware/problem.hpp"
#include "dse/hardware/rank_set.hpp"

namespace dse::hardware {

/// Devices of a job that compute at another speed than the rest: throttled or worn ones.
struct StragglerSpec {
    RankSet ranks;  ///< none: all devices are equal
    /// Time of their kernels over that of the other devices; below 1 they are faster.
    double slowdown{1.0};

    [[nodiscard]] bool exist() const { return ranks.number > 0 && slowdown != 1.0; }
};

Problems problems_of(const StragglerSpec& stragglers);

template <class Visitor>
void describe(Visitor& v, StragglerSpec& stragglers) {
    describe_ranks(v, stragglers.ranks, "devices that compute slower than the rest");
    v.optional("slowdown", stragglers.slowdown, config::positive,
               "time of their kernels over that of others");
    check_after_reading(v, stragglers);
}

}  // namespace dse::hardware
