// Also tests: template/kinds/residual_streams.cpp
#include <gtest/gtest.h>

#include "frontend/template/one_line.hpp"

namespace dse::frontend {
namespace {

using test::OneLine;

// b 2, s 4, n 4, d 3. Heads of 4 numbers here, so that two tokens in one have 2 numbers a token.
OneLine compressed() {
    OneLine line;
    line.declare("q", {"b", "s", "n*4"});
    line.declare("kv", {"b", "s", "4"});
    line.declare("c", {"b", "s", "2"});
    return line;
}

const std::string options = "heads=n, head_dim=4, groups=2, window=1";

/// A window of one token, and of the two compressed ones 3 // 2 on average: 4·b·s·seen·n·4 = 4·2·4·2·16.
TEST(CompressedAttention, SeesAWindowAndHalfOfWhatIsCompressed) {
    OneLine line = compressed();
    const auto operation = line.read("y = compressed_attention(q, kv, c, " + options + ", ratio=2)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.shape(operation->results[0].tensor), (std::vector<double>{2, 4, 2, 8}));
    EXPECT_EQ(line.model_flop(operation->forward), 1024);
    EXPECT_EQ(line.model_flop(operation->backward[0]), 2 * 1024);
    EXPECT_EQ(line.executed_flop(operation->backward[0]), 2.5 * 1024);
    EXPECT_EQ(line.uses(operation->forward.reads), "q kv c");
    EXPECT_EQ(line.uses(operation->backward[0].writes), "d_q d_kv d_c");
    // Of one that is selected, 1 - 1 // 4.
    const auto selects =
        line.read("z = compressed_attention(q, kv, c, " + options + ", ratio=2, selected=1)");
    ASSERT_TRUE(selects) << line.errors();
    EXPECT_EQ(line.model_flop(selects->forward), 1024);
    const auto alone = line.read("w = compressed_attention(q, kv, " + options + ")");
    ASSERT_TRUE(alone) << line.errors();
    EXPECT_EQ(line.model_flop(alone->forward), 512);
}

/// Of a context of 5: one token, and both compressed ones or one. What is compressed is cached.
TEST(CompressedAttention, DecodesFromCompressedTokens) {
    OneLine line = compressed();
    line.mode = graph::Mode::decode;
    const auto operation = line.read("y = compressed_attention(q, kv, c, " + options + ", ratio=2)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.model_flop(operation->forward), 4 * 2 * 4 * 3 * 16);
    ASSERT_EQ(line.before.size(), 1U);
    EXPECT_EQ(line.shape(line.before.front().results[0].tensor), (std::vector<double>{2, 4, 2}));
    const auto selects =
        line.read("z = compressed_attention(q, kv, c, " + options + ", ratio=2, selected=1)");
    ASSERT_TRUE(selects) << line.errors();
    EXPECT_EQ(line.model_flop(selects->forward), 4 * 2 * 4 * 2 * 16);
}

TEST(CompressedAttention, NeedsWhatBelongsTogether) {
    OneLine line = compressed();
    EXPECT_FALSE(line.read("y = compressed_attention(q, kv, c, " + options + ")"));
    EXPECT_NE(line.errors().find("takes compressed tokens together with their ratio"), std::string::npos);
    EXPECT_FALSE(line.read("y = compressed_attention(q, c, " + options + ")"));
    EXPECT_NE(line.errors().find("the width of keys"), std::string::npos) << line.errors();
}

/// Two tokens in one of 4 numbers, from values and weights of 4 each.
TEST(CompressTokens, WritesANumberForEveryTwo) {
    OneLine line;
    line.declare("x", {"b", "s", "8"});
    line.parameter("bias", {"2", "4"});
    line.parameter("norm", {"4"});
    const auto operation = line.read("y = compress_tokens(x, bias, norm, ratio=2)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.shape(operation->results[0].tensor), (std::vector<double>{2, 4, 2}));
    EXPECT_EQ(line.uses(operation->backward[0].writes), "d_x d_bias d_norm");
    EXPECT_FALSE(line.read("z = compress_tokens(x, bias, norm, ratio=4)"));
    EXPECT_NE(line.errors().find("positions of a compressed token"), std::string::npos) << line.errors();
}

TEST(ResidualStreams, AreReadAndWrittenWhole) {
    OneLine line;
    line.declare("z", {"b", "s", "d"});
    line.declare("x", {"b", "s", "2*d"});
    line.declare("mix", {"b", "s", "8"});
    const auto first = line.read("x0 = repeat_streams(z, streams=2)");
    ASSERT_TRUE(first) << line.errors();
    EXPECT_EQ(line.shape(first->results[0].tensor), (std::vector<double>{2, 4, 6}));
    const auto gathered = line.read("a = gather_streams(x, mix, width=d)");
    ASSERT_TRUE(gathered) << line.errors();
    EXPECT_EQ(line.shape(gathered->results[0].tensor), (std::vector<double>{2, 4, 3}));
    const auto spread = line.read("y = spread_streams(z, x, mix)");
    ASSERT_TRUE(spread) << line.errors();
    EXPECT_EQ(line.shape(spread->results[0].tensor), (std::vector<double>{2, 4, 6}));
    EXPECT_EQ(line.uses(spread->forward.reads), "z x mix");
    EXPECT_EQ(line.uses(spread->backward[0].writes), "d_z d_x d_mix");
}

}  // namespace
}  // namespace dse::frontend
