#include "app/convolution.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "dse/base/error.hpp"

namespace dse::app {
namespace {

using graph::Precision;
using test::run_app;
using testing::HasSubstr;

/// ResNet-50's first layer: windows of 7 x 7 x 3 in steps of 2 over an image of 224 with 3 around it, so
/// (224 + 6 - 7) / 2 + 1 = 112 of them a side.
Convolution first_layer() {
    return {.images = 2,
            .height = 224,
            .width = 224,
            .channels = 3,
            .filters = 64,
            .filter_height = 7,
            .filter_width = 7,
            .stride = 2,
            .padding = 3};
}

TEST(Convolution, IsAProductOfWindowsAndFilters) {
    const graph::Compute work = work_of(first_layer(), Precision::bf16);
    EXPECT_EQ(work.gemm.batch, 1);
    EXPECT_EQ(work.gemm.m, 2 * 112 * 112);
    EXPECT_EQ(work.gemm.n, 64);
    EXPECT_EQ(work.gemm.k, 7 * 7 * 3);
    EXPECT_EQ(work.executed_flop.value(), 2.0 * (2 * 112 * 112) * 64 * 147);
    EXPECT_EQ(work.read.value(), 2.0 * (2 * 224 * 224 * 3 + 64 * 147)) << "each word of the image once";
    EXPECT_EQ(work.written.value(), 2.0 * (2 * 112 * 112 * 64));
}

/// Depthwise: as many groups as channels, each a product with one filter.
TEST(Convolution, GroupsAreABatch) {
    Convolution depthwise{.height = 8,
                          .width = 10,
                          .channels = 32,
                          .filters = 32,
                          .filter_height = 3,
                          .filter_width = 3,
                          .groups = 32};
    const graph::Compute work = work_of(depthwise, Precision::fp32);
    EXPECT_EQ(work.gemm.batch, 32);
    EXPECT_EQ(work.gemm.m, 6 * 8);
    EXPECT_EQ(work.gemm.n, 1);
    EXPECT_EQ(work.gemm.k, 9);
    EXPECT_EQ(work.executed_flop.value(), 2.0 * 48 * 32 * 9);
}

TEST(Convolution, WhatDoesNotFitIsNamed) {
    const auto why = [](Convolution convolution) -> std::string {
        try {
            require_valid(convolution);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    Convolution wrong = first_layer();
    EXPECT_EQ(why(wrong), "");
    wrong.filter_width = 231;
    EXPECT_THAT(why(wrong), HasSubstr("231 wide"));
    wrong = first_layer();
    wrong.groups = 2;
    EXPECT_THAT(why(wrong), HasSubstr("3 channels are not divisible into 2 groups"));
}

TEST(Convolution, OnTheCommandLine) {
    const auto layer = run_app({"gemm", "--convolution", "2,224,224,3,64,7,7", "--stride", "2", "--padding",
                                "3", "--device", "tpu_v4", "--json"});
    ASSERT_EQ(layer.code, 0) << layer.err;
    EXPECT_EQ(layer.json()["product"]["m"].get<double>(), 25088);
    // The systolic array sees the product; memory sees fewer bytes than the unfolded windows have.
    const auto product = run_app({"gemm", "25088", "64", "147", "--device", "tpu_v4", "--json"}).json();
    EXPECT_EQ(layer.json()["flop"], product["flop"]);
    EXPECT_EQ(layer.json()["rows"][1]["cycles"], product["rows"][1]["cycles"]);
    EXPECT_LT(layer.json()["rows"][1]["time"].get<double>(), product["rows"][1]["time"].get<double>());
}

TEST(Convolution, OrAProductNotBothAndNotNeither) {
    const std::vector<std::vector<std::string>> wrong{
        {"gemm", "8", "8", "8", "--convolution", "1,8,8,8,8,1,1", "--device", "tpu_v4"},
        {"gemm", "--device", "tpu_v4"},
        {"gemm", "8", "8", "--device", "tpu_v4"},
        {"gemm", "8", "8", "8", "--stride", "2", "--device", "tpu_v4"},
        {"gemm", "--convolution", "1,8,8,8,8,9,9", "--device", "tpu_v4"},
        {"gemm", "--convolution", "1,8,8,8,8,1", "--device", "tpu_v4"}};
    for (const auto& arguments : wrong) EXPECT_EQ(run_app(arguments).code, 2) << arguments.size();
}

}  // namespace
}  // namespace dse::app
