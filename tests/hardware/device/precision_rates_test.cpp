#include "dse/hardware/device/precision_rates.hpp"

#include <gtest/gtest.h>

#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

TEST(PrecisionRates, absent_formats_stay_unsupported) {
    PrecisionRates rates;
    EXPECT_EQ(errors_of("bf16: 312 TFLOPS\nfp32: {value: 19.5 TFLOPS, source: datasheet}\n", rates), "");
    EXPECT_DOUBLE_EQ(rates.bf16.value(), 312e12);
    EXPECT_DOUBLE_EQ(rates.fp32.value(), 19.5e12);
    EXPECT_EQ(rates.fp8, FlopPerSecond{});
}

TEST(PrecisionRates, no_rate_is_below_zero) {
    PrecisionRates rates;
    rates.fp4 = FlopPerSecond{-1.0};
    EXPECT_EQ(keys(problems_of(rates)), Keys{"fp4"});
    rates = {};
    rates.int8 = FlopPerSecond{-1.0};
    EXPECT_EQ(keys(problems_of(rates)), Keys{"int8"});
}

TEST(PrecisionRates, an_unknown_format_names_the_nearest) {
    PrecisionRates rates;
    const std::string errors = errors_of("bf61: 312 TFLOPS\n", rates);
    EXPECT_NE(errors.find("x.yaml:1:1"), std::string::npos) << errors;
    EXPECT_NE(errors.find("did you mean 'bf16'"), std::string::npos) << errors;
}

}  // namespace
}  // namespace dse::hardware
