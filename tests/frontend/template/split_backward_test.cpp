#include "frontend/template/split_backward.hpp"

#include <algorithm>

#include "small_template.hpp"

namespace dse::frontend {
namespace {

using graph::AxisSet;
using graph::MeshAxis;
using test::mlp_template;
using test::SmallTemplate;

const AxisSet tp{MeshAxis::tensor};

TEST(SplitBackward, PutsOffWhatOnlyWeightsNeed) {
    SmallTemplate small(mlp_template);
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, {});
    EXPECT_EQ(SmallTemplate::steps(plans.backward), "d_g, d_w_down, d_u, d_a, d_w_up, d_x, add d_x");
    EXPECT_EQ(SmallTemplate::steps(plans.input), "d_g, d_u, d_a, d_x, add d_x");
    EXPECT_EQ(SmallTemplate::steps(plans.weight), "d_w_down, d_w_up");
}

// The gather of `a` serves the weight gradient alone, that of d_y both parts.
TEST(SplitBackward, PutsOffGathersForWeights) {
    SmallTemplate small(mlp_template);
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, tp);
    EXPECT_EQ(SmallTemplate::steps(plans.input),
              "all_gather d_y, d_g, d_u, d_a, reduce_scatter d_a, d_x, add d_x");
    EXPECT_EQ(SmallTemplate::steps(plans.weight), "d_w_down, all_gather a, d_w_up");
}

// As checkpoints do, although only the weight gradients read some of what is made again.
TEST(SplitBackward, RepeatsTheForwardPassInTheFirstPart) {
    SmallTemplate small(mlp_template);
    small.options.stack.recompute = graph::Recompute::full;
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, {});
    EXPECT_EQ(SmallTemplate::steps(plans.weight), "d_w_down, d_w_up");
    EXPECT_GT(plans.input.steps.size() + plans.weight.steps.size(), 7U) << "nothing is made again";
}

// What adds gradients follows their products. That of w_norm is made in the first part.
TEST(SplitBackward, PutsOffWhatAddsGradients) {
    SmallTemplate small(mlp_template);
    small.options.stack.fused_accumulation = false;
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, {});
    EXPECT_EQ(SmallTemplate::steps(plans.input), "d_g, d_u, d_a, d_x, add d_x");
    EXPECT_EQ(SmallTemplate::steps(plans.weight), "d_w_down, add d_w_down, d_w_up, add d_w_up, add d_w_norm");
    EXPECT_EQ(plans.input.launches.kernels + plans.weight.launches.kernels, plans.backward.launches.kernels);
}

// w_norm's gradient comes out of the kernel that makes d_x.
TEST(SplitBackward, ReducesAllGradientsInTheSecondPart) {
    SmallTemplate small(mlp_template);
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, tp);
    EXPECT_TRUE(plans.input.gradients.empty());
    ASSERT_EQ(plans.weight.gradients.size(), 3U);
    EXPECT_EQ(plans.weight.gradients[0].step, 0U);
    EXPECT_EQ(plans.weight.gradients[1].step, 2U);
    EXPECT_EQ(plans.weight.gradients[2].step, no_step);
}

/// Each version is freed by one part: what neither leaves to the other is there for ever.
TEST(SplitBackward, LeavesEveryVersionToOnePart) {
    SmallTemplate small(mlp_template);
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, tp);
    for (std::size_t v = 0; v < plans.backward.versions.size(); ++v) {
        const auto stays = [v](const PassPlan& plan) {
            return std::find(plan.stays.begin(), plan.stays.end(), VersionId(v)) != plan.stays.end();
        };
        EXPECT_NE(stays(plans.input), stays(plans.weight)) << v;
    }
    EXPECT_EQ(plans.input.launches.kernels + plans.weight.launches.kernels, plans.backward.launches.kernels);
}

TEST(SplitBackward, HandsTheBoundaryOnInTheFirstPart) {
    SmallTemplate small(mlp_template);
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, {});
    EXPECT_EQ(plans.input.exit, plans.backward.exit);
    EXPECT_FALSE(plans.weight.exit.has_value());
    EXPECT_FALSE(plans.weight.entry.has_value());
}

/// d_y and d_u are read by products of the first part, which casts them, and by d_w_down and d_w_up of the
/// second: those read the casts, and d_y and d_u go with the first part.
TEST(SplitBackward, HoldsCastsOfGradients) {
    SmallTemplate small(mlp_template);
    small.options.stack.precision = graph::Precision::fp8;
    const Block block = small.block("layer");
    const auto held = [&] {
        const BlockPlans plans = small.plan(block, {});
        std::string names;
        for (const Step& step : plans.weight.steps) {
            for (const VersionId input : step.inputs) {
                const Version& version = plans.weight.versions[input.index()];
                if (!version.gradient) continue;
                names += block.tensor(version.tensor).name + (version.cast ? " as cast, " : ", ");
            }
        }
        return names;
    };
    EXPECT_EQ(held(), "y, u, ");
    small.options.stack.keep_activation_casts = true;
    EXPECT_EQ(held(), "y as cast, u as cast, ");
}

}  // namespace
}  // namespace dse::frontend
