#pragma once

#include <cstdint>

#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// Devices of a job that compute at another speed than the rest: throttled or worn ones, or another class.
/// Ranks first_rank, first_rank + rank_stride, …, `number` of them.
struct StragglerSpec {
    std::int64_t number{0};  ///< 0: all devices are equal
    std::int64_t first_rank{0};
    std::int64_t rank_stride{1};
    /// Time of their kernels over that of the other devices; below 1 they are faster.
    double slowdown{1.0};

    [[nodiscard]] bool exist() const { return number > 0 && slowdown != 1.0; }
};

Problems problems_of(const StragglerSpec& stragglers);

template <class Visitor>
void describe(Visitor& v, StragglerSpec& stragglers) {
    v.optional("number", stragglers.number, "devices that compute slower than the rest");
    v.optional("first_rank", stragglers.first_rank, "rank of the first one");
    v.optional("rank_stride", stragglers.rank_stride, "ranks from one to the next");
    v.optional("slowdown", stragglers.slowdown, "time of their kernels over that of others");
    check_after_reading(v, stragglers);
}

}  // namespace dse::hardware
