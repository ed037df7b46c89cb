#include "eval/validation/metric_unit.hpp"

#include <gtest/gtest.h>

namespace dse::eval {
namespace {

TEST(UnitsInsteadOf, UnitsOfTheMetricAreRight) {
    for (const char* unit : {"", "tokens/s", "tokens/s/gpu", "tok/s/gpu", "tokens/s (total)",
                             "Tokens/GPU/sec", "tokens per second"})
        EXPECT_EQ(units_instead_of("tokens_per_s_per_gpu", unit), "") << unit;
    for (const char* unit : {"%", "percent", "1", "share"})
        EXPECT_EQ(units_instead_of("mfu", unit), "") << unit;
    for (const char* unit : {"TFLOP/s/gpu", "TFLOPS", "tflops/GPU"})
        EXPECT_EQ(units_instead_of("model_tflops_per_gpu", unit), "") << unit;
    for (const char* unit : {"samples/s", "sequences/s"})
        EXPECT_EQ(units_instead_of("samples_per_s", unit), "") << unit;
    for (const char* unit :
         {"s", "ms/iter", "Sec", "seconds", "msec", "s per step", "milliseconds", "\u00B5s", "min"})
        EXPECT_EQ(units_instead_of("step_time", unit), "") << unit;
}

TEST(UnitsInsteadOf, OthersAreNot) {
    for (const char* unit : {"ktokens/s", "tokens/day", "tokens/step", "s", "TFLOP/s"})
        EXPECT_EQ(units_instead_of("tokens_per_s", unit), "tokens/s") << unit;
    EXPECT_EQ(units_instead_of("mfu", "TFLOP/s"), "%, or a share");
    for (const char* unit : {"PFLOP/s", "GFLOPS", "%"})
        EXPECT_EQ(units_instead_of("achieved_tflops_per_gpu", unit), "TFLOP/s") << unit;
    EXPECT_EQ(units_instead_of("step_time", "parsecs"), "s or ms");
}

TEST(UnitsInsteadOf, UnknownMetricsHaveAnyUnit) {
    EXPECT_EQ(units_instead_of("joy", "furlongs"), "");
}

}  // namespace
}  // namespace dse::eval
