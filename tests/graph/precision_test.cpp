#include "dse/graph/precision.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::graph {
namespace {

TEST(Precision, StorageOfOneElement) {
    EXPECT_EQ(bytes_of(Precision::fp64), Bytes{8});
    EXPECT_EQ(bytes_of(Precision::fp32), Bytes{4});
    // TF32 is a way to multiply: in memory it is an fp32. Source: NVIDIA, A100 whitepaper.
    EXPECT_EQ(bytes_of(Precision::tf32), Bytes{4});
    EXPECT_EQ(bytes_of(Precision::bf16), Bytes{2});
    EXPECT_EQ(bytes_of(Precision::fp16), Bytes{2});
    EXPECT_EQ(bytes_of(Precision::fp8), Bytes{1});
    EXPECT_EQ(bytes_of(Precision::fp4), Bytes{0.5});
    EXPECT_EQ(bytes_of(Precision::int8), Bytes{1});
}

/// NVFP4: a byte for 16 elements. MXFP8's byte for 32, and the four for 16,384 of DeepSeek's, do not count.
TEST(Precision, OperandsOfFourBitsAreStoredWithTheirScales) {
    EXPECT_EQ(stored_bytes_of(Precision::fp4), Bytes{4.5 / 8});
    EXPECT_EQ(stored_bytes_of(Precision::fp8), Bytes{1});
    EXPECT_EQ(stored_bytes_of(Precision::bf16), Bytes{2});
}

TEST(Precision, NamesStandAtTheirEnumerators) {
    const auto names = choice_names(Precision{});
    EXPECT_THAT(names, testing::ElementsAre("fp64", "fp32", "tf32", "bf16", "fp16", "fp8", "fp4", "int8"));
    EXPECT_EQ(names[static_cast<std::size_t>(Precision::bf16)], "bf16");
    EXPECT_EQ(names[static_cast<std::size_t>(Precision::fp4)], "fp4");
    EXPECT_EQ(names[static_cast<std::size_t>(Precision::int8)], "int8");
}

}  // namespace
}  // namespace dse::graph
