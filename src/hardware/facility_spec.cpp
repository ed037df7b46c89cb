#include "dse/hardware/facility_spec.hpp"

namespace dse::hardware {

Problems problems_of(const FacilitySpec& facility) {
    return out_of_range(facility);
}

}  // namespace dse::hardware
