// Bytes a parameter and an activation take in the recipes of sixteen, eight and four bits. Linear weights (of
// layers) are operands of narrow products; norms, the embedding and the head are not.
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "stage_memory.hpp"
#include "support/collective_totals.hpp"

namespace dse {
namespace {

using graph::CastRecipe;
using graph::MemoryKind;
using graph::Precision;
using graph::PrimaryWeights;
using graph::SoftwareStack;

const test::ModelSizes& model = test::small_llama;
const double weights = model.layers * model.layer_matrices();
const double others = model.layers * model.layer_vectors() + model.head_vectors() + 2 * model.vocab * model.h;

struct Recipe {
    std::string name;
    void (*choose)(SoftwareStack& stack);
    double kept_weight;  ///< bytes of a linear weight
    double kept_other;   ///< of another parameter
    double gradient;
    double states;  ///< of the optimizer
};

// Where each comes from: Micikevicius et al. 2018 (mixed precision: 2 + 4 + 12); Rajbhandari et al. 2020 (16
// B with fp16 gradients); PyTorch FSDP2's mixed-precision policy (fp32 shards, two fp32 moments); DeepSeek-V3
// (arXiv 2412.19437, section 3.3.2: bf16 moments, fp32 master copy and gradients); Transformer Engine (bf16
// weights with their fp8 casts in both orders; or fp8 primary weights); OCP MX 1.0 and NVFP4 for what scales
// add.
const std::vector<Recipe> recipes{
    {"bf16", [](SoftwareStack&) {}, 2, 2, 4, 12},
    {"bf16_gradients", [](SoftwareStack& s) { s.gradient_precision = Precision::bf16; }, 2, 2, 2, 12},
    {"fp32", [](SoftwareStack& s) { s.precision = Precision::fp32; }, 4, 4, 4, 8},
    {"pure_bf16",
     [](SoftwareStack& s) {
         s.gradient_precision = s.master_precision = s.optimizer_precision = Precision::bf16;
     },
     2, 2, 2, 4},
    {"fsdp2", [](SoftwareStack& s) { s.primary_weights = PrimaryWeights::master; }, 4, 4, 4, 8},
    {"deepseek_v3",
     [](SoftwareStack& s) {
         s.precision = Precision::fp8;
         s.optimizer_precision = Precision::bf16;
     },
     2, 2, 4, 8},
    {"fp8_casts_stay",
     [](SoftwareStack& s) {
         s.precision = Precision::fp8;
         s.keep_weight_casts = true;
     },
     2 + 2, 2, 4, 12},
    {"mxfp8_casts_stay",
     [](SoftwareStack& s) {
         s.precision = Precision::fp8;
         s.cast_recipe = CastRecipe::block;
         s.keep_weight_casts = true;
     },
     2 + 2 * (1 + 1.0 / 32), 2, 4, 12},
    {"nvfp4_casts_stay",
     [](SoftwareStack& s) {
         s.precision = Precision::fp4;
         s.cast_recipe = CastRecipe::block;
         s.keep_weight_casts = true;
     },
     2 + 2 * (0.5 + 1.0 / 16), 2, 4, 12},
    {"fp8_primary",
     [](SoftwareStack& s) {
         s.precision = Precision::fp8;
         s.primary_weights = PrimaryWeights::fp8;
     },
     1, 2, 4, 12},
    {"fp8_primary_both_orders",
     [](SoftwareStack& s) {
         s.precision = Precision::fp8;
         s.primary_weights = PrimaryWeights::fp8;
         s.keep_weight_casts = true;
     },
     2, 2, 4, 12},
    {"fp8_moments", [](SoftwareStack& s) { s.optimizer_precision = Precision::fp8; }, 2, 2, 4, 6},
};

class StatePrecision : public testing::Test {
  protected:
    const graph::Graph& build(const SoftwareStack& stack, std::int64_t dp = 1) {
        graph::WorkloadSpec spec;
        spec.model = model.name;
        spec.global_batch = dp;
        spec.sequence = 32;
        spec.stack = stack;
        return frontend_.build(spec, graph::resolve(spec.layout, dp, dp));
    }
    double kept_by_layers(const SoftwareStack& stack) {
        const graph::Graph& graph = build(stack);
        return test::memory_of(graph, graph.programs.front().chunks.front().forward).net() / 32;
    }

