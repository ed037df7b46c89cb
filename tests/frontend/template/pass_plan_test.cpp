#include "dse/frontend/template/pass_plan.hpp"

#include "small_template.hpp"

namespace dse::frontend {
namespace {

using graph::AxisSet;
using graph::MeshAxis;
using graph::Recompute;
using test::mlp_template;
using test::SmallTemplate;

const AxisSet tp{MeshAxis::tensor};
const AxisSet dp{MeshAxis::data};

TEST(PassPlan, OneDeviceHasNoCollectives) {
    SmallTemplate small(mlp_template);
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, {});
    EXPECT_EQ(SmallTemplate::steps(plans.forward), "a, u, g, z, y");
    // The residual addition passes its gradient on; both contributions to x are added.
    EXPECT_EQ(SmallTemplate::steps(plans.backward), "d_g, d_w_down, d_u, d_a, d_w_up, d_x, add d_x");
    EXPECT_EQ(SmallTemplate::saved(block, plans.forward), "x a u g");
}

/// Korthikanti et al. 2022, section 4.2.2: a gather before and a scatter after each pair of products;
/// backward the transposes, and what was saved split is gathered again.
TEST(PassPlan, SequenceParallelismHasGathersAndScatters) {
    SmallTemplate small(mlp_template);
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, tp);
    EXPECT_EQ(SmallTemplate::steps(plans.forward), "a, all_gather a, u, g, z, reduce_scatter z, y");
    EXPECT_EQ(
        SmallTemplate::steps(plans.backward),
        "all_gather d_y, d_g, d_w_down, d_u, all_gather a, d_a, reduce_scatter d_a, d_w_up, d_x, add d_x");
}

/// Frameworks that leave it to autograd keep what they gathered.
TEST(PassPlan, GatheredInputsMayBeKept) {
    SmallTemplate small(mlp_template);
    small.options.stack.regather_inputs = false;
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, tp);
    EXPECT_EQ(SmallTemplate::steps(plans.forward), "a, all_gather a, u, g, z, reduce_scatter z, y");
    EXPECT_EQ(SmallTemplate::steps(plans.backward),
              "all_gather d_y, d_g, d_w_down, d_u, d_a, reduce_scatter d_a, d_w_up, d_x, add d_x");
    const auto kept = [&](const PassPlan& plan) {
        for (const VersionId id : plan.saved) {
            const Version& version = plan.versions[id.index()];
            if (block.tensor(version.tensor).name == "a") return version.layout.split_axes();
        }
        return tp;
    };
    EXPECT_TRUE(kept(plans.forward).empty());
    EXPECT_TRUE(kept(plans.backward).empty());
}

TEST(PassPlan, WithoutItThereAreTwoAllReduces) {
    SmallTemplate small(mlp_template);
    small.options.sequence_parallel = false;
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, tp);
    EXPECT_EQ(SmallTemplate::steps(plans.forward), "a, u, g, z, all_reduce z, y");
    EXPECT_EQ(SmallTemplate::steps(plans.backward),
              "d_g, d_w_down, d_u, d_a, all_reduce d_a, d_w_up, d_x, add d_x");
}

TEST(PassPlan, GradientsOfParametersArePartialWhereTheirTokensAreSplit) {
    SmallTemplate small(mlp_template);
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, tp | dp);
    std::string text;
    for (const ParameterGradient& gradient : plans.backward.gradients) {
        text += block.tensor(gradient.parameter).name + (gradient.partial.contains(dp) ? " dp" : "") +
                (gradient.partial.contains(tp) ? " tp" : "") + ", ";
    }
    EXPECT_EQ(text, "w_down dp, w_up dp, w_norm dp tp, ");
    EXPECT_TRUE(small.plan(block, {}).backward.gradients[2].partial.empty());
}

