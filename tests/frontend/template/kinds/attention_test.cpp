// Also tests: template/kinds/context.cpp
#include <gtest/gtest.h>

#include "frontend/template/one_line.hpp"

namespace dse::frontend {
namespace {

using test::OneLine;

// b 2, s 4, 4 query heads, 2 key-value heads of 3: a projection of (4 + 2·2)·3 = 24.
OneLine projected() {
    OneLine line;
    line.declare("qkv", {"b", "s", "(n + 2*k)*d"});
    return line;
}

TEST(Attention, FlashCountsHalfWhereItIsCausal) {
    OneLine line = projected();
    const auto operation = line.read("y = attention(qkv, heads=n, kv_heads=k, head_dim=d, causal=true)");
    ASSERT_TRUE(operation) << line.errors();
    ASSERT_EQ(operation->results.size(), 2U);
    EXPECT_EQ(line.shape(operation->results[0].tensor), (std::vector<double>{2, 4, 12}));
    // The softmax statistics: one fp32 number a query and head, kept for the backward pass.
    const Tensor& statistics = line.tensor(operation->results[1].tensor);
    EXPECT_EQ(statistics.role, TensorRole::saved);
    EXPECT_EQ(statistics.storage, Storage::full);
    EXPECT_EQ(line.shape(operation->results[1].tensor), (std::vector<double>{2, 4, 4}));
    // docs/theory/work.md 1.2: 2·S2·q with S2 = b·s² = 32 and q = 12.
    EXPECT_EQ(line.model_flop(operation->forward), 768);
    EXPECT_EQ(line.executed_flop(operation->forward), 768);
    ASSERT_EQ(operation->backward.size(), 1U);
    EXPECT_EQ(line.model_flop(operation->backward[0]), 2 * 768);
    EXPECT_EQ(line.executed_flop(operation->backward[0]), 2.5 * 768) << "the scores are made again";
    EXPECT_EQ(line.uses(operation->backward[0].reads), "d_y y.q y.kv y y.lse");
    EXPECT_EQ(line.uses(operation->backward[0].writes), "d_y.q d_y.kv");
    EXPECT_EQ(operation->whole, "st");
    // The projection is looked at in two parts, 4·3 = 12 of queries and 2·2·3 = 12 of keys and values.
    ASSERT_EQ(line.views.size(), 1U);
    ASSERT_EQ(line.views[0].results.size(), 2U);
    EXPECT_EQ(line.shape(line.views[0].results[0].tensor), (std::vector<double>{2, 4, 12}));
    EXPECT_EQ(line.shape(line.views[0].results[1].tensor), (std::vector<double>{2, 4, 12}));
    // Query heads and key-value heads have to divide alike.
    EXPECT_EQ(line.product(operation->indivisible), 2);
    EXPECT_EQ(OneLine::letters(operation->indivisible), "o");
}

TEST(Attention, DecodesNoTokensThatLaterOnesChange) {
    OneLine line = projected();
    line.mode = graph::Mode::decode;
    EXPECT_FALSE(line.read("y = attention(qkv, heads=n, kv_heads=k, head_dim=d, causal=false)"));
    EXPECT_NE(line.errors().find("attends to later tokens (causal=false)"), std::string::npos)
        << line.errors();
}

/// No later token reads what an encoder's tokens attend to.
TEST(Attention, CachesNothingWhereTokensSeeLaterOnes) {
    OneLine line = projected();
    line.mode = graph::Mode::prefill;
    ASSERT_TRUE(line.read("y = attention(qkv, heads=n, kv_heads=k, head_dim=d, causal=false)"))
        << line.errors();
    EXPECT_TRUE(line.before.empty());
}

/// Publications of GPT models count the scores that the mask hides; the kernel skips them all the same.
TEST(Attention, MaskedScoresMayCountThoughNoKernelComputesThem) {
    OneLine line = projected();
    const auto operation =
        line.read("y = attention(qkv, heads=n, kv_heads=k, head_dim=d, causal=true, counts_masked=true)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_TRUE(operation->causal);
    EXPECT_EQ(line.model_flop(operation->forward), 2 * 768);
    EXPECT_EQ(line.executed_flop(operation->forward), 768);
    EXPECT_EQ(line.model_flop(operation->backward[0]), 4 * 768);
    EXPECT_EQ(line.executed_flop(operation->backward[0]), 2.5 * 768);
}

/// A window of one token: b·s·1 = 8 pairs, in full.
TEST(Attention, AWindowBoundsThePairs) {
    OneLine line = projected();
    const auto operation =
        line.read("y = attention(qkv, heads=n, kv_heads=k, head_dim=d, causal=true, window=1)");
    ASSERT_TRUE(operation) << line.errors();
    // 4·pairs·q FLOPs with q = 12: two products of two FLOPs each.
    EXPECT_EQ(line.model_flop(operation->forward), 4 * 8 * 12);
    EXPECT_EQ(line.executed_flop(operation->forward), 4 * 8 * 12);
    EXPECT_FALSE(operation->causal) << "no rank has more of a window than another";
}

/// A causal sequence of four has b·s²/2 = 16 pairs, whatever the window; one that is not has b·s² = 32.
TEST(Attention, AWindowBeyondTheSequenceChangesNothing) {
    for (const char* window : {"2", "3", "4", "4096"}) {
        OneLine line = projected();
        const auto operation = line.read(std::string{"y = attention(qkv, heads=n, kv_heads=k, head_dim=d, "} +
                                         "causal=true, window=" + window + ")");
        ASSERT_TRUE(operation) << line.errors();
        EXPECT_EQ(line.executed_flop(operation->forward), 768) << window;
        EXPECT_EQ(line.executed_flop(operation->backward[0]), 2.5 * 768) << window;
    }
    OneLine line = projected();
    const auto operation = line.read("y = attention(qkv, heads=n, kv_heads=k, head_dim=d, window=4096)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.executed_flop(operation->forward), 2 * 768);
}

/// In eight bits, the gradient kernel makes all causal scores, b·s²/2 = 16, though the model asks for a
/// window's.
TEST(Attention, InEightBitsTheGradientOfAWindowTakesAllScores) {
    OneLine line = projected();
    line.stack.precision = graph::Precision::fp8;
    line.stack.fp8_attention = true;
    const auto operation =
        line.read("y = attention(qkv, heads=n, kv_heads=k, head_dim=d, causal=true, window=1)");
    ASSERT_TRUE(operation) << line.errors();
    ASSERT_EQ(operation->backward.size(), 2U);
    EXPECT_EQ(line.executed_flop(operation->forward), 4 * 8 * 12);
    EXPECT_EQ(line.model_flop(operation->backward[0]), 2 * 4 * 8 * 12);
    EXPECT_EQ(line.executed_flop(operation->backward[0]), 0);
    EXPECT_EQ(line.uses(operation->backward[0].writes), "d_y.q");
    EXPECT_EQ(line.model_flop(operation->backward[1]), 0);
    EXPECT_EQ(line.executed_flop(operation->backward[1]), 2.5 * 4 * 16 * 12);
    EXPECT_EQ(line.uses(operation->backward[1].writes), "d_y.kv");
}

TEST(Attention, FlashCountsInFullWhereItIsNotCausal) {
    OneLine line = projected();
    const auto operation = line.read("y = attention(qkv, heads=n, kv_heads=k, head_dim=d)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.model_flop(operation->forward), 2 * 768);
}

TEST(Attention, TakesProjectionsApartAsWell) {
    OneLine line;
    line.declare("q", {"b", "s", "n*d"});
    line.declare("k_", {"b", "s", "k*d"});
    line.declare("v_", {"b", "s", "k*d"});
    const auto operation =
        line.read("y = attention(q, k_, v_, heads=n, kv_heads=k, head_dim=d, causal=true)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_TRUE(line.views.empty());
    EXPECT_EQ(line.model_flop(operation->forward), 768);
    EXPECT_EQ(line.uses(operation->backward[0].writes), "d_q d_k_ d_v_");
    EXPECT_FALSE(line.read("z = attention(q, v_, k_, heads=k, kv_heads=k, head_dim=d)"));
    EXPECT_NE(line.errors().find("heads x head_dim of the queries is n*d = 12, but (k)*(d) = 6 is needed"),
              std::string::npos)
        << line.errors();
}

/// What context parallelism may split: the queries; the keys too where they go round; the heads instead.
TEST(Attention, CrossesContextParallelRanksInThreeWays) {
    using graph::ContextAttention;
    const auto read = [](ContextAttention way) {
        OneLine line = projected();
        line.stack.cp_attention = way;
        const auto operation = line.read("y = attention(qkv, heads=n, kv_heads=k, head_dim=d)");
        EXPECT_TRUE(operation) << line.errors();
        return std::pair{*operation, line.views.size()};
    };
    const auto [gather, gather_views] = read(ContextAttention::all_gather);
    EXPECT_EQ(gather.context_split, "s");
    EXPECT_EQ(gather.circulating, '\0');
    EXPECT_EQ(gather_views, 1U);
    const auto [ring, ring_views] = read(ContextAttention::ring);
    EXPECT_EQ(ring.context_split, "st");
    EXPECT_EQ(ring.circulating, 't');
    EXPECT_FALSE(ring.circulates(ring.operands[0]));
    EXPECT_TRUE(ring.circulates(ring.operands[1]));
    EXPECT_EQ(ring_views, 1U);
    const auto [ulysses, ulysses_views] = read(ContextAttention::ulysses);
    EXPECT_EQ(ulysses.context_split, "");
    EXPECT_EQ(ulysses_views, 4U) << "the parts, queries and keys moved there, the result moved back";
}

TEST(Attention, UnfusedRunsTheWholeScoreMatrix) {
    OneLine line = projected();
    const auto scores = line.read("a = attention_scores(qkv, heads=n, kv_heads=k, head_dim=d, causal=true)");
    ASSERT_TRUE(scores) << line.errors();
    EXPECT_EQ(line.shape(scores->results[0].tensor), (std::vector<double>{2, 4, 4, 4}));
    // One product, 2·b·n·s·s·d = 2·2·4·4·4·3 = 768, of which the model asks for half.
    EXPECT_EQ(line.executed_flop(scores->forward), 768);
    EXPECT_EQ(line.model_flop(scores->forward), 384);
    EXPECT_EQ(line.executed_flop(scores->backward[0]), 2 * 768);
    EXPECT_EQ(line.uses(scores->backward[0].reads), "d_a qkv");

    const auto values =
        line.read("y = attention_values(a, qkv, heads=n, kv_heads=k, head_dim=d, causal=true)");
    ASSERT_TRUE(values) << line.errors();
    EXPECT_EQ(line.shape(values->results[0].tensor), (std::vector<double>{2, 4, 12}));
    EXPECT_EQ(line.executed_flop(values->forward), 768);
    EXPECT_EQ(line.model_flop(values->forward), 384);
    EXPECT_EQ(line.uses(values->backward[0].reads), "d_y a qkv");
    EXPECT_EQ(line.uses(values->backward[0].writes), "d_a d_qkv");
}

/// A device with half of the heads has half of the projection, of the scores and of the result.
TEST(Attention, HeadsAreSplitTogether) {
    OneLine line = projected();
    const auto scores = line.read("a = attention_scores(qkv, heads=n, kv_heads=k, head_dim=d)");
    const auto values = line.read("y = attention_values(a, qkv, heads=n, kv_heads=k, head_dim=d)");
    ASSERT_TRUE(scores && values) << line.errors();
    EXPECT_EQ(scores->operands[0].letters, "bso");
    EXPECT_EQ(scores->results[0].letters, "bOst");
    EXPECT_EQ(values->operands[0].letters, "bOst");
    EXPECT_EQ(values->results[0].letters, "bsO");
    EXPECT_EQ(OneLine::letters(scores->forward.gemm.batch), "bo");
    EXPECT_EQ(OneLine::letters(scores->forward.gemm.k), ".");
}

TEST(Attention, RefusesHeadsThatDoNotFit) {
    for (const auto& [options, reason] : std::vector<std::pair<std::string, std::string>>{
             {"heads=n, kv_heads=n, head_dim=d",
              "last dimension of 'qkv' is 24, but (heads + 2 kv_heads) head_dim is 36"},
             {"heads=k, kv_heads=3, head_dim=d", "more kv_heads than heads"},
             {"heads=n, kv_heads=k", "needs the option 'head_dim'"},
             {"heads=n, kv_heads=k, head_dim=d, causal=maybe", "true or false"},
             {"heads=n, kv_heads=m, head_dim=d", "m"}}) {
        OneLine line = projected();
        EXPECT_FALSE(line.read("y = attention(qkv, " + options + ")")) << options;
        EXPECT_NE(line.errors().find(reason), std::string::npos) << options << ": " << line.errors();
    }
}

// A query a token against a context of 5: 4·b·s·context·q = 4·2·4·5·12, causal or not.
TEST(Attention, DecodeReadsWhatIsCached) {
    OneLine line = projected();
    line.mode = graph::Mode::decode;
    const auto operation = line.read("y = attention(qkv, heads=n, kv_heads=k, head_dim=d, causal=true)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.model_flop(operation->forward), 1920);
    EXPECT_EQ(line.uses(operation->forward.reads), "y.q y.kv y.cache");
    ASSERT_EQ(operation->cached.size(), 1U);
    EXPECT_EQ(line.shape(operation->cached[0].tensor), (std::vector<double>{2, 5, 12})) << "2·2·3 a token";
    EXPECT_EQ(operation->cached[0].letters, "btO") << "split as the heads are";
    ASSERT_TRUE(operation->replicable);
    EXPECT_EQ(line.dimensions.text(*operation->replicable), "k");
}

/// A new token reads its window of the cache, two of the five tokens before it, or all of a shorter one.
TEST(Attention, DecodeReadsNoMoreOfTheCacheThanItsWindow) {
    for (const auto& [window, seen] : {std::pair{"2", 2.0}, std::pair{"5", 5.0}, std::pair{"4096", 5.0}}) {
        OneLine line = projected();
        line.mode = graph::Mode::decode;
        const auto operation = line.read(std::string{"y = attention(qkv, heads=n, kv_heads=k, head_dim=d, "} +
                                         "causal=true, window=" + window + ")");
        ASSERT_TRUE(operation) << line.errors();
        ASSERT_EQ(operation->cached.size(), 1U);
        EXPECT_EQ(line.shape(operation->cached[0].tensor), (std::vector<double>{2, seen, 12})) << window;
        EXPECT_EQ(line.model_flop(operation->forward), 1920 * seen / 5) << window;
    }
}

TEST(Attention, InferenceAddsKeysAndValuesToTheCache) {
    for (const auto mode : {graph::Mode::prefill, graph::Mode::decode}) {
        OneLine line = projected();
        line.mode = mode;
        const auto operation = line.read("y = attention(qkv, heads=n, kv_heads=k, head_dim=d, causal=true)");
        ASSERT_TRUE(operation) << line.errors();
        ASSERT_EQ(line.before.size(), 1U);
        const Operation& append = line.before.front();
        EXPECT_EQ(line.uses(append.forward.reads), "y.kv");
        EXPECT_EQ(line.uses(append.forward.writes), "y.append");
        EXPECT_EQ(append.forward.kernels, 0.0) << "what makes the keys writes them there";
        EXPECT_EQ(line.shape(append.results[0].tensor), (std::vector<double>{2, 4, 12}));
        ASSERT_TRUE(append.resident);
        EXPECT_EQ(line.shape(append.resident->tensor),
                  (std::vector<double>{OneLine::served, OneLine::cached, 12}));
        if (mode == graph::Mode::prefill) {
            EXPECT_EQ(line.model_flop(operation->forward), 768) << "as in training";
            EXPECT_TRUE(operation->cached.empty());
        }
    }
}

/// 2·k·d = 12 elements a token go into the cache, of the projection's (n + 2k)·d.
TEST(Attention, UnfusedFillsACacheAndReadsNone) {
    OneLine line = projected();
    line.mode = graph::Mode::prefill;
    ASSERT_TRUE(line.read("a = attention_scores(qkv, heads=n, kv_heads=k, head_dim=d)")) << line.errors();
    ASSERT_EQ(line.before.size(), 1U);
    const Operation& append = line.before.front();
    EXPECT_EQ(line.uses(append.forward.writes), "a.append");
    EXPECT_EQ(line.shape(append.results[0].tensor), (std::vector<double>{2, 4, 12}));
    const double projection = line.shape(append.forward.reads.at(0).tensor).back();
    EXPECT_DOUBLE_EQ(append.forward.reads.at(0).passes, 12 / projection);
    OneLine decodes = projected();
    decodes.mode = graph::Mode::decode;
    EXPECT_FALSE(decodes.read("a = attention_scores(qkv, heads=n, kv_heads=k, head_dim=d)"));
    EXPECT_NE(decodes.errors().find("decode runs attention flash"), std::string::npos) << decodes.errors();
}

}  // namespace
}  // namespace dse::frontend
