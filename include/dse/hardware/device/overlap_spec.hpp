#pragma once

#include <cstdint>

#include "dse/config/choices.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// How a slowdown is simulated.
enum class OverlapRule : std::uint8_t {
    fixed,     ///< kernels lose their share of a hidden collective's time where that is issued
    measured,  ///< kernels slow down while a collective is running; engine `event` only
};
DSE_CHOICES(OverlapRule, fixed, measured);

/// Slowdown of kernels by a concurrent collective, whose own kernels occupy some of the device's processors
/// and memory bandwidth. Copies to and from the host run on engines of their own and slow nothing down.
struct OverlapSpec {
    /// Kernel time during a collective relative to the kernel alone, >= 1. 1: no slowdown.
    double compute_slowdown{1.0};
    OverlapRule rule{OverlapRule::fixed};

    /// Share of a collective's time that concurrent kernels lose: in it they do the work of 1 / slowdown of
    /// it.
    [[nodiscard]] double lost_share() const { return 1.0 - 1.0 / compute_slowdown; }
};

Problems problems_of(const OverlapSpec& overlap);

template <class Visitor>
void describe(Visitor& v, OverlapSpec& overlap) {
    v.optional("compute_slowdown", overlap.compute_slowdown, config::at_least(1),
               "kernel time during a collective relative to the kernel alone");
    v.optional("rule", overlap.rule, "fixed, or measured (engine event)");
    check_after_reading(v, overlap);
}

}  // namespace dse::hardware
