#include "dse/hardware/device/rate_note.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::hardware {
namespace {

TEST(RateNote, IsOfDevicesThatRunAtTheirPeak) {
    DeviceSpec device;
    device.name = "Chip X";
    device.peak.bf16 = FlopPerSecond{1e15};
    EXPECT_THAT(rate_note(device), ::testing::StartsWith("Chip X states no matmul.sustained"));
    device.matmul.sustained.fp8 = FlopPerSecond{7e14};
    EXPECT_EQ(rate_note(device), "");
    device.matmul.sustained = {};
    device.matmul.peak_share = 0.74;
    EXPECT_EQ(rate_note(device), "");
}

TEST(LatencyNote, IsOfDevicesWhoseKernelsTakeNone) {
    DeviceSpec device;
    device.name = "Chip X";
    EXPECT_THAT(latency_note(device), ::testing::StartsWith("Chip X states no kernel_latency"));
    device.kernel_latency = Seconds{1e-6};
    EXPECT_EQ(latency_note(device), "");
}

}  // namespace
}  // namespace dse::hardware
