#include "dse/hardware/switch_reduction_spec.hpp"

namespace dse::hardware {

void check(const SwitchReductionSpec& reduction, Problems& problems) {
    problems.share("reduction_efficiency", reduction.efficiency, "a share of the line rate; 0: none");
    problems.at_least("reduction_members", static_cast<double>(reduction.members), 2,
                      "one device has nothing to reduce");
}

}  // namespace dse::hardware
