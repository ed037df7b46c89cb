#include "dse/model/compute/rates.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "model/devices.hpp"

namespace dse::model {
namespace {

using graph::Precision;

TEST(Rates, each_format_has_its_own) {
    const hardware::PrecisionRates rates{FlopPerSecond{1}, FlopPerSecond{2}, FlopPerSecond{3},
                                         FlopPerSecond{4}, FlopPerSecond{5}, FlopPerSecond{6},
                                         FlopPerSecond{7}, FlopPerSecond{8}};
    EXPECT_EQ(rate_of(rates, Precision::fp64), FlopPerSecond{1});
    EXPECT_EQ(rate_of(rates, Precision::fp32), FlopPerSecond{2});
    EXPECT_EQ(rate_of(rates, Precision::tf32), FlopPerSecond{3});
    EXPECT_EQ(rate_of(rates, Precision::bf16), FlopPerSecond{4});
    EXPECT_EQ(rate_of(rates, Precision::fp16), FlopPerSecond{5});
    EXPECT_EQ(rate_of(rates, Precision::fp8), FlopPerSecond{6});
    EXPECT_EQ(rate_of(rates, Precision::fp4), FlopPerSecond{7});
    EXPECT_EQ(rate_of(rates, Precision::int8), FlopPerSecond{8});
}

TEST(Rates, tf32_refers_to_fp32_where_there_is_none) {
    hardware::PrecisionRates rates;
    rates.fp32 = FlopPerSecond{2};
    EXPECT_EQ(reference_rate(rates, Precision::tf32), FlopPerSecond{2});
    EXPECT_EQ(reference_rate(rates, Precision::bf16), FlopPerSecond{0});
    rates.tf32 = FlopPerSecond{3};
    EXPECT_EQ(reference_rate(rates, Precision::tf32), FlopPerSecond{3});
}

TEST(Rates, int8_refers_to_the_narrowest_format_that_holds_it) {
    hardware::PrecisionRates rates;
    rates.fp32 = FlopPerSecond{2};
    EXPECT_EQ(reference_rate(rates, Precision::int8), FlopPerSecond{2});
    rates.fp16 = FlopPerSecond{5};
    EXPECT_EQ(reference_rate(rates, Precision::int8), FlopPerSecond{5});
    rates.bf16 = FlopPerSecond{4};
    EXPECT_EQ(reference_rate(rates, Precision::int8), FlopPerSecond{4});
    rates.int8 = FlopPerSecond{8};
    EXPECT_EQ(reference_rate(rates, Precision::int8), FlopPerSecond{8});
}

TEST(MatmulRates, a_datasheet_gives_its_peak) {
    EXPECT_EQ(MatmulRates{bare_device()}[Precision::bf16], FlopPerSecond{100e12});
}

TEST(MatmulRates, a_measurement_replaces_the_peak_of_its_format_only) {
    hardware::DeviceSpec device = bare_device();
    device.matmul.sustained.bf16 = FlopPerSecond{80e12};
    device.efficiency.gemm = 0.9;
    const MatmulRates rates{device};
    EXPECT_DOUBLE_EQ(rates[Precision::bf16].value(), 72e12);
    EXPECT_DOUBLE_EQ(rates[Precision::fp32].value(), 9e12);
}

TEST(MatmulRates, tf32_is_fp32_where_there_is_none) {
    hardware::DeviceSpec device = bare_device();
    device.peak.tf32 = {};
    EXPECT_EQ(MatmulRates{device}[Precision::tf32], MatmulRates{device}[Precision::fp32]);
    device.peak.tf32 = FlopPerSecond{50e12};
    EXPECT_EQ(MatmulRates{device}[Precision::tf32], FlopPerSecond{50e12});
}

// 100 TFLOP/s in bf16, of which 80 are sustained; without it 10 in fp32.
TEST(MatmulRates, int8_runs_as_16_bits_where_there_are_no_units_for_it) {
    hardware::DeviceSpec device = bare_device();
    device.matmul.sustained.bf16 = FlopPerSecond{80e12};
    EXPECT_EQ(MatmulRates{device}[Precision::int8], FlopPerSecond{80e12});
    device.peak.int8 = FlopPerSecond{200e12};
    EXPECT_EQ(MatmulRates{device}[Precision::int8], FlopPerSecond{200e12});
    device.matmul.sustained.int8 = FlopPerSecond{150e12};
    EXPECT_EQ(MatmulRates{device}[Precision::int8], FlopPerSecond{150e12});
    device.peak.int8 = device.peak.bf16 = {};
    EXPECT_EQ(MatmulRates{device}[Precision::int8], FlopPerSecond{10e12});
}

/// 100 TFLOP/s in bf16, half of it; a measured rate is none of the peak.
TEST(MatmulRates, a_format_without_a_rate_sustains_its_share_of_the_peak) {
    hardware::DeviceSpec device = bare_device();
    device.matmul.peak_share = 0.5;
    EXPECT_EQ(MatmulRates{device}[Precision::bf16], FlopPerSecond{50e12});
    device.matmul.sustained.bf16 = FlopPerSecond{80e12};
    EXPECT_EQ(MatmulRates{device}[Precision::bf16], FlopPerSecond{80e12});
}

TEST(MatmulRates, an_unsupported_format_is_named) {
    const MatmulRates rates{bare_device()};
    try {
        static_cast<void>(rates[Precision::fp8]);
        FAIL() << "fp8 has no rate";
    } catch (const ModelError& error) {
        EXPECT_STREQ(error.what(),
                     "the device has no matrix unit for fp8 (it multiplies in fp32, tf32, bf16, int8)");
    }
}

TEST(MatmulRates, a_measurement_does_not_create_a_format) {
    hardware::DeviceSpec device = bare_device();
    device.matmul.sustained.fp8 = FlopPerSecond{80e12};
    EXPECT_THROW(static_cast<void>(MatmulRates{device}[Precision::fp8]), ModelError);
}

}  // namespace
}  // namespace dse::model
