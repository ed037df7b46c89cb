#include "dse/hardware/device/power_spec.hpp"

#include <gtest/gtest.h>

#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

TEST(PowerSpec, may_be_unknown) {
    EXPECT_TRUE(problems_of(PowerSpec{}).empty());
}

TEST(PowerSpec, idle_stays_below_the_limit) {
    PowerSpec power;
    power.tdp = Watts{400.0};
    power.idle = Watts{500.0};
    EXPECT_EQ(keys(problems_of(power)), Keys{"idle"});
}

TEST(PowerSpec, a_device_that_does_nothing_stays_below_the_limit) {
    PowerSpec power;
    power.tdp = Watts{400.0};
    power.active = Watts{401.0};
    EXPECT_EQ(keys(problems_of(power)), Keys{"active"});
}

TEST(PowerSpec, reads_energies_by_operation_and_byte) {
    PowerSpec power;
    EXPECT_EQ(errors_of("per_flop: 0.44 pJ/FLOP\nper_memory_byte: 31 pJ/B\nper_link_byte: 5.5 pJ/b\n", power),
              "");
    EXPECT_DOUBLE_EQ(power.per_flop.value(), 0.44e-12);
    EXPECT_DOUBLE_EQ(power.per_memory_byte.value(), 31e-12);
    EXPECT_DOUBLE_EQ(power.per_link_byte.value(), 44e-12);
}

}  // namespace
}  // namespace dse::hardware
