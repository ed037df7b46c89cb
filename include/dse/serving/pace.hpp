#pragma once

#include <cstdint>

#include "dse/serving/ticks.hpp"

namespace dse::serving {

/// Consecutive steps that only decode: the first takes `first`, each following one `growth` longer.
struct Pace {
    Ticks first{0};
    Ticks growth{0};       ///< >= 0
    std::int64_t most{1};  ///< number of steps for which this holds, >= 1

    [[nodiscard]] Ticks duration(std::int64_t steps) const {
        return steps * first + growth * (steps * (steps - 1) / 2);
    }
    /// At most so many steps, and so few that their duration fits into ticks: `limit`, or a part of it that
    /// takes at most `seconds`; 1 if none does.
    [[nodiscard]] std::int64_t steps_within(double seconds, std::int64_t limit) const;
    /// The smallest number of steps, from 1 to `limit`, that take at least this time; `limit` if none does.
    [[nodiscard]] std::int64_t steps_until(Ticks time, std::int64_t limit) const;
};

/// The slower of two paces, for as long as it stays the slower one.
Pace slower(const Pace& a, const Pace& b);

}  // namespace dse::serving