TEST(PassPlan, SelectiveRecomputationMakesAgainWhatItDropped) {
    SmallTemplate small(mlp_template);
    small.options.stack.recompute = Recompute::selective;
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, tp);
    EXPECT_EQ(SmallTemplate::steps(plans.forward), "a, all_gather a, u, g, z, reduce_scatter z, y");
    EXPECT_EQ(SmallTemplate::saved(block, plans.forward), "x u");
    EXPECT_EQ(SmallTemplate::steps(plans.backward),
              "all_gather d_y, again g, d_g, d_w_down, d_u, again a, all_gather a, d_a, "
              "reduce_scatter d_a, d_w_up, d_x, add d_x");
}

TEST(PassPlan, FullRecomputationRunsTheForwardPassAgain) {
    SmallTemplate small(mlp_template);
    small.options.stack.recompute = Recompute::full;
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, tp);
    EXPECT_EQ(SmallTemplate::saved(block, plans.forward), "x");
    // Its collectives too; what it gathered is not kept for the backward pass.
    EXPECT_EQ(
        SmallTemplate::steps(plans.backward),
        "again a, all_gather a, again u, again g, again z, reduce_scatter z, again y, "
        "all_gather d_y, d_g, d_w_down, d_u, all_gather a, d_a, reduce_scatter d_a, d_w_up, d_x, add d_x");
}

/// z and y lead to no backward kernel: the last product, its reduction and the sum are left out.
TEST(PassPlan, FullRecomputationMayLeaveOutWhatNobodyReads) {
    SmallTemplate small(mlp_template);
    small.options.stack.recompute = Recompute::full;
    small.options.stack.recompute_unread = false;
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, tp);
    EXPECT_EQ(SmallTemplate::saved(block, plans.forward), "x");
    EXPECT_EQ(
        SmallTemplate::steps(plans.backward),
        "again a, all_gather a, again u, again g, "
        "all_gather d_y, d_g, d_w_down, d_u, all_gather a, d_a, reduce_scatter d_a, d_w_up, d_x, add d_x");
}

TEST(PassPlan, RecomputedWorkIsNoModelWork) {
    SmallTemplate small(mlp_template);
    small.options.stack.recompute = Recompute::full;
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, {});
    double model = 0;
    double executed = 0;
    const Numbers numbers = small.numbers(1, 1);
    for (const Step& step : plans.backward.steps) {
        graph::Work work;
        evaluate(step.work, numbers, work);
        model += std::get<graph::Compute>(work).model_flop.value();
        executed += std::get<graph::Compute>(work).executed_flop.value();
    }
    // Two products of 2·b·s·h·f = 2·8·16·32·64 FLOPs: forward again, and each twice backward.
    const double product = 2.0 * 8 * 16 * 32 * 64;
    EXPECT_EQ(model, 4 * product);
    EXPECT_EQ(executed, 6 * product);
}

TEST(PassPlan, TheHeadStartsItsOwnGradient) {
    SmallTemplate small(mlp_template);
    const Block block = small.block("head");
    const BlockPlans plans = small.plan(block, tp);
    EXPECT_EQ(SmallTemplate::steps(plans.forward), "all_gather x, logits, top, all_reduce top, loss");
    EXPECT_EQ(SmallTemplate::steps(plans.backward),
              "d_logits, all_gather x, d_x, reduce_scatter d_x, d_w_head");
    EXPECT_FALSE(plans.forward.exit.has_value());
    EXPECT_FALSE(plans.backward.entry.has_value());
    EXPECT_TRUE(plans.backward.exit.has_value());
}

