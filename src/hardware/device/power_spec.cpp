#include "dse/hardware/device/power_spec.hpp"

namespace dse::hardware {

Problems problems_of(const PowerSpec& power) {
    Problems problems = out_of_range(power);
    problems.expect(!(power.idle > power.tdp), "idle",
                    "above the limit tdp (an idle device cannot draw more)");
    problems.expect(!(power.active > power.tdp && power.tdp > Watts{}), "active",
                    "above the limit tdp (a device that does nothing cannot draw more)");
    return problems;
}

}  // namespace dse::hardware
