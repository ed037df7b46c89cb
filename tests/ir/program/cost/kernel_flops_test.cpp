#include <gtest/gtest.h>

#include "ir/program/cost/flop_count.hpp"
#include "ir/program/cost/flop_rules.hpp"

namespace dse::ir::test {
namespace {

const Sizes queries{2, 4, 16, 32};  // batch, heads, sequence, size of a head
const Sizes keys{2, 4, 64, 32};

// Scores and their sum of values: two products of 2·4·16 × 64 × 32 multiply-adds.
TEST(KernelFlops, AttentionIsTwoProducts) {
    const double forward = 2.0 * 2 * (2 * 4 * 16) * 64 * 32;
    EXPECT_EQ(flop_count(Opcode::attention, {queries, keys, keys}, queries).dot, forward);
    // The gradient of the output comes first; five products for two.
    const Cost backward = flop_count(Opcode::attention_backward, {queries, queries, keys, keys}, queries);
    EXPECT_EQ(backward.dot, 2.5 * forward);
    EXPECT_EQ(backward.flops, backward.dot);
}

TEST(KernelFlops, AttentionOfUnknownShapesCountsNothing) {
    EXPECT_EQ(flop_count(Opcode::attention, {queries}, queries), Cost{});
    EXPECT_EQ(flop_count(Opcode::attention, {{16}, {64}}, {16}), Cost{});
}

TEST(KernelFlops, SortingComparesAsOftenAsAMerge) {
    EXPECT_EQ(flop_count(Opcode::sort, {{64, 8}}, {64, 8}).flops, 512 * 9);
    EXPECT_EQ(flop_count(Opcode::sort, {{5}}, {5}).flops, 5 * 3);  // ⌈log2 5⌉
    EXPECT_EQ(flop_count(Opcode::sort, {{1}}, {1}).flops, 0);
}

TEST(KernelFlops, FourierTransformsByTheirLengths) {
    EXPECT_EQ(flop_count(Opcode::fft, {{64, 8}}, {64, 8}, FftLengths{{64, 8}}).flops, 8 * 512 * (6 * 3));
    EXPECT_EQ(flop_count(Opcode::fft, {{64, 8}}, {64, 8}, FftLengths{{0}}).flops, 0);
    EXPECT_EQ(flop_count(Opcode::fft, {{64, 8}}, {64, 8}).flops, 0);
}

// maximum, −, Σ, ÷ and the exponential function.
TEST(KernelFlops, FusedOperatorsCountAsTheirFormulas) {
    const Cost softmax = flop_count(Opcode::softmax, {{64, 8}}, {64, 8});
    EXPECT_EQ(softmax.flops, 4 * 512);
    EXPECT_EQ(softmax.transcendentals, 512);
    EXPECT_EQ(flop_count(Opcode::batch_norm_training, {{64, 8}}, {64, 8}), Cost{});
}

}  // namespace
}  // namespace dse::ir::test
