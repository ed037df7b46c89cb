#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// How a slowdown is played.
enum class OverlapRule : std::uint8_t {
    fixed,     ///< what runs beside takes its share of the compute stream's time when it starts
    measured,  ///< kernels slow down while something does run beside them; engine `event` only
};
std::span<const std::string_view> choice_names(OverlapRule);

/// What a collective, or a copy, that runs beside kernels costs them: its own kernels occupy some of the
/// device's processors, and both use the memory's bandwidth.
struct OverlapSpec {
    /// Time of kernels beside a collective over their time alone, >= 1. 1: they do not notice.
    double compute_slowdown{1.0};
    OverlapRule rule{OverlapRule::fixed};

    /// Share of a collective's time that kernels beside it lose: they do in it what takes 1 / slowdown of it.
    [[nodiscard]] double lost_share() const { return 1.0 - 1.0 / compute_slowdown; }
};

Problems problems_of(const OverlapSpec& overlap);

template <class Visitor>
void describe(Visitor& v, OverlapSpec& overlap) {
    v.optional("compute_slowdown", overlap.compute_slowdown, config::at_least(1),
               "time of kernels beside a collective over their time alone");
    v.optional("rule", overlap.rule, "fixed, or measured (engine event)");
    check_after_reading(v, overlap);
}

}  // namespace dse::hardware