/// Bytes that cross the memory bus, by hand, on one of two devices.
TEST(PassPlan, KernelsReadAndWriteTheirShare) {
    SmallTemplate small(mlp_template);
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, tp);
    const Numbers numbers = small.numbers(2, 1);
    graph::Work work;
    evaluate(plans.forward.steps[2].work, numbers, work);  // u = a · w_up
    const auto& up = std::get<graph::Compute>(work);
    EXPECT_EQ(up.gemm.m, 8 * 16);
    EXPECT_EQ(up.gemm.n, 32) << "half of f";
    EXPECT_EQ(up.gemm.k, 32);
    EXPECT_EQ(up.read.value(), 2 * (8 * 16 * 32 + 32 * 32)) << "a whole, half of w_up, in 16 bits";
    EXPECT_EQ(up.written.value(), 2 * 8 * 16 * 32);
    evaluate(plans.forward.steps[1].work, numbers, work);  // the gathered a
    EXPECT_EQ(std::get<graph::Collective>(work).size.value(), 2 * 8 * 16 * 32);
    evaluate(plans.backward.steps[2].work, numbers, work);  // d_w_down
    EXPECT_EQ(std::get<graph::Compute>(work).written.value(), 2 * 4 * 32 * 32)
        << "accumulated in 32 bits: read and written";
}

/// A tensor that is a partial sum when it is made is kept as the next operation has it: it is reduced once.
TEST(PassPlan, PartialSumsAreKeptReduced) {
    SmallTemplate small(R"(
symbols: [h, f, v]
boundary: {shape: [b, s, h], split: {0: dp, 1: tp}}
blocks:
  layer:
    parameters:
      w_up: {shape: [h, f], split: {1: tp}}
      w_down: {shape: [f, h], split: {0: tp}}
      w_norm: {shape: [h]}
    operators:
      - u = einsum("bsh,hf->bsf", x, w_up)
      - z = einsum("bsf,fh->bsh", u, w_down)
      - a = rms_norm(z, w_norm)
      - y = add(a, x)
    output: y
)");
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, tp);
    EXPECT_EQ(small.diagnostics.text(), "");
    EXPECT_EQ(SmallTemplate::saved(block, plans.forward), "x u z");
    EXPECT_TRUE(plans.forward.versions[plans.forward.saved[2].index()].layout.partial.empty());
    for (const PassPlan* plan : {&plans.forward, &plans.backward}) {
        const std::string steps = SmallTemplate::steps(*plan);
        const bool forward = plan == &plans.forward;
        EXPECT_EQ(steps.find(" z") != std::string::npos, forward) << steps;
    }
}

/// A layer whose attention and MLP stand side by side: their partial sums are added, then reduced once.
TEST(PassPlan, PartialSumsAreAddedBeforeTheyAreReduced) {
    SmallTemplate small(R"(
symbols: [h, f, v]
boundary: {shape: [b, s, h], split: {0: dp, 1: tp if sequence_parallel}}
blocks:
  layer:
    parameters:
      w_a: {shape: [h, f], split: {1: tp}}
      w_b: {shape: [f, h], split: {0: tp}}
      w_c: {shape: [f, h], split: {0: tp}}
    operators:
      - u = einsum("bsh,hf->bsf", x, w_a)
      - z1 = einsum("bsf,fh->bsh", u, w_b)
      - z2 = einsum("bsf,fh->bsh", u, w_c)
      - z = add(z1, z2)
      - y = add(x, z)
    output: y
)");
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, tp);
    EXPECT_EQ(SmallTemplate::steps(plans.forward), "all_gather x, u, z1, z2, z, reduce_scatter z, y");
    // Backward: gathered once for both; d_u from both is added, then d_x is reduced.
    EXPECT_EQ(SmallTemplate::steps(plans.backward),
              "all_gather d_y, d_u, d_w_c, d_u, add d_u, d_w_b, all_gather x, d_x, reduce_scatter d_x, "
              "add d_x, d_w_a");
}

/// An MLP whose products have biases.
constexpr std::string_view biased_template = R"(
symbols: [h, f, v]
boundary: {shape: [b, s, h], split: {0: dp, 1: tp if sequence_parallel}}
blocks:
  layer:
    parameters:
      w_up: {shape: [h, f], split: {1: tp}}
      c_up: {shape: [f], split: {0: tp}}
      w_down: {shape: [f, h], split: {0: tp}}
      c_down: {shape: [h]}
    operators:
      - u0 = einsum("bsh,hf->bsf", x, w_up)
      - u = bias(u0, c_up)
      - g = gelu(u)
      - z0 = einsum("bsf,fh->bsh", g, w_down)
      - z = bias(z0, c_down)
      - y = add(x, z)
    output: y
    recompute: {selective: [u]}
)";

