// Also tests: template/pass_casts.cpp, template/pass_conversions.cpp
// Also tests: template/pass_kernels.cpp
#include "frontend/template/pass_builder.hpp"

#include <cmath>

#include "small_template.hpp"

namespace dse::frontend {
namespace {

using graph::AxisSet;
using graph::CastRecipe;
using graph::Compute;
using graph::MeshAxis;
using graph::Precision;
using test::mlp_template;
using test::SmallTemplate;

const AxisSet tp{MeshAxis::tensor};

/// The passes of one block of a template, for which nothing decides what is kept but the test.
class Passes {
  public:
    Passes(SmallTemplate& small, const std::string& name, AxisSet active)
        : small_{small}, block_{small.block(name)}, sharding_{small.shard(block_, active)} {}

    [[nodiscard]] const Block& block() const { return block_; }
    [[nodiscard]] TensorId tensor(std::string_view name) const {
        for (std::size_t i = 0; i < block_.tensors.size(); ++i)
            if (block_.tensors[i].name == name) return TensorId(i);
        ADD_FAILURE() << "no tensor " << name;
        return TensorId{};
    }
    PassPlan forward(const std::set<TensorId>& kept = {}) { return builder().forward(kept); }
    PassPlan alone() { return builder().forward_alone(); }
    PassPlan backward(const std::set<TensorId>& kept) { return builder().backward(kept); }

    /// What a step does on two devices.
    [[nodiscard]] Compute kernel(const PassPlan& plan, std::string_view step) const {
        graph::Work work;
        for (const Step& each : plan.steps)
            if (each.name == step) evaluate(each.work, small_.numbers(2, 1), work);
        return std::get<Compute>(work);
    }

  private:
    PassBuilder builder() { return {block_, sharding_, small_.options.stack, small_.extents, 1}; }

