#include "dse/hardware/device/slowest_device.hpp"

#include <gtest/gtest.h>

#include "dse/base/normal_distribution.hpp"

namespace dse::hardware {
namespace {

TEST(SlowestDevice, IsTheMeanOneWhereThereIsOne) {
    DeviceSpec device;
    device.matmul.in_training = 0.9;
    device.matmul.variation = 0.015;
    EXPECT_EQ(slowest_of(device, 1).matmul.in_training, 0.9);
}

/// Of 1024 devices whose times deviate by 1.5 %, the slowest takes 1.5 % times 3.24 longer than the mean.
TEST(SlowestDevice, TakesLongerInLargerJobs) {
    DeviceSpec device;
    device.matmul.variation = 0.015;
    EXPECT_NEAR(1.0 / slowest_of(device, 1024).matmul.in_training, 1.0486, 3e-4);
    device.matmul.variation = 0.0;
    EXPECT_EQ(slowest_of(device, 1024).matmul.in_training, 1.0);
}

}  // namespace
}  // namespace dse::hardware