/// Megatron-Core's RowParallelLinear: the bias is added to what the reduce-scatter leaves, and its gradient
/// is a sum over the device's own tokens, like that of a norm.
TEST(PassPlan, BiasesAreAddedBehindTheScatter) {
    SmallTemplate small(biased_template);
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, tp);
    EXPECT_EQ(small.diagnostics.text(), "");
    EXPECT_EQ(SmallTemplate::steps(plans.forward), "all_gather x, u0, u, g, z0, reduce_scatter z0, z, y");
    EXPECT_EQ(SmallTemplate::steps(plans.backward),
              "all_gather d_y, d_c_down, d_g, d_w_down, d_u, d_c_up, all_gather x, d_x, reduce_scatter d_x, "
              "add d_x, d_w_up");
    std::string partial;
    for (const ParameterGradient& gradient : plans.backward.gradients) {
        partial += block.tensor(gradient.parameter).name + (gradient.partial.contains(tp) ? " tp, " : " -, ");
    }
    EXPECT_EQ(partial, "c_down tp, w_down -, c_up -, w_up -, ");
    const Numbers numbers = small.numbers(2, 1);
    graph::Work work;
    evaluate(plans.forward.steps[5].work, numbers, work);
    EXPECT_EQ(std::get<graph::Collective>(work).size.value(), 2 * 8 * 16 * 32) << "scattered once";
    evaluate(plans.forward.steps[6].work, numbers, work);
    EXPECT_EQ(std::get<graph::Compute>(work).read.value(), 2 * 32) << "the bias; z0 is there";
    EXPECT_EQ(std::get<graph::Compute>(work).written.value(), 0);
    evaluate(plans.backward.steps[1].work, numbers, work);
    EXPECT_EQ(std::get<graph::Compute>(work).read.value(), 2 * 8 * 8 * 32) << "half of the tokens";
    evaluate(plans.backward.steps[5].work, numbers, work);
    EXPECT_EQ(std::get<graph::Compute>(work).read.value(), 2 * 8 * 16 * 32) << "half of f";
}

TEST(PassPlan, BiasesAreAddedBehindTheSumWithoutSequenceParallelism) {
    SmallTemplate small(biased_template);
    small.options.sequence_parallel = false;
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, tp);
    EXPECT_EQ(SmallTemplate::steps(plans.forward), "u0, u, g, z0, all_reduce z0, z, y");
    EXPECT_EQ(SmallTemplate::steps(plans.backward),
              "d_c_down, d_g, d_w_down, d_u, d_c_up, d_x, all_reduce d_x, add d_x, d_w_up");
}

/// The product's result and its sum with the bias are the same memory, which the backward pass of GELU reads.
TEST(PassPlan, BiasesTakeNoMemory) {
    SmallTemplate small(biased_template);
    const Block block = small.block("layer");
    const auto bytes_of_own = [&](const PassPlan& plan, std::string_view name) {
        std::size_t count = 0;
        for (const Version& version : plan.versions)
            count += block.tensor(version.tensor).name == name && version.memory.empty() ? 1U : 0U;
        return count;
    };
    const BlockPlans plans = small.plan(block, tp);
    EXPECT_EQ(SmallTemplate::saved(block, plans.forward), "x u0 g");
    EXPECT_EQ(bytes_of_own(plans.forward, "u"), 0U);
    EXPECT_EQ(bytes_of_own(plans.forward, "z"), 0U);
    EXPECT_EQ(bytes_of_own(plans.forward, "z0"), 2U) << "the partial sum, and what is left of it";
    // Recomputation of the sum is that of the product.
    small.options.stack.recompute = Recompute::selective;
    const BlockPlans again = small.plan(block, tp);
    EXPECT_EQ(SmallTemplate::saved(block, again.forward), "x g");
    EXPECT_EQ(SmallTemplate::steps(again.backward),
              "all_gather d_y, d_c_down, d_g, d_w_down, all_gather x, again u0, again u, d_u, d_c_up, d_x, "
              "reduce_scatter d_x, add d_x, d_w_up");
}

