#include "dse/hardware/facility_spec.hpp"

namespace dse::hardware {

Problems problems_of(const FacilitySpec& facility) {
    Problems problems;
    problems.at_least("pue", facility.pue, 1, "a building draws at least what its machine draws");
    problems.not_negative("electricity_price", facility.electricity_price, "a price; 0: the rent covers it");
    return problems;
}

}  // namespace dse::hardware
