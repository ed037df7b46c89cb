#include "dse/hardware/host_spec.hpp"

#include <gtest/gtest.h>

#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

TEST(HostSpec, may_be_unknown) {
    EXPECT_TRUE(problems_of(HostSpec{}).empty());
}

TEST(HostSpec, every_field_has_its_range) {
    EXPECT_EQ(
        keys(problems_of(HostSpec{Seconds{-1.0}, Seconds{-1.0}, BytesPerSecond{-1.0}, Bytes{-1.0},
                                  Watts{-1.0}, BytesPerSecond{-1.0}, Grams{-1.0}})),
        (Keys{"launch_time", "skew", "bandwidth", "capacity", "memory_bandwidth", "power", "embodied"}));
}

}  // namespace
}  // namespace dse::hardware
