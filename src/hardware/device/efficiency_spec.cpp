#include "dse/hardware/device/efficiency_spec.hpp"

namespace dse::hardware {

Problems problems_of(const EfficiencySpec& efficiency) {
    return out_of_range(efficiency);
}

}  // namespace dse::hardware
