#include "dse/hardware/device/slowest_device.hpp"

#include <gtest/gtest.h>

#include "dse/base/normal_distribution.hpp"

namespace dse::hardware {
namespace {

TEST(SlowestDevice, IsTheMeanOneWhereThereIsOne) {
    DeviceSpec device;
    device.matmul.in_training = 0.9;
    device.matmul.variation = 0.015;
    EXPECT_EQ(slowest_of(device, {1, 1}).matmul.in_training, 0.9);
}

/// Of 1024 devices whose times deviate by 1.5 %, the slowest takes 1.5 % times 3.24 longer than the mean.
TEST(SlowestDevice, TakesLongerInLargerJobs) {
    DeviceSpec device;
    device.matmul.variation = 0.015;
    EXPECT_NEAR(1.0 / slowest_of(device, {1024, 1}).matmul.in_training, 1.0486, 3e-4);
    device.matmul.variation = 0.0;
    EXPECT_EQ(slowest_of(device, {1024, 128}).matmul.in_training, 1.0);
}

/// The larger of two standard normal numbers is 0.564 on average (1/sqrt(pi)); slices deviate by 4 %.
TEST(SlowestDevice, WaitsForTheSlowestDomain) {
    DeviceSpec device;
    device.matmul.in_training = 0.9;
    device.matmul.domain_variation = 0.04;
    EXPECT_EQ(slowest_of(device, {256, 1}).matmul.in_training, 0.9);
    EXPECT_NEAR(0.9 / slowest_of(device, {512, 2}).matmul.in_training, 1.0226, 1e-3);
    device.matmul.variation = 0.015;
    EXPECT_NEAR(0.9 / slowest_of(device, {1024, 2}).matmul.in_training, 1.0486 + 0.0226, 1e-3);
}

}  // namespace
}  // namespace dse::hardware