    SmallTemplate& small_;
    Block block_;
    Sharding sharding_;
};

TEST(PassBuilder, TheForwardPassEndsWhereTheBlockDoes) {
    SmallTemplate small(mlp_template);
    Passes passes(small, "layer", tp);
    const PassPlan plan = passes.forward();
    EXPECT_EQ(SmallTemplate::steps(plan), "a, all_gather a, u, g, z, reduce_scatter z, y");
    ASSERT_TRUE(plan.entry && plan.exit);
    EXPECT_EQ(plan.versions[plan.entry->index()].tensor, passes.tensor("x"));
    EXPECT_EQ(plan.versions[plan.exit->index()].tensor, passes.tensor("y"));
    EXPECT_TRUE(plan.saved.empty()) << "nothing was to be kept";
    EXPECT_FALSE(plan.loops);
}

/// Parts of the sequence are joined after a gather and put apart before a scatter.
TEST(PassBuilder, CopiesWhatCollectivesJoinAlongTheFirstDimension) {
    SmallTemplate small(mlp_template);
    small.options.stack.collective_copies = true;
    Passes passes(small, "layer", tp);
    EXPECT_EQ(SmallTemplate::steps(passes.forward()),
              "a, all_gather a, copy a, u, g, z, copy z, reduce_scatter z, y");
    const Compute copy = passes.kernel(passes.forward(), "copy a");
    EXPECT_EQ(copy.read, copy.written);
    EXPECT_EQ(passes.forward().launches.kernels, 9);
}

/// What is kept is kept as it was made: of `a` the part that a device had before tensor parallelism gathered
/// it.
TEST(PassBuilder, KeepsTensorsAsTheyWereMade) {
    SmallTemplate small(mlp_template);
    Passes passes(small, "layer", tp);
    const PassPlan plan = passes.forward({passes.tensor("a"), passes.tensor("g")});
    EXPECT_EQ(SmallTemplate::saved(passes.block(), plan), "a g");
    EXPECT_EQ(plan.versions[plan.saved[0].index()].layout.split[1], tp);
    EXPECT_FALSE(plan.versions[plan.saved[0].index()].gathered);
    EXPECT_EQ(plan.versions[plan.saved[1].index()].layout.split[2], tp) << "its product's columns";
}

/// Five operations of a kernel each and two collectives; the framework launches twice as many.
TEST(PassBuilder, CountsWhatTheHostLaunches) {
    SmallTemplate small(mlp_template);
    EXPECT_EQ(Passes(small, "layer", tp).forward().launches.kernels, 7);
    small.options.stack.launch_factor = 2;
    EXPECT_EQ(Passes(small, "layer", tp).forward().launches.kernels, 14);
}

/// Autograd's engine launches gradients; what is repeated is launched as in the forward pass.
TEST(PassBuilder, CountsLaunchesOfGradientsByThemselves) {
    SmallTemplate small(mlp_template);
    Passes passes(small, "layer", tp);
    const std::set<TensorId> all{passes.tensor("x"), passes.tensor("a"), passes.tensor("u"),
                                 passes.tensor("g")};
    const std::set<TensorId> few{passes.tensor("x"), passes.tensor("u")};
    const double gradients = passes.backward(all).launches.kernels;
    const double both = passes.backward(few).launches.kernels;
    EXPECT_GT(both, gradients);
    small.options.stack.backward_launches = 0.5;
    EXPECT_EQ(passes.backward(all).launches.kernels, gradients / 2);
    EXPECT_EQ(passes.backward(few).launches.kernels, both - gradients / 2);
}

/// ZeRO-3's hooks take the host's time for each parameter in each pass, the repeated one included, which no
/// kernels do.
TEST(PassBuilder, CountsTheHostsTimeForFetches) {
    SmallTemplate small(mlp_template);
    Passes passes(small, "layer", tp);
    const std::set<TensorId> kept{passes.tensor("x")};
    const auto parameters =
        static_cast<double>(std::ranges::count(passes.block().tensors, TensorRole::parameter, &Tensor::role));
    const auto launches = [&] {
        return std::pair{passes.forward().launches.kernels, passes.backward(kept).launches.kernels};
    };
    const auto [forward, backward] = launches();
    small.options.stack.fetch_launches = 10;
    small.options.stack.zero = 2;
    EXPECT_EQ(launches(), (std::pair{forward, backward})) << "ZeRO-2 has none";
    small.options.stack.zero = 3;
    EXPECT_EQ(launches().first, forward + 10 * parameters);
    EXPECT_EQ(launches().second, backward + 10 * parameters);
    small.options.stack.recompute = graph::Recompute::full;
    const double repeated = launches().second;
    small.options.stack.fetch_launches = 0;
    EXPECT_EQ(repeated, launches().second + 20 * parameters);
}

/// Without fusion, a hook adds each gradient of a parameter to a buffer. Half of w_up has 32 · 64 / 2
/// numbers, which are read in 16 bits and in 32, and written in 32.
TEST(PassBuilder, AddsGradientsOfParametersInKernelsOfTheirOwn) {
    SmallTemplate small(mlp_template);
    Passes passes(small, "layer", tp);
    const std::set<TensorId> kept{passes.tensor("x"), passes.tensor("a"), passes.tensor("u"),
                                  passes.tensor("g")};
    const double fused = passes.backward(kept).launches.kernels;
    EXPECT_EQ(passes.kernel(passes.backward(kept), "d_w_up").written.value(), 1024 * (4 + 4))
        << "adds to a sum";
    small.options.stack.fused_accumulation = false;
    small.options.stack.launch_factor = 1;
    const PassPlan plan = passes.backward(kept);
    EXPECT_EQ(
        SmallTemplate::steps(plan),
        "all_gather d_y, d_g, d_w_down, add d_w_down, d_u, all_gather a, d_a, reduce_scatter d_a, d_w_up, "
        "add d_w_up, d_x, add d_w_norm, add d_x");
    const Compute added = passes.kernel(plan, "add d_w_up");
    EXPECT_EQ(added.read.value(), 1024 * (2 + 4));
    EXPECT_EQ(added.written.value(), 1024 * 4);
    EXPECT_EQ(passes.kernel(plan, "d_w_up").written.value(), 1024 * 2) << "as the product leaves it";
    EXPECT_EQ(plan.launches.kernels, fused + 3);
    ASSERT_EQ(plan.gradients.size(), 3U);
    for (const ParameterGradient& gradient : plan.gradients)
        EXPECT_EQ(plan.steps[gradient.step].name, "add d_" + passes.block().tensor(gradient.parameter).name);
    small.options.stack.zero = 2;
    EXPECT_EQ(passes.backward(kept).launches.kernels, fused + 3) << "no replicas to shard them over";
    // Reduced and sharded after every microbatch.
    Passes replicas(small, "layer", tp | MeshAxis::data);
    EXPECT_EQ(replicas.backward(kept).launches.kernels, fused);
    small.options.stack.accumulate_whole = true;
    EXPECT_EQ(replicas.backward(kept).launches.kernels, fused + 3);
}

/// Operator by operator a norm is four kernels, whose intermediate results are of 32 bits: 36 bytes an
/// element of 16 bits, where one kernel moves 4 (normalization.cpp).
TEST(PassBuilder, ChainsTakeTheirTrafficOnceOrForEachOperator) {
    SmallTemplate small(mlp_template);
    Passes compiled(small, "layer", {});
    const Compute once = compiled.kernel(compiled.forward(), "a");
    EXPECT_EQ(once.kernels, 1);
    small.options.stack.compiled = false;
    Passes eager(small, "layer", {});
    const Compute often = eager.kernel(eager.forward(), "a");
    EXPECT_EQ(often.kernels, 4);
    EXPECT_EQ(often.read.value(), 9 * once.read.value());
    EXPECT_EQ(often.written.value(), 9 * once.written.value());
    // A product is one kernel either way.
    EXPECT_EQ(eager.kernel(eager.forward(), "u").read.value(),
              compiled.kernel(compiled.forward(), "u").read.value());
}

/// FLOPs that an element-wise operator states change nothing in how often its chain reads its tensors.
TEST(PassBuilder, ChainsWithFlopsTakeTheirTrafficForEachOperatorToo) {
    std::string text{mlp_template};
    text.replace(text.find("gelu(u)"), 7, "causal_convolution(u, w_window, b_window)");
    text.replace(
        text.find("    operators:"), 0,
        "      w_window: {shape: [f, h], split: {0: tp}}\n      b_window: {shape: [f], split: {0: tp}}\n");
    SmallTemplate small(text);
    Passes compiled(small, "layer", {});
    const Compute once = compiled.kernel(compiled.forward(), "g");
    small.options.stack.compiled = false;
    Passes eager(small, "layer", {});
    const Compute often = eager.kernel(eager.forward(), "g");
    EXPECT_GT(once.executed_flop.value(), 0.0);
    EXPECT_EQ(often.kernels, 2);
    EXPECT_EQ(often.read.value(), 2 * once.read.value());
}

TEST(PassBuilder, NarrowProductsReadCasts) {
    SmallTemplate small(mlp_template);
    small.options.stack.precision = Precision::fp8;
    Passes passes(small, "layer", tp);
    const PassPlan plan = passes.forward();
    // Of activations: parameters are cast once a step, which is not a part of the pass.
    EXPECT_EQ(SmallTemplate::steps(plan), "a, all_gather a, cast a, u, g, cast g, z, reduce_scatter z, y");
    // b 8 · s 16 · h 32 elements of two bytes are read, and written in both orders, a byte each.
    const Compute cast = passes.kernel(plan, "cast a");
    EXPECT_EQ(cast.read.value(), 2 * 8 * 16 * 32);
    EXPECT_EQ(cast.written.value(), 2 * 8 * 16 * 32);
    EXPECT_EQ(passes.kernel(passes.alone(), "cast a").written.value(), 8 * 16 * 32)
        << "no backward pass follows";
    small.options.stack.fused_casts = true;
    Passes fused(small, "layer", tp);
    EXPECT_EQ(SmallTemplate::steps(fused.alone()), "a, all_gather a, u, g, z, reduce_scatter z, y");
    EXPECT_EQ(SmallTemplate::steps(fused.forward()), SmallTemplate::steps(plan)) << "in inference only";
}

/// Casts are made before they are gathered: each device casts its half of a, and sends a byte an element
/// where 16 bits are two.
TEST(PassBuilder, TensorParallelismMayGatherCasts) {
    SmallTemplate small(mlp_template);
    small.options.stack.precision = Precision::fp8;
    const auto gathered = [&small](const PassPlan& plan, std::string_view name) {
        graph::Work work;
        for (const Step& step : plan.steps)
            if (step.name == name) evaluate(step.work, small.numbers(2, 1), work);
        return std::get<graph::Collective>(work).size.value();
    };
    const double elements = 8 * 16 * 32;
    Passes after(small, "layer", tp);
    EXPECT_EQ(gathered(after.forward(), "all_gather a"), 2 * elements);
    small.options.stack.gather_activation_casts = true;
    Passes before(small, "layer", tp);
    const PassPlan plan = before.forward();
    EXPECT_EQ(SmallTemplate::steps(plan), "a, cast a, all_gather a, u, g, cast g, z, reduce_scatter z, y");
    EXPECT_EQ(before.kernel(plan, "cast a").read.value(), 2 * elements / 2);
    EXPECT_EQ(gathered(plan, "all_gather a"), elements);
    small.options.stack.precision = Precision::bf16;
    Passes wide(small, "layer", tp);
    EXPECT_EQ(gathered(wide.forward(), "all_gather a"), 2 * elements);
}

/// Scales for blocks of elements slow casts and products, those for rows the products.
TEST(PassBuilder, ScalesCostAsTheirRecipeSays) {
    SmallTemplate small(mlp_template);
    small.options.stack.precision = Precision::fp8;
    small.options.stack.cast_recipe = CastRecipe::block;
    Passes blocks(small, "layer", {});
    EXPECT_EQ(blocks.kernel(blocks.forward(), "cast a").read.value(), std::ceil(1.37 * 2 * 8 * 16 * 32));
    EXPECT_EQ(blocks.kernel(blocks.alone(), "cast a").read.value(), std::ceil(1.66 * 2 * 8 * 16 * 32));
    const auto efficiency = [](const PassPlan& plan, std::string_view name) {
        for (const Step& step : plan.steps)
            if (step.name == name) return std::get<ComputeFormula>(step.work).efficiency;
        return 0.0;
    };
    EXPECT_EQ(efficiency(blocks.forward(), "u"), 0.945);
    EXPECT_EQ(efficiency(blocks.alone(), "u"), 1) << "engines' rates are those of block scales";
    EXPECT_EQ(efficiency(blocks.forward(), "g"), 1) << "no product";
    small.options.stack.precision = Precision::fp4;
    Passes halves(small, "layer", {});
    EXPECT_EQ(halves.kernel(halves.forward(), "cast a").read.value(), std::ceil(1.66 * 2 * 8 * 16 * 32));
    EXPECT_EQ(efficiency(halves.forward(), "u"), 1);
    small.options.stack.precision = Precision::fp8;
    small.options.stack.cast_recipe = CastRecipe::row;
    Passes rows(small, "layer", {});
    EXPECT_EQ(efficiency(rows.forward(), "u"), 0.62);
    EXPECT_EQ(efficiency(rows.forward(), "g"), 1) << "no product";
}

/// g is read by the product alone, and its cast is all that stays of it; a is split where it is kept, and its
/// cast likewise; u is read by gelu, which wants it as it is.
TEST(PassBuilder, CastsMayBeWhatIsKept) {
    SmallTemplate small(mlp_template);
    small.options.stack.precision = Precision::fp8;
    small.options.stack.keep_activation_casts = true;
    Passes passes(small, "layer", tp);
    const PassPlan plan = passes.forward({passes.tensor("a"), passes.tensor("u"), passes.tensor("g")});
    ASSERT_EQ(SmallTemplate::saved(passes.block(), plan), "a u g");
    const auto kept = [&plan](std::size_t i) { return plan.versions[plan.saved[i].index()]; };
    EXPECT_TRUE(kept(0).cast);
    EXPECT_EQ(kept(0).layout.split[1], tp);
    EXPECT_FALSE(kept(1).cast);
    EXPECT_TRUE(kept(2).cast);
}

/// The input of SwiGLU is cast for the backward pass alone, unless selective recomputation reads it.
TEST(PassBuilder, InputsOfGatesMayBeKeptInEightBits) {
    SmallTemplate small(R"(
name: small
symbols: [h, f, v]
boundary: {shape: [b, s, h], split: {0: dp}}
blocks:
  layer:
    parameters:
      w_up: {shape: [h, 2*f]}
      w_down: {shape: [f, h]}
    operators:
      - up = einsum("bsh,hf->bsf", x, w_up)
      - act = swiglu(up, width=f)
      - y = einsum("bsf,fh->bsh", act, w_down)
    output: y
)");
    small.options.stack.precision = Precision::fp8;
    small.options.stack.narrow_gate_inputs = true;
    const Block block = small.block("layer");
    const PassPlan forward = small.plan(block, {}).forward;
    EXPECT_EQ(SmallTemplate::steps(forward), "cast x, up, cast up, act, cast act, y");
    ASSERT_EQ(SmallTemplate::saved(block, forward), "x up act");
    EXPECT_TRUE(forward.versions[forward.saved[1].index()].cast);
    small.options.stack.recompute = graph::Recompute::selective;
    EXPECT_EQ(SmallTemplate::steps(small.plan(block, {}).forward), "cast x, up, act, cast act, y");
}

/// The input of a residual block goes into a product, which keeps its cast, and around it: what full
/// recomputation adds is the input itself.
TEST(PassBuilder, FullRecomputationKeepsWhatGoesAroundAProduct) {
    SmallTemplate small(R"(
name: small
symbols: [h, f, v]
boundary: {shape: [b, s, h], split: {0: dp}}
blocks:
  layer:
    parameters:
      w: {shape: [h, h]}
    operators:
      - z = einsum("bsh,ho->bso", x, w)
      - y0 = add(z, x)
      - y = relu(y0)
    output: y
    recompute: {}
)");
    small.options.stack.precision = Precision::fp8;
    small.options.stack.keep_activation_casts = true;
    small.options.stack.recompute = graph::Recompute::full;
    const Block block = small.block("layer");
    ASSERT_EQ(SmallTemplate::saved(block, small.plan(block, {}).forward), "x x");
    EXPECT_NE(SmallTemplate::steps(small.plan(block, {}).backward).find("again y0"), std::string::npos);
}

TEST(PassBuilder, TheBackwardPassMakesAgainWhatWasDropped) {
    SmallTemplate small(mlp_template);
    Passes passes(small, "layer", {});
    EXPECT_EQ(SmallTemplate::steps(passes.backward({passes.tensor("x"), passes.tensor("u")})),
              "again g, d_g, d_w_down, d_u, again a, d_a, d_w_up, d_x, add d_x");
    // What is made again is no work that the model asks for.
    const PassPlan plan = passes.backward({passes.tensor("x")});
    EXPECT_EQ(passes.kernel(plan, "again u").model_flop.value(), 0);
    EXPECT_EQ(passes.kernel(plan, "again u").executed_flop.value(), 2.0 * 8 * 16 * 32 * 64);
}

TEST(PassBuilder, NothingStaysWhereNoBackwardPassFollows) {
    SmallTemplate small(mlp_template);
    Passes passes(small, "layer", tp);
    const PassPlan plan = passes.alone();
    EXPECT_TRUE(plan.loops);
    EXPECT_TRUE(plan.saved.empty());
    EXPECT_EQ(SmallTemplate::steps(plan), SmallTemplate::steps(passes.forward()));
}

/// A serving engine casts what several products read once; training casts it for each.
TEST(PassBuilder, CastsOnceWhereNoBackwardPassFollows) {
    SmallTemplate small(R"(
symbols: [h, f, v]
boundary: {shape: [b, s, h]}
blocks:
  layer:
    parameters:
      w: {shape: [h, f]}
      v_: {shape: [h, f]}
      z_: {shape: [f, h]}
    operators:
      - p = einsum("bsh,hf->bsf", x, w)
      - q = einsum("bsh,hf->bsf", x, v_)
      - u = add(p, q)
      - y = einsum("bsf,fh->bsh", u, z_)
    output: y
)");
    small.options.stack.precision = Precision::fp8;
    Passes passes(small, "layer", {});
    EXPECT_EQ(SmallTemplate::steps(passes.alone()), "cast x, p, q, u, cast u, y");
    EXPECT_EQ(SmallTemplate::steps(passes.forward()), "cast x, p, cast x, q, u, cast u, y");
}

}  // namespace
}  // namespace dse::frontend