    test::SmallModels models_;
    frontend::TemplateFrontend frontend_{models_.frontend()};
};

class StatePrecisionOf : public StatePrecision, public testing::WithParamInterface<Recipe> {};

TEST_P(StatePrecisionOf, BytesAParameter) {
    const Recipe& recipe = GetParam();
    SoftwareStack stack;
    recipe.choose(stack);
    auto resident = test::resident(build(stack));
    EXPECT_EQ(resident[MemoryKind::parameters], recipe.kept_weight * weights + recipe.kept_other * others);
    EXPECT_EQ(resident[MemoryKind::gradients], recipe.gradient * (weights + others));
    EXPECT_EQ(resident[MemoryKind::optimizer], recipe.states * (weights + others));
    // Under ZeRO-3 a rank of two has half, and casts are made anew for each pass.
    stack.zero = 3;
    stack.keep_weight_casts = false;
    const double kept = test::resident(build(stack))[MemoryKind::parameters];
    stack.keep_weight_casts = true;
    resident = test::resident(build(stack, 2));
    EXPECT_EQ(resident[MemoryKind::parameters], kept / 2);
    EXPECT_EQ(resident[MemoryKind::optimizer], recipe.states * (weights + others) / 2);
}

INSTANTIATE_TEST_SUITE_P(Recipes, StatePrecisionOf, testing::ValuesIn(recipes),
                         [](const auto& recipe) { return recipe.param.name; });

/// ZeRO-3 gathers what the products read: 2 B, or 1 B where weights are cast before.
TEST_F(StatePrecision, WhatIsGathered) {
    const auto gathered = [&](const SoftwareStack& stack) {
        const auto totals = test::collectives_of_stage(build(stack, 2), 0);
        const auto data = graph::AxisSet{graph::MeshAxis::data}.bits();
        return totals.at({graph::CollectiveKind::all_gather, data}).size.value();
    };
    SoftwareStack stack;
    stack.zero = 3;
    stack.precision = Precision::fp8;
    EXPECT_EQ(gathered(stack), 2 * 2 * (weights + others));
    stack.primary_weights = PrimaryWeights::master;
    EXPECT_EQ(gathered(stack), 2 * 2 * (weights + others)) << "the master copy is cast first";
    stack.gather_casts = true;
    EXPECT_EQ(gathered(stack), 2 * (weights + 2 * others));
    stack.gather_casts = false;
    stack.primary_weights = PrimaryWeights::fp8;
    EXPECT_EQ(gathered(stack), 2 * (weights + 2 * others));
}

/// Replicas may reduce gradients in another precision than that in which they are kept.
TEST_F(StatePrecision, WhatIsReduced) {
    SoftwareStack stack;
    stack.gradient_precision = Precision::bf16;
    for (const auto& [zero, kind] : {std::pair{0, graph::CollectiveKind::all_reduce},
                                     std::pair{3, graph::CollectiveKind::reduce_scatter}}) {
        stack.zero = zero;
        const auto reduced = [&, kind = kind](graph::ReductionPrecision precision) {
            stack.reduction_precision = precision;
            const auto totals = test::collectives_of_stage(build(stack, 2), 0);
            return totals.at({kind, graph::AxisSet{graph::MeshAxis::data}.bits()}).size.value();
        };
        EXPECT_EQ(reduced(graph::ReductionPrecision::kept), 2 * (weights + others));
        EXPECT_EQ(reduced(graph::ReductionPrecision::fp32), 4 * (weights + others));
    }
    EXPECT_EQ(test::resident(build(stack))[MemoryKind::gradients], 2 * (weights + others));
}

/// Transformer Engine keeps the cast of what a linear layer reads: of norms' outputs and the MLP's product a
/// byte in place of two; attention's own backward pass needs its result in sixteen bits besides.
TEST_F(StatePrecision, ActivationsThatAreKeptAsCasts) {
    const double q = model.n * model.d;
    SoftwareStack stack;
    stack.precision = Precision::fp8;
    const double plain = kept_by_layers(stack);
    stack.keep_activation_casts = true;
    const double layer = -2 * model.h + q - model.f;
    EXPECT_EQ(kept_by_layers(stack) - plain, model.layers * layer);
    stack.cast_recipe = CastRecipe::block;
    const double scales = (2 * model.h + q + model.f) / 32;
    EXPECT_EQ(kept_by_layers(stack) - plain, model.layers * (layer + scales));
    stack.narrow_head = true;
    EXPECT_EQ(kept_by_layers(stack) - plain, model.layers * (layer + scales) - model.h + model.h / 32)
        << "and the head's norm";
    // Nothing to cast, nothing changes.
    stack.precision = Precision::bf16;
    EXPECT_EQ(kept_by_layers(stack), plain);
}

TEST_F(StatePrecision, PassesFreeTheCastsThatTheyFind) {
    for (const auto recompute :
         {graph::Recompute::none, graph::Recompute::selective, graph::Recompute::full}) {
        SoftwareStack stack;
        stack.precision = Precision::fp8;
        stack.keep_activation_casts = true;
        stack.recompute = recompute;
        const graph::Graph& graph = build(stack);
        const auto& chunk = graph.programs.front().chunks.front();
        EXPECT_EQ(test::memory_of(graph, chunk.forward).net(), -test::memory_of(graph, chunk.backward).net());
    }
}

TEST_F(StatePrecision, EightBitWeightsNeedEightBitProducts) {
    SoftwareStack stack;
    stack.primary_weights = PrimaryWeights::fp8;
    EXPECT_THROW(build(stack), ModelError);
}

}  // namespace
}  // namespace dse
