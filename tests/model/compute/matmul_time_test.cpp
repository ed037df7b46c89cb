#include "dse/model/compute/matmul_time.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "model/devices.hpp"
#include "model/works.hpp"
#include "support/soft_equal.hpp"

namespace dse::model {
namespace {

using graph::Precision;

TEST(MatmulTime, a_datasheet_gives_the_roofline) {
    const MatmulTime time{bare_device()};
    // 2·1000³ FLOP at 100 TFLOP/s: 20 us; 6 MB at 1 TB/s: 6 us.
    EXPECT_SOFT_EQ(Seconds{20e-6}, time(matmul(1, 1000, 1000, 1000)));
    // 2·1000² FLOP: 20 ns; (1000 + 1e6 + 1000)·2 B at 1 TB/s: 2.004 us.
    EXPECT_SOFT_EQ(Seconds{2.004e-6}, time(matmul(1, 1, 1000, 1000)));
}

TEST(MatmulTime, follows_its_form) {
    hardware::DeviceSpec device = bare_device();
    device.matmul.area = 1e5;
    device.matmul.depth = 50.0;
    device.matmul.sharpness = 2.0;
    device.memory.efficiency = 0.8;
    device.matmul.memory_efficiency = 0.5;
    const MatmulTime time{device};
    // 2·4·500·500·100 = 2e8 FLOP: 2 us; area factor 1 + 1e5/1e6 = 1.1; depth factor 1 + 50/100 = 1.5: 3.3 us.
    // Bytes: 4·(100·1000 + 250000)·2 = 2.8e6 at 0.4 TB/s: 7 us. √(3.3² + 7²) us.
    EXPECT_SOFT_EQ(Seconds{std::sqrt(3.3 * 3.3 + 49.0) * 1e-6}, time(matmul(4, 500, 500, 100)));
}

TEST(MatmulTime, wide_formats_scale_their_losses) {
    hardware::DeviceSpec device = bare_device();
    device.matmul.area = 1e6;
    device.matmul.depth = 1000.0;
    device.matmul.wide_factor = 0.5;
    // 2e9 FLOP: 200 us in fp32 × (1 + 0.5·1e6/1e6) × (1 + 0.5·1000/1000).
    EXPECT_SOFT_EQ(Seconds{450e-6}, MatmulTime{device}(matmul(1, 1000, 1000, 1000, Precision::fp32)));
}

TEST(MatmulTime, narrow_formats_scale_their_losses) {
    hardware::DeviceSpec device = bare_device();
    device.peak.fp8 = FlopPerSecond{200e12};
    device.matmul.depth = 100.0;
    device.matmul.narrow_factor = 2.0;
    const MatmulTime time{device};
    // 2e9 FLOP: 10 us in fp8 × (1 + 2·100/1000); 20 us in bf16 × (1 + 100/1000).
    EXPECT_SOFT_EQ(Seconds{12e-6}, time(matmul(1, 1000, 1000, 1000, Precision::fp8)));
    EXPECT_SOFT_EQ(Seconds{22e-6}, time(matmul(1, 1000, 1000, 1000)));
}

/// Of 16-bit products with few outputs; narrower ones run through their whole depth.
TEST(MatmulTime, deep_products_are_split) {
    hardware::DeviceSpec device = bare_device();
    device.peak.fp8 = FlopPerSecond{200e12};
    device.matmul.area = 1e8;
    device.matmul.split_depth = 2000.0;
    const MatmulTime time{device};
    // 2·10·10·1000 FLOP at 100 TFLOP/s: 2 ns, × (1 + 1e8/100); of 8000, 16 ns × (1 + 1e8/100 · 2000/8000).
    EXPECT_SOFT_EQ(Seconds{2e-9 * 1000001.0}, time(matmul(1, 10, 10, 1000)));
    EXPECT_SOFT_EQ(Seconds{16e-9 * 250001.0}, time(matmul(1, 10, 10, 8000)));
    EXPECT_SOFT_EQ(Seconds{8e-9 * 1000001.0}, time(matmul(1, 10, 10, 8000, Precision::fp8)));
}

TEST(MatmulTime, products_with_few_outputs_are_split_until_they_fill_the_device) {
    hardware::DeviceSpec device = bare_device();
    device.matmul.area = 1e6;
    device.matmul.split_outputs = 5e5;
    const MatmulTime time{device};
    // 2·100·100·1e5 FLOP at 100 TFLOP/s: 20 us × (1 + 1e6/5e5); 2·1000·1000·1000: 20 us × (1 + 1e6/1e6).
    EXPECT_SOFT_EQ(Seconds{60e-6}, time(matmul(1, 100, 100, 1e5)));
    EXPECT_SOFT_EQ(Seconds{40e-6}, time(matmul(1, 1000, 1000, 1000)));
}

TEST(MatmulTime, odd_rows_of_16_bits_are_read_by_elements) {
    hardware::DeviceSpec device = bare_device();
    device.peak.fp32 = FlopPerSecond{100e12};
    device.matmul.odd_rate = 0.5;
    const MatmulTime time{device};
    const auto us = [&](double m, double n, double k, Precision precision) {
        return time(matmul(1, m, n, k, precision)).value() * 1e6;
    };
    // 2·1000·1000·1001 FLOP at 100 TFLOP/s: 20.02 us, twice that if N or K, a row's length, is odd. M is not.
    EXPECT_SOFT_EQ(40.04, us(1000, 1001, 1000, Precision::bf16));
    EXPECT_SOFT_EQ(40.04, us(1000, 1000, 1001, Precision::bf16));
    EXPECT_SOFT_EQ(20.02, us(1001, 1000, 1000, Precision::bf16));
    EXPECT_SOFT_EQ(20.02, us(1000, 1001, 1000, Precision::fp32));
    // 2·1e6·1·1000 FLOP: 20 us; (1e9 + 1000 + 1e6)·2 B at 1 TB/s: 2002.002 us.
    EXPECT_SOFT_EQ(2002.002, us(1000000, 1, 1000, Precision::bf16));
}

TEST(MatmulTime, integers_have_rates_of_their_own) {
    hardware::DeviceSpec device = bare_device();
    // 2e9 operations at 100 TFLOP/s in bf16: 20 us; at 400 TOPS: 5 us. 3 MB at 1 TB/s: 3 us.
    EXPECT_SOFT_EQ(Seconds{20e-6}, MatmulTime{device}(matmul(1, 1000, 1000, 1000, Precision::int8)));
    device.peak.int8 = FlopPerSecond{400e12};
    EXPECT_SOFT_EQ(Seconds{5e-6}, MatmulTime{device}(matmul(1, 1000, 1000, 1000, Precision::int8)));
}

TEST(MatmulTime, four_bits_read_slower_and_cost_more_to_begin) {
    hardware::DeviceSpec device = bare_device();
    device.peak.fp4 = FlopPerSecond{400e12};
    const MatmulTime time{device};
    // (1000 + 1e6 + 1000) / 2 B at 0.6 of 1 TB/s: 0.835 us, and 4 us.
    EXPECT_SOFT_EQ(Seconds{4.835e-6}, time(matmul(1, 1, 1000, 1000, Precision::fp4)));
    // Of experts, two of them: 1.002 us.
    EXPECT_SOFT_EQ(Seconds{1.002e-6}, time(matmul(2, 1, 1000, 1000, Precision::fp4)));
}

TEST(MatmulTime, experts_read_at_a_rate_of_their_own) {
    hardware::DeviceSpec device = bare_device();
    device.peak.fp4 = FlopPerSecond{400e12};
    device.matmul.memory_efficiency = 0.8;
    device.matmul.plain_memory_efficiency = 0.5;
    const MatmulTime time{device};
    // (1000 + 1e6 + 1000) · 2 B at 0.4 of 1 TB/s; of two experts 4.008 MB at 0.8.
    EXPECT_SOFT_EQ(Seconds{5.01e-6}, time(matmul(1, 1, 1000, 1000)));
    EXPECT_SOFT_EQ(Seconds{5.01e-6}, time(matmul(2, 1, 1000, 1000)));
    // In fp4 0.6 of 0.8: 1.04375 us, and 4 us.
    EXPECT_SOFT_EQ(Seconds{5.04375e-6}, time(matmul(1, 1, 1000, 1000, Precision::fp4)));
}

/// Weights that are widened as they arrive take as long as the slower of memory and instructions.
TEST(MatmulTime, instructions_limit_how_fast_weights_are_widened) {
    hardware::DeviceSpec device = bare_device();
    device.peak.fp32 = FlopPerSecond{20e12};
    graph::Compute work = matmul(8, 1, 1000, 1000);
    // 8·(1000 + 1e6 + 1000)·2 B at 1 TB/s: 16.032 us. Lanes have 10e12 cycles a second: 1e8 take 10 us,
    // 4e8 40.
    work.lane_cycles = 1e8;
    EXPECT_SOFT_EQ(Seconds{16.032e-6}, MatmulTime{device}(work));
    work.lane_cycles = 4e8;
    EXPECT_SOFT_EQ(Seconds{40e-6}, MatmulTime{device}(work));
    device.peak.fp32 = FlopPerSecond{};
    EXPECT_SOFT_EQ(Seconds{16.032e-6}, MatmulTime{device}(work)) << "a datasheet without a vector rate";
}

TEST(MatmulTime, work_without_a_shape_runs_at_the_full_rate) {
    hardware::DeviceSpec device = bare_device();
    device.matmul.area = 1e5;
    device.matmul.depth = 50.0;
    graph::Compute work = matmul(1, 1000, 1000, 1000);
    work.gemm = {};
    EXPECT_SOFT_EQ(Seconds{20e-6}, MatmulTime{device}(work));
}

TEST(MatmulTime, an_unsupported_format_is_refused) {
    EXPECT_THROW(static_cast<void>(MatmulTime{bare_device()}(matmul(1, 64, 64, 64, Precision::fp4))),
                 ModelError);
}

/// Larger products never take less time, and faster devices never more.
TEST(MatmulTime, is_monotonic) {
    std::mt19937_64 random{3};
    std::uniform_real_distribution<double> exponent{4.0, 14.0};
    hardware::DeviceSpec device = catalogue_cluster("dgx_a100_hdr200").device;
    const MatmulTime time{device};
    device.peak.bf16 *= 1.5;
    device.matmul.sustained.bf16 *= 1.5;
    const MatmulTime faster{device};
    for (int i = 0; i < 3000; ++i) {
        const double m = std::exp2(exponent(random));
        const double n = std::exp2(exponent(random));
        const double k = std::exp2(exponent(random));
        const Seconds base = time(matmul(1, m, n, k));
        ASSERT_LE(base, time(matmul(1, 1.1 * m, n, k)));
        ASSERT_LE(base, time(matmul(1, m, 1.1 * n, k)));
        ASSERT_LE(base, time(matmul(1, m, n, 1.1 * k)));
        ASSERT_LE(faster(matmul(1, m, n, k)), base);
    }
}

}  // namespace
}  // namespace dse::model
