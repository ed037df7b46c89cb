#include "model/compute/learned.hpp"

#include <algorithm>
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

/// The bare form of 1000 cubed is 23.67 us (kernel_time_test.cpp).
TEST(Learned, products_take_what_trees_say) {
    const Learned learned{doubled(), Seconds{}};
    EXPECT_NEAR(learned.time(matmul(1, 1000, 1000, 1000)).value(), 47.3333e-6, 1e-10);
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

/// In a step, casts are operators of their own. 512 x 512 x 4096: the trees say so much that 10 us and 5 bytes
/// for each of 512 · 4096 activations (10.5 us at 1 TB/s) can be subtracted.
TEST(Learned, products_in_fp8_are_without_the_casts_measured_with_them) {
    const auto constant = [](double logarithm) {
        hardware::TreeEnsemble trees;
        trees.set_bias(logarithm);
        return trees;
    };
    hardware::DeviceSpec device = bare_device();
    device.peak.fp8 = FlopPerSecond{200e12};
    device.learned = with_trees("gemm", 0.0F);
    const graph::Compute work = matmul(1, 512, 512, 4096, graph::Precision::fp8);
    const auto with = [&](double gemm, double cast) {
        device.learned.trees = std::make_shared<const hardware::TreeFile>(
            std::map<std::string, hardware::TreeEnsemble>{{"gemm", constant(gemm)},
                                                          {"gemm_fp8_cast", constant(cast)}});
        return Learned{device, Seconds{}}.time(work).value();
    };
    const double activations = 5.0 * 512 * 4096 / 1e12;
    const double hardly_cast = with(std::log(4.0), std::log(1e-12));
    EXPECT_NEAR(with(std::log(4.0), std::log(10e-6)), hardly_cast - 10e-6, 1e-11);
    // No faster than the memory, whatever is subtracted.
    const double memory = (work.read + work.written).value() / 1e12;
    const double rate = work.executed_flop.value() / 200e12;
    EXPECT_NEAR(with(std::log(4.0), std::log(1.0)), std::max(memory, rate), 1e-12);
    EXPECT_GT(hardly_cast, 10e-6 + activations);
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
