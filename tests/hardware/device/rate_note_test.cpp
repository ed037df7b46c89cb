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

TEST(RateNote, IsOfRatesThatAreNotOfOneChip) {
    const auto note = [](double peak, double sustained) {
        DeviceSpec device;
        device.name = "Chip X";
        device.peak.bf16 = FlopPerSecond{peak};
        device.matmul.sustained.bf16 = FlopPerSecond{sustained};
        return rate_note(device);
    };
    EXPECT_EQ(note(1e15, 0.42e15), "");
    EXPECT_EQ(note(1e15, 1e15), "");
    EXPECT_THAT(note(1e15, 5e15),
                ::testing::StartsWith("Chip X: matmul.sustained.bf16, 5000 TFLOP/s, is 5 times "
                                      "peak.bf16, 1000 TFLOP/s"));
    EXPECT_THAT(note(4e15, 8e14), ::testing::HasSubstr("is 0.2 times peak.bf16"));
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
