#include "model/compute/learned.hpp"

#include <cmath>
#include <map>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "model/devices.hpp"
#include "model/works.hpp"
#include "support/soft_equal.hpp"

namespace dse::model {
namespace {

hardware::DeviceSpec doubled() {
    hardware::DeviceSpec device = bare_device();
    device.learned = with_trees("gemm", static_cast<float>(std::log(2.0)));
    return device;
}

/// The bare form of 1000 cubed is 23.28 us (kernel_time_test.cpp).
TEST(Learned, products_take_what_trees_say) {
    const Learned learned{doubled(), Seconds{}};
    EXPECT_NEAR(learned.time(matmul(1, 1000, 1000, 1000)).value(), 46.5625e-6, 1e-10);
    EXPECT_TRUE(learned.account(matmul(1, 1000, 1000, 1000)).remark.empty());
    EXPECT_SOFT_EQ(learned.time(matmul(1, 512, 512, 512)),
                   learned.time(matmul(1, 512, 512, 512, graph::Precision::fp16)));
}

/// Trees that divide the bare form by 8 would run 4096 cubed at several times the rate that is sustained.
TEST(Learned, no_product_exceeds_the_rate_of_a_step) {
    hardware::DeviceSpec device = bare_device();
    device.learned = with_trees("gemm", static_cast<float>(-std::log(8.0)));
    device.matmul.in_training = 0.5;
    const graph::Compute work = matmul(1, 4096, 4096, 4096);
    const FlopPerSecond sustained = MatmulRates{device}[work.precision];
    EXPECT_SOFT_EQ((Learned{device, Seconds{}}.time(work)), work.executed_flop / sustained);
}

/// Trees of constants: products take `factor` times their bare form, casts in fp8 `cast` without their bytes.
hardware::DeviceSpec with_casts(double factor, double cast) {
    const auto constant = [](double value) {
        hardware::LearnedKind learned;
        learned.trees.set_bias(std::log(value));
        return learned;
    };
    hardware::DeviceSpec device = bare_device();
    device.peak.fp8 = FlopPerSecond{200e12};
    device.learned = with_trees("gemm", 0.0F);
    device.learned.trees =
        std::make_shared<const hardware::TreeFile>(std::map<std::string, hardware::LearnedKind>{
            {"gemm", constant(factor)}, {"gemm_fp8_cast", constant(cast)}});
    return device;
}

/// In a step, casts are operators of their own.
TEST(Learned, products_in_fp8_are_without_the_casts_measured_with_them) {
    const graph::Compute work = matmul(1, 512, 512, 4096, graph::Precision::fp8);
    const auto time = [&](double cast) { return Learned{with_casts(4.0, cast), Seconds{}}.time(work); };
    EXPECT_NEAR((time(1e-6) - time(11e-6)).value(), 10e-6, 1e-11);
}

/// Whatever is subtracted.
TEST(Learned, no_product_is_faster_than_the_memory) {
    const graph::Compute work = matmul(1, 1, 4096, 4096, graph::Precision::fp8);
    EXPECT_SOFT_EQ((work.read + work.written) / BytesPerSecond{1e12},
                   (Learned{with_casts(1.0, 1.0), Seconds{}}.time(work)));
}

TEST(Learned, all_else_is_as_the_roofline) {
    const Learned learned{doubled(), Seconds{}};
    const Roofline roofline{doubled(), Seconds{}};
    for (const graph::Compute& work :
         {matmul(4, 512, 512, 512), matmul(1, 512, 512, 512, graph::Precision::fp32),
          streaming(graph::OpClass::elementwise, 1e6, 1e6)}) {
        EXPECT_EQ(learned.time(work), roofline.time(work));
        EXPECT_FALSE(learned.account(work).remark.empty());
    }
    // The device has no fp8: refused, as there.
    EXPECT_THROW((void)learned.time(matmul(1, 512, 512, 512, graph::Precision::fp8)), ModelError);
}

/// Weights of half a byte, with and without a limit on how fast they are widened.
TEST(Learned, products_that_widen_their_weights_are_as_the_roofline) {
    const Learned learned{doubled(), Seconds{}};
    const Roofline roofline{doubled(), Seconds{}};
    graph::Compute work = matmul(1, 16, 1000, 1000);
    EXPECT_TRUE(learned.account(work).remark.empty());
    work.read = Bytes{2.0 * 16 * 1000 + 0.5 * 1000 * 1000};
    EXPECT_EQ(learned.time(work), roofline.time(work));
    EXPECT_FALSE(learned.account(work).remark.empty());
    work.lane_cycles = 1e6;
    EXPECT_EQ(learned.time(work), roofline.time(work));
}

TEST(Learned, none_is_faster_than_it_is_launched) {
    const Learned learned{doubled(), Seconds{1e-3}};
    EXPECT_SOFT_EQ(Seconds{1e-3}, learned.time(matmul(1, 1000, 1000, 1000)));
}

TEST(Learned, needs_trees_of_products) {
    EXPECT_THROW((Learned{bare_device(), Seconds{}}), ModelError);
    hardware::DeviceSpec device = bare_device();
    device.learned = with_trees("decode", 0.0F);
    EXPECT_THROW((Learned{device, Seconds{}}), ModelError);
}

}  // namespace
}  // namespace dse::model
