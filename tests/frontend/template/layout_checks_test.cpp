#include "frontend/template/layout_checks.hpp"

#include <functional>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::frontend {
namespace {

std::string refusal(const graph::WorkloadSpec& spec, std::int64_t cp = 1) {
    graph::ResolvedLayout layout;
    layout.mesh = graph::Mesh::dense(1, cp, 1, 1);
    try {
        require_context_parallel(spec, layout);
        if (is_inference(spec.mode)) require_cached(spec);
        return "";
    } catch (const ModelError& error) {
        return error.what();
    }
}

TEST(LayoutChecks, ContextParallelismNeedsChunksAndAFlashKernel) {
    graph::WorkloadSpec spec;
    spec.sequence = 6;
    EXPECT_EQ(refusal(spec), "");
    EXPECT_NE(refusal(spec, 2).find("sequence 6 is not divisible into 2 x cp 2 chunks"), std::string::npos);
    spec.stack.balanced_context = false;
    EXPECT_EQ(refusal(spec, 2), "");
    spec.stack.attention = graph::Attention::unfused;
    EXPECT_NE(refusal(spec, 2).find("cp > 1 with attention unfused"), std::string::npos);
    EXPECT_EQ(refusal(spec), "") << "training may be unfused";
}

TEST(LayoutChecks, TrainingHasNoIntegers) {
    const auto refused = [](const graph::SoftwareStack& stack) -> std::string {
        try {
            require_trainable(stack);
            return "";
        } catch (const ModelError& error) {
            return error.what();
        }
    };
    using graph::Precision;
    graph::SoftwareStack stack;
    stack.precision = Precision::fp8;
    stack.optimizer_precision = Precision::int8;  // moments of 8 bits: Dettmers et al., arXiv 2110.02861
    EXPECT_EQ(refused(stack), "");
    stack.precision = Precision::int8;
    EXPECT_EQ(
        refused(stack),
        "precision int8 with mode training: gradients do not fit the range of 8-bit integers (take fp8, "
        "or mode prefill or decode for W8A8 inference)");
    stack.precision = Precision::bf16;
    stack.gradient_precision = Precision::int8;
    EXPECT_EQ(refused(stack).find("gradient_precision int8 with mode training"), 0U);
    stack.gradient_precision = Precision::fp32;
    stack.master_precision = Precision::int8;
    EXPECT_EQ(refused(stack).find("master_precision int8 with mode training"), 0U);
}

TEST(LayoutChecks, DecodeNeedsAKernelThatReadsACache) {
    graph::WorkloadSpec spec;
    spec.mode = graph::Mode::decode;
    EXPECT_EQ(refusal(spec), "");
    spec.stack.attention = graph::Attention::unfused;
    EXPECT_EQ(refusal(spec),
              "attention unfused with mode decode: only a flash kernel reads cached keys and values");
    spec.mode = graph::Mode::prefill;
    EXPECT_EQ(refusal(spec), "") << "prefill fills a cache";
    spec.stack.attention = graph::Attention::flash;
    spec.serving.kv_block = 0;
    EXPECT_NE(refusal(spec).find("kv_block: 0 is out of range"), std::string::npos);
}

TEST(LayoutChecks, InferenceDrawsOneTokenAndCaches) {
    const auto refused = [](const std::vector<Block>& blocks,
                            graph::Mode mode = graph::Mode::decode) -> std::string {
        try {
            require_servable(blocks, mode, "m");
            return "";
        } catch (const ModelError& error) {
            return error.what();
        }
    };
    Operation attention;
    attention.resident = Operation::Operand{};
    Operation draw;
    draw.kind = "cross_entropy";
    Block layer;
    layer.tensors.emplace_back().storage = Storage::cache;
    layer.operations = {attention};
    Block head;
    head.operations = {draw};
    EXPECT_EQ(refused({layer, head}), "");
    EXPECT_NE(refused({layer}).find("draws no tokens"), std::string::npos);
    EXPECT_NE(refused({head}).find("caches no keys and values"), std::string::npos);
    EXPECT_NE(refused({head}, graph::Mode::prefill).find("caches no keys and values"), std::string::npos);
    layer.operations.front().resident.reset();
    layer.operations.front().kind = "attention";
    EXPECT_EQ(refused({layer, head}, graph::Mode::prefill), "") << "an encoder";
    EXPECT_NE(refused({layer, head}).find("caches no keys and values"), std::string::npos);
    layer.operations = {attention};
    layer.tensors.front().storage = Storage::state;
    EXPECT_NE(refused({layer, head}).find("caches no keys and values"), std::string::npos)
        << "states of scans alone";
    layer.tensors.front().storage = Storage::cache;
    head.operations.push_back(draw);
    EXPECT_NE(refused({layer, head}).find("predicts 2 tokens at once"), std::string::npos);
}

std::string refusal_of(const std::function<void()>& check) {
    try {
        check();
        return "";
    } catch (const ModelError& error) {
        return error.what();
    }
}

TEST(LayoutChecks, RecomputationNeedsABlockThatAllowsIt) {
    std::vector<Block> blocks(2);
    graph::SoftwareStack stack;
    const auto refused = [&] { return refusal_of([&] { require_recomputable(stack, blocks, "m"); }); };
    EXPECT_EQ(refused(), "");
    stack.recompute = graph::Recompute::full;
    EXPECT_EQ(refused().find("recompute full: model 'm' keeps all activations"), 0U) << refused();
    blocks.back().recomputable = true;
    EXPECT_EQ(refused(), "");
}

TEST(LayoutChecks, UnfusedAttentionNeedsABranchOfTheTemplate) {
    std::vector<Block> blocks(2);
    blocks.back().name = "layer";
    graph::SoftwareStack stack;
    const auto refused = [&](const char* kind) {
        blocks.back().operations = {Operation{}};
        blocks.back().operations.front().kind = kind;
        return refusal_of([&] { require_attention(stack, blocks, "m"); });
    };
    EXPECT_EQ(refused("attention"), "");
    stack.attention = graph::Attention::unfused;
    EXPECT_EQ(refused("attention_scores"), "");
    EXPECT_EQ(refused("attention").find("attention: block 'layer' of model 'm' has a fused kernel alone"),
              0U);
    EXPECT_NE(refused("latent_attention"), "");
}

TEST(LayoutChecks, TensorsOfSeveralBlocksAreNamedOnce) {
    std::vector<Block> blocks(2);
    for (Block& block : blocks) {
        for (const char* name : {"zeta", "act"}) block.tensors.emplace_back().name = name;
    }
    const auto refused = [&](const char* names) {
        return refusal_of([&] { require_known_tensors(names, blocks); });
    };
    EXPECT_EQ(refused("act zeta"), "");
    EXPECT_EQ(refused("qqq"), "recompute_tensors: no tensor is called 'qqq' (known: act, zeta)");
}

}  // namespace
}  // namespace dse::frontend
