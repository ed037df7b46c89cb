#include "eval/validation/stated_precision.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::eval {
namespace {

graph::SoftwareStack stack_of(const NamedFile& named, const hardware::DeviceSpec& device) {
    graph::SoftwareStack stack;
    set_precision(named, device, stack);
    return stack;
}

class StatedPrecision : public testing::Test {
  protected:
    StatedPrecision() {
        blackwell_.peak.fp4 = FlopPerSecond{9e15};
        blackwell_.peak.bf16 = FlopPerSecond{2e15};
        hopper_.peak.bf16 = FlopPerSecond{1e15};
    }

    hardware::DeviceSpec blackwell_;
    hardware::DeviceSpec hopper_;
};

/// gpt-oss: its experts multiply in four bits where the device can, and are widened elsewhere.
TEST_F(StatedPrecision, a_device_widens_weights_in_whose_format_it_does_not_multiply) {
    NamedFile mxfp4{"mxfp4", "fp4"};
    mxfp4.weight_bits = 4.25;
    EXPECT_EQ(stack_of(mxfp4, blackwell_).precision, graph::Precision::fp4);
    EXPECT_EQ(stack_of(mxfp4, blackwell_).weight_bits, 0.0);
    EXPECT_EQ(stack_of(mxfp4, hopper_).precision, graph::Precision::bf16);
    EXPECT_EQ(stack_of(mxfp4, hopper_).weight_bits, 4.25);
}

/// Integers of four bits (Kimi K2.5) are widened everywhere.
TEST_F(StatedPrecision, weights_are_stored_in_fewer_bits_than_products_have) {
    NamedFile int4{"int4_wo", "bf16"};
    int4.weight_bits = 4.5;
    for (const hardware::DeviceSpec& device : {blackwell_, hopper_}) {
        EXPECT_EQ(stack_of(int4, device).precision, graph::Precision::bf16);
        EXPECT_EQ(stack_of(int4, device).weight_bits, 4.5);
    }
}

TEST_F(StatedPrecision, others_are_as_they_are_called) {
    EXPECT_EQ(stack_of({"fp8_block", "fp8"}, hopper_).precision, graph::Precision::fp8);
    EXPECT_EQ(stack_of({"fp8_block", "fp8"}, hopper_).weight_bits, 0.0);
    EXPECT_THROW(stack_of({"fp3", "fp3"}, hopper_), ModelError);
}

}  // namespace
}  // namespace dse::eval
