#include <gtest/gtest.h>

#include "frontend/template/one_line.hpp"

namespace dse::frontend {
namespace {

/// b 2, s 4, n 4 heads; keys of h 8 without and k 2 with a position, values of d 3.
class LatentAttention : public test::OneLine, public testing::Test {
  protected:
    LatentAttention() {
        declare("q", {"b", "s", "n*(h + k)"});
        declare("kv", {"b", "s", "n*(h + d)"});
        declare("k_rope", {"b", "s", "k"});
    }
};

TEST_F(LatentAttention, KeysAreMadeOfTwoParts) {
    const auto operation = read("keys = latent_keys(kv, k_rope, heads=n, nope=h, value=d)");
    ASSERT_TRUE(operation) << errors();
    EXPECT_EQ(shape(operation->results[0].tensor), (std::vector<double>{2, 4, 40})) << "4 (8 + 2)";
    EXPECT_DOUBLE_EQ(operation->forward.reads[0].passes, 8.0 / 11) << "the values are not read";
    EXPECT_EQ(operation->backward[0].writes.size(), 2U);
    EXPECT_EQ(operation->whole, "r") << "the shared part goes to every head";
}

/// docs/theory/work.md 1.2: causal 2·S2·n·((d_n + d_r) + d_v)/2 with S2 = b·s² = 32: 32 · 4 · 13 = 1664.
TEST_F(LatentAttention, CountsKeysAndValuesByTheirWidths) {
    ASSERT_TRUE(read("keys = latent_keys(kv, k_rope, heads=n, nope=h, value=d)")) << errors();
    const auto operation =
        read("y = latent_attention(q, keys, kv, heads=n, nope=h, rope=k, value=d, causal=true)");
    ASSERT_TRUE(operation) << errors();
    EXPECT_EQ(shape(operation->results[0].tensor), (std::vector<double>{2, 4, 12}));
    EXPECT_EQ(shape(operation->results[1].tensor), (std::vector<double>{2, 4, 4})) << "softmax statistics";
    EXPECT_DOUBLE_EQ(model_flop(operation->forward), 1664);
    EXPECT_DOUBLE_EQ(executed_flop(operation->forward), 1664);
    EXPECT_DOUBLE_EQ(model_flop(operation->backward[0]), 2 * 1664);
    // Three products over keys of 10, two over values of 3: 36 in the place of 13.
    EXPECT_DOUBLE_EQ(executed_flop(operation->backward[0]), 1664.0 * 36 / 13);
    EXPECT_EQ(operation->whole, "st");
    EXPECT_EQ(letters(operation->indivisible), "o");
}

/// In eight bits the unit is the mean width of keys and values, 13//2 = 6; the work is the same.
TEST_F(LatentAttention, InEightBitsTheUnitIsTheMeanWidth) {
    stack.precision = graph::Precision::fp8;
    stack.fp8_attention = true;
    ASSERT_TRUE(read("keys = latent_keys(kv, k_rope, heads=n, nope=h, value=d)")) << errors();
    const auto operation =
        read("y = latent_attention(q, keys, kv, heads=n, nope=h, rope=k, value=d, causal=true)");
    ASSERT_TRUE(operation) << errors();
    EXPECT_EQ(product(operation->forward.gemm.k), 6);
    EXPECT_DOUBLE_EQ(model_flop(operation->forward), 1664);
    EXPECT_DOUBLE_EQ(executed_flop(operation->backward[0]), 1664.0 * 36 / 13);
}

/// With 2 of them the four tokens attend to 2·4 - 2 = 6 pairs of tokens for 8: 2·b·6·n·13, b 2; with 9 to
/// all.
TEST_F(LatentAttention, AttendsToWhatWasSelected) {
    ASSERT_TRUE(read("keys = latent_keys(kv, k_rope, heads=n, nope=h, value=d)")) << errors();
    const auto two =
        read("y = latent_attention(q, keys, kv, heads=n, nope=h, rope=k, value=d, selected=2, causal=true)");
    ASSERT_TRUE(two) << errors();
    EXPECT_DOUBLE_EQ(model_flop(two->forward), 2.0 * 2 * 6 * 4 * 13);
    const auto all =
        read("z = latent_attention(q, keys, kv, heads=n, nope=h, rope=k, value=d, selected=9, causal=true)");
    ASSERT_TRUE(all) << errors();
    EXPECT_DOUBLE_EQ(model_flop(all->forward), 1664);
}

/// A kernel that works on the cached vectors, of rank 5 with 2 for the position, for 16 heads on any number
/// of devices: 2·b·6·16·(5 + 2 + 5).
TEST_F(LatentAttention, MayWorkOnCachedVectorsForMoreHeads) {
    stack.sparse_heads = 16;
    ASSERT_TRUE(read("keys = latent_keys(kv, k_rope, heads=n, nope=h, value=d)")) << errors();
    const auto chosen = read(
        "y = latent_attention(q, keys, kv, heads=n, nope=h, rope=k, value=d, rank=5, selected=2, "
        "causal=true)");
    ASSERT_TRUE(chosen) << errors();
    EXPECT_DOUBLE_EQ(executed_flop(chosen->forward), 2.0 * 2 * 6 * 16 * 12);
    EXPECT_EQ(chosen->forward.gemm.batch.back().letter, '\0') << "not shared with other devices";
    const auto all = read("z = latent_attention(q, keys, kv, heads=n, nope=h, rope=k, value=d, causal=true)");
    ASSERT_TRUE(all) << errors();
    EXPECT_DOUBLE_EQ(executed_flop(all->forward), 1664) << "dense attention";
}

TEST_F(LatentAttention, SaysWhatDoesNotFit) {
    EXPECT_FALSE(read("keys = latent_keys(kv, k_rope, heads=k, nope=h, value=d)"));
    EXPECT_NE(errors().find("latent_keys: the last dimension of 'kv' is 44, but heads (nope + value) is 22"),
              std::string::npos)
        << errors();
    ASSERT_TRUE(read("keys = latent_keys(kv, k_rope, heads=n, nope=h, value=d)")) << errors();
    EXPECT_FALSE(read("y = latent_attention(q, keys, kv, heads=n, nope=h, rope=d, value=d)"));
    EXPECT_NE(
        errors().find("latent_attention: the last dimension of 'q' is 40, but heads (nope + rope) is 44"),
        std::string::npos)
        << errors();
    EXPECT_FALSE(read("y = latent_attention(q, keys, q, heads=n, nope=h, rope=k, value=d)"));
}

}  // namespace
}  // namespace dse::frontend
