#include "dse/netsim/astra/machine.hpp"

#include <gtest/gtest.h>

namespace dse::netsim {
namespace {

TEST(AstraCompute, is_bound_by_operations_or_by_bytes) {
    const AstraCompute compute{AstraCompute::Source::roofline, 312e12, 2039e9};
    // 312e9 operations at 312e12 a second; 2039e6 bytes at 2039e9 a second.
    EXPECT_NEAR(static_cast<double>(compute.roofline(312e9, 1000.0)), 1e6, 1.0);
    EXPECT_NEAR(static_cast<double>(compute.roofline(10.0, 2039e6)), 1e6, 1.0);
    EXPECT_EQ(compute.roofline(1.0, 1.0), 0) << "whole ticks";
}

TEST(AstraCompute, recorded_times_are_microseconds_and_never_nothing) {
    EXPECT_EQ(AstraCompute::recorded(3), 3000);
    EXPECT_EQ(AstraCompute::recorded(0), 1);
}

TEST(AstraMemory, takes_its_latency_and_whole_ticks_for_the_bytes) {
    const AstraMemory memory{AstraMemory::Kind::pool, 1000, 50.0, 0, 0};
    EXPECT_EQ(memory.delay(99), 1001);
}

}  // namespace
}  // namespace dse::netsim
