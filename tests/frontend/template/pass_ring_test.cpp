// Also tests: template/pass_builder.cpp, template/pass_gradients.cpp, template/kept_tensors.cpp
#include "small_template.hpp"

namespace dse::frontend {
namespace {

using graph::AxisSet;
using graph::ContextAttention;
using graph::MeshAxis;
using test::SmallTemplate;

// h 32 = 8 heads of 4 with as many of keys and of values, taken from a projection of 3·32 = 96 = v.
constexpr std::string_view attention_template = R"(
name: attention
symbols: [h, f, v]
boundary: {shape: [b, s, h], split: {0: dp, 1: cp}}
blocks:
  layer:
    parameters:
      w_qkv: {shape: [h, v], split: {1: tp}}
      w_o: {shape: [h, h], split: {0: tp}}
    operators:
      - qkv = einsum("bsh,ho->bso", x, w_qkv)
      - core = attention(qkv, heads=8, kv_heads=8, head_dim=4, causal=true)
      - y = einsum("bso,oh->bsh", core, w_o)
    output: y
)";

const AxisSet cp{MeshAxis::context};

BlockPlans plans_of(SmallTemplate& small, const Block& block, AxisSet active, std::int64_t ring) {
    return plan_passes(block, small.shard(block, active), small.options.stack, small.extents, ring);
}

std::string updated(const Block& block, const Step& step, const PassPlan& plan) {
    std::string text;
    for (const VersionId id : step.updates)
        text += (text.empty() ? "" : " ") + block.tensor(plan.versions[id.index()].tensor).name;
    return text;
}

TEST(PassRing, KeysGoRoundWhileTheKernelRunsOnThoseThatAreThere) {
    SmallTemplate small(attention_template);
    const Block block = small.block("layer");
    const PassPlan plan = plans_of(small, block, cp, 3).forward;
    EXPECT_EQ(SmallTemplate::steps(plan),
              "qkv, ring_shift core.kv, core 0, ring_shift core.kv, core 1, core 2, y");
    // The shift and the kernel beside it read the same shard: neither waits for the other.
    EXPECT_NE(plan.steps[1].outputs, plan.steps[2].inputs);
    EXPECT_EQ(plan.steps[2].inputs[1], plan.steps[1].inputs[0]);
    EXPECT_EQ(plan.steps[4].inputs[1], plan.steps[1].outputs[0]);
    EXPECT_EQ(plan.steps[5].inputs[1], plan.steps[3].outputs[0]);
    EXPECT_EQ(updated(block, plan.steps[2], plan), "");
    EXPECT_EQ(updated(block, plan.steps[4], plan), "core core.lse");
    EXPECT_EQ(SmallTemplate::saved(block, plan), "x qkv core core.lse") << "a view is kept as what it shows";
}

/// What its software's kernel loses in short causal sequences, in a step of the ring as without one.
/// Forward 2 units of work at 1.5 times the rate 0.6 of both, backward 5 units at 2.5 / (3.5 - 1 / 1.5) =
/// 0.882 times that: 2 / 0.9 + 5 / 0.529 = 7 / 0.6.
TEST(PassRing, PassesOfAttentionHaveRatesOfTheirOwn) {
    SmallTemplate small(attention_template);
    small.options.stack.attention_rate = 0.6;
    small.options.stack.attention_forward = 1.5;
    small.options.stack.attention_narrow = 1.2;
    const Block block = small.block("layer");
    const BlockPlans plans = plans_of(small, block, cp, 3);
    const auto expect_rates = [](const PassPlan& plan, double rate) {
        int kernels = 0;
        for (const Step& step : plan.steps) {
            const auto* kernel = std::get_if<ComputeFormula>(&step.work);
            if (kernel == nullptr || kernel->op_class != graph::OpClass::attention) continue;
            EXPECT_DOUBLE_EQ(kernel->efficiency, rate) << step.name;
            EXPECT_EQ(kernel->narrow, 1.2) << step.name;
            ++kernels;
        }
        EXPECT_EQ(kernels, 3);
    };
    expect_rates(plans.forward, 0.9);
    expect_rates(plans.backward, 0.6 * 2.5 / (3.5 - 1.0 / 1.5));
}

TEST(PassRing, CausalKernelsHaveTheRampOfTheirSoftware) {
    SmallTemplate small(attention_template);
    small.options.stack.attention_ramp = 570;
    const Block block = small.block("layer");
    for (const std::int64_t ring : {1, 3}) {
        const PassPlan plan = plans_of(small, block, cp, ring).forward;
        for (const Step& step : plan.steps) {
            const auto* kernel = std::get_if<ComputeFormula>(&step.work);
            if (kernel == nullptr) continue;
            EXPECT_EQ(kernel->ramp, kernel->op_class == graph::OpClass::attention ? 570.0 : 0.0) << step.name;
        }
    }
}

TEST(PassRing, GradientsOfKeysFollowOneStepBehindAndComeHome) {
    SmallTemplate small(attention_template);
    const Block block = small.block("layer");
    const PassPlan plan = plans_of(small, block, cp, 3).backward;
    EXPECT_EQ(SmallTemplate::steps(plan),
              "d_core, d_w_o, "
              "ring_shift core.kv, d_core.q 0, ring_shift d_core.kv, "
              "ring_shift core.kv, d_core.q 1, add d_core.kv, ring_shift d_core.kv, "
              "d_core.q 2, add d_core.kv, ring_shift d_core.kv, "
              "d_x, d_w_qkv");
    // What arrives is needed only once the next chunk has been computed.
    EXPECT_EQ(plan.steps[7].inputs, plan.steps[4].outputs);
    EXPECT_EQ(updated(block, plan.steps[6], plan), "core.q");
    // The projection's gradient is what stayed and what came home, side by side.
    const Step& last = plan.steps.back();
    const Version& gradient = plan.versions[last.inputs[1].index()];
    ASSERT_EQ(gradient.memory.size(), 2U);
    EXPECT_EQ(gradient.memory[1], plan.steps[11].outputs.front());
}

/// What formulas need to be evaluated on so many context-parallel ranks.
Numbers numbers_of(SmallTemplate& small, std::int64_t ranks) {
    Numbers numbers;
    numbers.mesh.set_degree(MeshAxis::context, ranks);
    set_precisions(small.options.stack, numbers);
    std::vector<double> dims(small.dimensions.size());
    small.dimensions.evaluate(small.symbols, dims);
    evaluate_extents(small.extents, dims, small.dimensions, numbers);
    return numbers;
}

/// Chunks of a causal kernel take 1/3 of the keys and 1/3 of the queries each: 9 · (s/3)²/2 on three ranks.
TEST(PassRing, ChunksShareTheWorkEvenly) {
    SmallTemplate small(attention_template);
    small.symbols[Dimensions::sequence_slot] = 24;
    const Block block = small.block("layer");
    const BlockPlans plans = plans_of(small, block, cp, 3);
    const Numbers numbers = numbers_of(small, 3);
    int chunks = 0;
    for (const Step& step : plans.forward.steps) {
        if (!step.name.starts_with("core ")) continue;
        ++chunks;
        graph::Work work;
        evaluate(step.work, numbers, work);
        // 2 · b 8 · 32 · (24/3)², both products, half of each masked.
        EXPECT_EQ(std::get<graph::Compute>(work).model_flop, Flop{2.0 * 8 * 32 * 8 * 8}) << step.name;
    }
    EXPECT_EQ(chunks, 3) << "its own keys and those of two other ranks";
}

/// Contiguous shards: the last rank sees half of its own chunk and the whole of the two others, (2·3 - 1)/3
/// of the mean, whichever way the keys come.
TEST(PassRing, WithoutBalanceTheLastRankDecides) {
    for (const ContextAttention way : {ContextAttention::ring, ContextAttention::all_gather}) {
        SmallTemplate small(attention_template);
        small.options.stack.cp_attention = way;
        small.options.stack.balanced_context = false;
        small.symbols[Dimensions::sequence_slot] = 24;
        const Block block = small.block("layer");
        const BlockPlans plans = plans_of(small, block, cp, 3);
        const Numbers numbers = numbers_of(small, 3);
        for (const auto& [plan, executed, model] :
             {std::tuple{&plans.forward, 1.0, 1.0}, {&plans.backward, 2.5, 2.0}}) {
            graph::Compute sum;
            for (const Step& step : plan->steps) {
                graph::Work work;
                evaluate(step.work, numbers, work);
                const auto* kernel = std::get_if<graph::Compute>(&work);
                if (kernel == nullptr || kernel->op_class != graph::OpClass::attention) continue;
                sum.executed_flop += kernel->executed_flop;
                sum.model_flop += kernel->model_flop;
            }
            // Two products of 2·8·32·24²/3, half masked on average.
            const double mean = 2.0 * 8 * 32 * 24 * 24 / 3;
            EXPECT_DOUBLE_EQ(sum.model_flop.value(), model * mean);
            EXPECT_DOUBLE_EQ(sum.executed_flop.value(), executed * mean * 5 / 3);
        }
    }
}

TEST(PassRing, GatheringTakesOneCollectiveEachWay) {
    SmallTemplate small(attention_template);
    small.options.stack.cp_attention = ContextAttention::all_gather;
    const Block block = small.block("layer");
    const BlockPlans plans = plans_of(small, block, cp, 3);
    EXPECT_EQ(SmallTemplate::steps(plans.forward), "qkv, all_gather core.kv, core, y");
    EXPECT_EQ(SmallTemplate::steps(plans.backward),
              "d_core, d_w_o, all_gather core.kv, d_core.q, reduce_scatter d_core.kv, d_x, d_w_qkv");
    EXPECT_EQ(SmallTemplate::saved(block, plans.forward), "x qkv core core.lse");
}

TEST(PassRing, UlyssesTurnsTokensIntoHeadsAndBack) {
    SmallTemplate small(attention_template);
    small.options.stack.cp_attention = ContextAttention::ulysses;
    const Block block = small.block("layer");
    const BlockPlans plans = plans_of(small, block, cp | MeshAxis::tensor, 3);
    EXPECT_EQ(
        SmallTemplate::steps(plans.forward),
        "qkv, all_to_all core.q, all_to_all core.kv, core.moved, all_to_all core.moved, y, all_reduce y");
    // What the kernel worked on is kept as it was: nothing is exchanged again.
    EXPECT_EQ(SmallTemplate::steps(plans.backward),
              "d_core, d_w_o, all_to_all d_core, d_core.q.moved, all_to_all d_core.kv.moved, "
              "all_to_all d_core.q.moved, d_x, all_reduce d_x, d_w_qkv");
    EXPECT_EQ(SmallTemplate::saved(block, plans.forward),
              "x core.q.moved core.kv.moved core core.lse core.moved");
}

/// Without context parallelism all three are the same kernel on the projection as it lies.
TEST(PassRing, OneRankHasNothingToCross) {
    for (const ContextAttention way :
         {ContextAttention::ring, ContextAttention::all_gather, ContextAttention::ulysses}) {
        SmallTemplate small(attention_template);
        small.options.stack.cp_attention = way;
        const Block block = small.block("layer");
        const BlockPlans plans = plans_of(small, block, {}, 1);
        ASSERT_EQ(plans.forward.steps.size(), 3U);
        ASSERT_EQ(plans.backward.steps.size(), 5U);
        EXPECT_TRUE(SmallTemplate::saved(block, plans.forward).starts_with("x qkv core"))
            << static_cast<int>(way);
    }
}

}  // namespace
}  // namespace dse::frontend