/// Where something else reads the operand, the sum is a tensor of its own.
TEST(PassPlan, BiasesOfWhatIsReadElsewhereHaveTheirOwnMemory) {
    SmallTemplate small(R"(
symbols: [h, f, v]
boundary: {shape: [b, s, h]}
blocks:
  layer:
    parameters:
      c: {shape: [h]}
      c2: {shape: [h]}
    operators:
      - u = dropout(x)
      - z = bias(u, c)
      - w = add(z, u)
      - r = relu(w)
      - y = bias(r, c2)
    output: y
)");
    const Block block = small.block("layer");
    const PassPlan forward = small.plan(block, {}).forward;
    for (const Version& version : forward.versions) {
        EXPECT_TRUE(version.memory.empty()) << block.tensor(version.tensor).name;
    }
    EXPECT_EQ(small.diagnostics.text(), "");
}

/// Attention and MLP side by side: one device adds each bias to its partial sum, which is reduced once.
TEST(PassPlan, BiasesOfSumsThatAreAddedComeBeforeTheReduction) {
    SmallTemplate small(R"(
symbols: [h, f, v]
boundary: {shape: [b, s, h], split: {0: dp, 1: tp if sequence_parallel}}
blocks:
  layer:
    parameters:
      w_a: {shape: [h, f], split: {1: tp}}
      w_b: {shape: [f, h], split: {0: tp}}
      w_c: {shape: [f, h], split: {0: tp}}
      c_b: {shape: [h]}
    operators:
      - u = einsum("bsh,hf->bsf", x, w_a)
      - z1 = einsum("bsf,fh->bsh", u, w_b)
      - z2 = einsum("bsf,fh->bsh", u, w_c)
      - z3 = bias(z2, c_b)
      - z = add(z1, z3)
      - y = add(x, z)
    output: y
)");
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, tp);
    EXPECT_EQ(SmallTemplate::steps(plans.forward), "all_gather x, u, z1, z2, z3, z, reduce_scatter z, y");
    // The gradient of z is whole on every device, and so is that of the bias.
    EXPECT_TRUE(plans.backward.gradients.front().partial.empty());
    EXPECT_EQ(block.tensor(plans.backward.gradients.front().parameter).name, "c_b");
}

/// Positions would have to be split like the tokens: one device adds them before the scatter instead.
TEST(PassPlan, WhatIsAddedIsNotMoved) {
    SmallTemplate small(R"(
symbols: [h, f, v]
boundary: {shape: [b, s, h], split: {0: dp, 1: tp}}
blocks:
  layer:
    parameters:
      w_up: {shape: [h, f], split: {1: tp}}
      w_down: {shape: [f, h], split: {0: tp}}
      places: {shape: [s, h]}
    operators:
      - u = einsum("bsh,hf->bsf", x, w_up)
      - z = einsum("bsf,fh->bsh", u, w_down)
      - y = bias(z, places)
    output: y
)");
    const BlockPlans plans = small.plan(small.block("layer"), tp);
    EXPECT_EQ(SmallTemplate::steps(plans.forward), "all_gather x, u, z, y, reduce_scatter y");
    EXPECT_EQ(small.diagnostics.text(), "");
}

