#include "dse/hardware/facility_spec.hpp"

#include <gtest/gtest.h>

#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

TEST(FacilitySpec, reads_the_price_of_a_kilowatt_hour) {
    FacilitySpec facility;
    EXPECT_EQ(errors_of("pue: 1.2\nelectricity_price: 0.072 USD/kWh\n", facility), "");
    // 0.072 USD / 3.6e6 J
    EXPECT_DOUBLE_EQ(facility.electricity_price.value(), 2e-8);
}

TEST(FacilitySpec, a_building_draws_at_least_what_its_machine_draws) {
    FacilitySpec facility;
    facility.pue = 0.9;
    facility.electricity_price = DollarsPerJoule{-1.0};
    EXPECT_EQ(keys(problems_of(facility)), (Keys{"pue", "electricity_price"}));
}

TEST(FacilitySpec, reads_the_carbon_of_a_kilowatt_hour) {
    FacilitySpec facility;
    EXPECT_EQ(errors_of("carbon_intensity: 36 g/kWh\nlifetime: 10 h\nfabric_power: 60 W\n", facility), "");
    // 36 g / 3.6e6 J
    EXPECT_DOUBLE_EQ(facility.carbon_intensity.value(), 1e-5);
    EXPECT_DOUBLE_EQ(facility.lifetime.value(), 36e3);
}

}  // namespace
}  // namespace dse::hardware
