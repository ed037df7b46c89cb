#include "dse/hardware/power_spec.hpp"

namespace dse::hardware {

Problems problems_of(const PowerSpec& power) {
    Problems problems;
    problems.not_negative("tdp", power.tdp, "a power; 0: unknown");
    problems.not_negative("idle", power.idle, "a power");
    problems.expect(!(power.idle > power.tdp), "idle",
                    "above the limit tdp (an idle device cannot draw more)");
    problems.not_negative("per_flop", power.per_flop, "an energy");
    problems.not_negative("per_memory_byte", power.per_memory_byte, "an energy");
    problems.not_negative("per_link_byte", power.per_link_byte, "an energy");
    return problems;
}

}  // namespace dse::hardware
