#include "dse/model/compute/roofline.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "model/devices.hpp"
#include "model/works.hpp"
#include "support/soft_equal.hpp"

namespace dse::model {
namespace {

using graph::OpClass;

TEST(Roofline, a_datasheet_gives_flop_or_bytes) {
    const Roofline roofline{bare_device(), Seconds{}};
    // 2e9 FLOP at 100 TFLOP/s; 3 MB at 1 TB/s.
    EXPECT_SOFT_EQ(Seconds{20e-6}, roofline.time(matmul(1, 1000, 1000, 1000)));
    EXPECT_SOFT_EQ(Seconds{3e-6}, roofline.time(streaming(OpClass::elementwise, 2e6, 1e6)));
}

TEST(Roofline, each_class_has_its_efficiency) {
    hardware::DeviceSpec device = bare_device();
    device.memory.efficiency = 0.5;
    device.efficiency = {1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4};
    const Roofline roofline{device, Seconds{}};
    // 1 MB at 0.5 TB/s: 2 us, by the efficiency.
    const auto time = [&](OpClass op_class) {
        return roofline.time(streaming(op_class, 1e6, 0)).value() * 1e6;
    };
    EXPECT_SOFT_EQ(2.0 / 0.9, time(OpClass::elementwise));
    EXPECT_SOFT_EQ(2.0 / 0.8, time(OpClass::normalization));
    EXPECT_SOFT_EQ(2.0 / 0.7, time(OpClass::softmax));
    EXPECT_SOFT_EQ(2.0 / 0.6, time(OpClass::embedding));
    EXPECT_SOFT_EQ(2.0 / 0.5, time(OpClass::loss));
    EXPECT_SOFT_EQ(2.0 / 0.4, time(OpClass::optimizer));
}

TEST(Roofline, every_kernel_adds_its_latency) {
    hardware::DeviceSpec device = bare_device();
    device.kernel_latency = Seconds{4e-6};
    const Roofline roofline{device, Seconds{}};
    EXPECT_SOFT_EQ(Seconds{24e-6}, roofline.time(matmul(1, 1000, 1000, 1000)));
    EXPECT_SOFT_EQ(Seconds{13e-6}, roofline.time(streaming(OpClass::elementwise, 1e6, 0, 3)));
}

TEST(Roofline, no_kernel_is_faster_than_its_launch) {
    const Roofline roofline{bare_device(), Seconds{10e-6}};
    // 1 us on the device, 3 launches of 10 us.
    EXPECT_SOFT_EQ(Seconds{30e-6}, roofline.time(streaming(OpClass::elementwise, 1e6, 0, 3)));
    // Long kernels hide their launch.
    EXPECT_SOFT_EQ(Seconds{20e-6}, roofline.time(matmul(1, 1000, 1000, 1000)));
}

TEST(Roofline, arithmetic_on_the_vector_units_can_bound) {
    graph::Compute work = streaming(OpClass::elementwise, 1e6, 0);
    work.executed_flop = Flop{50e6};
    // 50 MFLOP at 10 TFLOP/s: 5 us, above 1 us of memory.
    EXPECT_SOFT_EQ(Seconds{5e-6}, Roofline(bare_device(), Seconds{}).time(work));
    hardware::DeviceSpec unstated = bare_device();
    unstated.peak.fp32 = FlopPerSecond{};
    EXPECT_SOFT_EQ(Seconds{1e-6}, Roofline(unstated, Seconds{}).time(work));
}

TEST(Roofline, numbers_handled_one_by_one_take_cycles_of_the_lanes) {
    graph::Compute work = streaming(OpClass::elementwise, 1e6, 0);
    work.lane_cycles = 50e6;
    // 10 TFLOP/s are 5e12 cycles of all lanes in a second: 10 us beside 1 us of memory.
    EXPECT_SOFT_EQ(Seconds{11e-6}, Roofline(bare_device(), Seconds{}).time(work));
}

TEST(Roofline, an_unsupported_format_is_refused) {
    const Roofline roofline{bare_device(), Seconds{}};
    EXPECT_THROW(static_cast<void>(roofline.time(matmul(1, 64, 64, 64, graph::Precision::fp8))), ModelError);
}

/// docs/theory/effects.md: large products of an H100 one after another, 700 to 760 of 989 TFLOP/s.
TEST(Roofline, a_large_product_on_an_h100_sustains_what_is_measured) {
    hardware::DeviceSpec device = catalogue_cluster("h100_ndr400").device;
    device.matmul.in_training = 1.0;
    const Roofline roofline{device, Seconds{}};
    const graph::Compute work = matmul(1, 8192, 8192, 8192);
    const double rate = (work.executed_flop / roofline.time(work)).value();
    EXPECT_GT(rate, 690e12);
    EXPECT_LT(rate, 760e12);
}

/// A training run keeps up a share of that rate: the time of a large product grows by its inverse.
TEST(Roofline, a_training_run_keeps_up_a_share_of_the_rate) {
    hardware::DeviceSpec device = bare_device();
    const graph::Compute work = matmul(1, 8192, 8192, 8192);
    const Seconds alone = Roofline(device, Seconds{}).time(work);
    device.matmul.in_training = 0.8;
    EXPECT_NEAR(Roofline(device, Seconds{}).time(work) / alone, 1.25, 1e-12);
}

}  // namespace
}  // namespace dse::model