/// Gradients of consumers that lie differently are brought to one layout before they are added.
TEST(PassPlan, ContributionsThatLieDifferentlyAreReducedApart) {
    SmallTemplate small(R"(
symbols: [h, f, v]
boundary: {shape: [b, s, h], split: {0: dp}}
blocks:
  layer:
    parameters:
      w_a: {shape: [h, h], split: {1: tp}}
      w_b: {shape: [h, h], split: {0: tp}}
    operators:
      - u = einsum("bsh,ho->bso", x, w_a)
      - z = einsum("bso,oh->bsh", u, w_b)
      - r = gelu(x)
      - y = add(z, r)
    output: y
)");
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, tp);
    EXPECT_EQ(SmallTemplate::steps(plans.forward), "u, z, r, all_reduce z, y");
    // d_x from gelu is whole, d_x from the product a partial sum.
    EXPECT_EQ(SmallTemplate::steps(plans.backward), "d_x, d_u, d_w_b, d_x, all_reduce d_x, add d_x, d_w_a");
}

/// Three consumers, two of which leave partial sums: these are added first, and reduced once.
TEST(PassPlan, ContributionsThatLieAlikeAreReducedTogether) {
    SmallTemplate small(R"(
symbols: [h, f, v]
boundary: {shape: [b, s, h], split: {0: dp}}
blocks:
  layer:
    parameters:
      w_a: {shape: [h, h], split: {1: tp}}
      w_b: {shape: [h, h], split: {0: tp}}
      w_c: {shape: [h, h], split: {1: tp}}
    operators:
      - u = einsum("bsh,ho->bso", x, w_a)
      - t = einsum("bsh,ho->bso", x, w_c)
      - r = gelu(x)
      - ut = add(u, t)
      - z = einsum("bso,oh->bsh", ut, w_b)
      - y = add(z, r)
    output: y
)");
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, tp);
    EXPECT_EQ(SmallTemplate::steps(plans.backward),
              "d_ut, d_w_b, d_x, d_x, d_w_c, d_x, add d_x, all_reduce d_x, add d_x, d_w_a");
    EXPECT_EQ(small.diagnostics.text(), "");
}

/// What is asked of an output by its own block counts as well.
TEST(PassPlan, TheOutputMayBeReadInside) {
    SmallTemplate small(R"(
symbols: [h, f, v]
boundary: {shape: [b, s, h]}
blocks:
  layer:
    operators:
      - y = gelu(x)
    output: y
  wide:
    operators:
      - u = gelu(x)
      - w = add(u, x)
      - q = dropout(w)
      - y = add(q, w)
    output: y
  inner:
    parameters:
      w: {shape: [h, h]}
    operators:
      - y = einsum("bsh,ho->bso", x, w)
      - l = einsum("bsh,bth->bst", y, x)
      - m = cross_entropy(l)
    output: y
)");
    EXPECT_EQ(SmallTemplate::steps(small.plan(small.block("layer"), {}).backward), "d_x");
    EXPECT_EQ(SmallTemplate::steps(small.plan(small.block("wide"), {}).backward),
              "d_w, add d_w, d_x, add d_x");
    // An auxiliary loss inside a block: its gradient is added to what comes in.
    EXPECT_EQ(SmallTemplate::steps(small.plan(small.block("inner"), {}).backward),
              "d_l, d_y, add d_y, d_x, d_x, add d_x, d_w");
    EXPECT_EQ(small.diagnostics.text(), "");
}

TEST(PassPlan, WhatIsMadeAgainEndsAtWhatIsKept) {
    // a is dropped and made from x; its backward pass does not read x, so that x has to be kept for it.
    SmallTemplate small(R"(
symbols: [h, f, v]
boundary: {shape: [b, s, h]}
blocks:
  layer:
    parameters:
      w: {shape: [h, h]}
    operators:
      - a = dropout(x)
      - y = einsum("bsh,ho->bso", a, w)
    output: y
    recompute: {selective: [a]}
)");
    small.options.stack.recompute = Recompute::selective;
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, {});
    EXPECT_EQ(SmallTemplate::saved(block, plans.forward), "x a.mask");
    EXPECT_EQ(SmallTemplate::steps(plans.backward), "again a, d_a, d_w, d_x");
}

}  // namespace
}  // namespace dse::frontend
