#include "dse/model/compute/systolic.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "model/devices.hpp"
#include "model/works.hpp"
#include "support/soft_equal.hpp"

namespace dse::model {
namespace {

using graph::OpClass;
using graph::Precision;

/// 256^3 on 128 × 128: 4 folds of 128 + 128 + 256 - 2 = 510 with sums in place, 2039 cycles in all; 393,216
/// bytes at 100 GB/s.
TEST(Systolic, cycles_and_bytes_make_the_time) {
    const Systolic systolic{systolic_device(), Seconds{}};
    EXPECT_SOFT_EQ(Seconds{2e-6 + 2039e-9 + 3.93216e-6}, systolic.time(matmul(1, 256, 256, 256)));
    const Account account = systolic.account(matmul(1, 256, 256, 256));
    EXPECT_EQ(account.cycles, 2039.0);
    EXPECT_EQ(account.remark, "");
    EXPECT_SOFT_EQ(account.time, systolic.time(matmul(1, 256, 256, 256)));
}

TEST(Systolic, only_the_first_bytes_are_staged) {
    // 1024^3: 64 folds of 1278, 81,791 cycles; 6.3 MB, of which one megabyte takes 10 us.
    const Systolic systolic{systolic_device(), Seconds{}};
    EXPECT_SOFT_EQ(Seconds{2e-6 + 81791e-9 + 10e-6}, systolic.time(matmul(1, 1024, 1024, 1024)));
}

TEST(Systolic, a_batch_is_one_product_after_the_other) {
    const Systolic systolic{systolic_device(), Seconds{}};
    EXPECT_EQ(systolic.account(matmul(8, 256, 256, 256)).cycles, 8 * 2039.0);
}

TEST(Systolic, memory_bounds_it) {
    hardware::DeviceSpec device = systolic_device();
    device.matmul.sustained.bf16 = FlopPerSecond{1e20};
    // 2 (1 + 2) 10^8 bytes at 1 TB/s.
    EXPECT_SOFT_EQ(Seconds{2e-6 + 600e-6}, Systolic(device, Seconds{}).time(matmul(1, 10000, 10000, 10000)));
}

TEST(Systolic, a_named_dataflow_is_kept) {
    hardware::DeviceSpec device = systolic_device();
    device.systolic.dataflow = hardware::Dataflow::ws;
    // 4 folds of 3 · 128 + 256 - 2 = 638.
    EXPECT_EQ(Systolic(device, Seconds{}).account(matmul(1, 256, 256, 256)).cycles, 2551.0);
}

TEST(Systolic, a_cycle_takes_what_its_format_sustains) {
    hardware::DeviceSpec device = systolic_device();
    device.peak.fp8 = FlopPerSecond{65536e9};  // half a nanosecond a cycle
    const Systolic systolic{device, Seconds{}};
    graph::Compute work = matmul(1, 256, 256, 256);
    work.precision = Precision::fp8;
    EXPECT_SOFT_EQ(Seconds{2e-6 + 2039e-9 / 2 + 3.93216e-6}, systolic.time(work));
    work.precision = Precision::int8;  // as bf16: a nanosecond a cycle
    EXPECT_SOFT_EQ(Seconds{2e-6 + 2039e-9 + 3.93216e-6}, systolic.time(work));
    device.peak.int8 = FlopPerSecond{131072e9};  // a quarter of it
    EXPECT_SOFT_EQ(Seconds{2e-6 + 2039e-9 / 4 + 3.93216e-6}, (Systolic{device, Seconds{}}.time(work)));
    work.precision = Precision::fp64;
    EXPECT_THROW(static_cast<void>(systolic.time(work)), ModelError);
}

TEST(Systolic, work_that_runs_half_of_a_product_takes_half_its_cycles) {
    graph::Compute work = matmul(1, 256, 256, 256);
    work.executed_flop *= 0.5;
    EXPECT_EQ(Systolic(systolic_device(), Seconds{}).account(work).cycles, 2039.0 / 2);
}

TEST(Systolic, what_is_no_product_is_the_rooflines) {
    const hardware::DeviceSpec device = systolic_device();
    const Systolic systolic{device, Seconds{}};
    const Roofline roofline{device, Seconds{}};
    const graph::Compute norm = streaming(OpClass::normalization, 1e6, 1e6);
    EXPECT_EQ(systolic.time(norm), roofline.time(norm));
    EXPECT_TRUE(std::isnan(systolic.account(norm).cycles));
    EXPECT_NE(systolic.account(norm).remark, "");
    graph::Compute shapeless = matmul(1, 256, 256, 256);
    shapeless.gemm = {};
    EXPECT_EQ(systolic.time(shapeless), roofline.time(shapeless));
}

TEST(Systolic, no_product_is_faster_than_its_launch) {
    EXPECT_SOFT_EQ(Seconds{1e-3}, Systolic(systolic_device(), Seconds{1e-3}).time(matmul(1, 64, 64, 64)));
}

TEST(Systolic, a_device_without_an_array_is_refused) {
    EXPECT_THROW(Systolic(bare_device(), Seconds{}), ModelError);
}

TEST(Systolic, more_of_anything_takes_longer) {
    const Systolic systolic{systolic_device(), Seconds{}};
    Seconds before;
    for (double size = 1; size <= 4096; size *= 2) {
        const Seconds now = systolic.time(matmul(1, size, size, size));
        EXPECT_GE(now, before);
        before = now;
    }
}

}  // namespace
}  // namespace dse::model
