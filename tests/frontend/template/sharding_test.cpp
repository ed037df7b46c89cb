#include "dse/frontend/template/sharding.hpp"

#include "small_template.hpp"

namespace dse::frontend {
namespace {

using graph::AxisSet;
using graph::MeshAxis;
using test::mlp_template;
using test::SmallTemplate;

const AxisSet tp{MeshAxis::tensor};
const AxisSet dp{MeshAxis::data};

/// "dp tp -" and, after a bar, partial sums: a layout in words.
std::string text(const Layout& layout) {
    const auto axes = [](AxisSet set) {
        std::string result;
        for (const auto& [axis, name] : {std::pair{dp, "dp"}, {tp, "tp"}}) {
            if (set.contains(axis)) result += (result.empty() ? "" : "+") + std::string(name);
        }
        return result.empty() ? "-" : result;
    };
    std::string result;
    for (const AxisSet split : layout.split) result += (result.empty() ? "" : " ") + axes(split);
    return result + (layout.partial.empty() ? "" : " | " + axes(layout.partial));
}

std::string layout_of(const Block& block, const Sharding& sharding, std::string_view name) {
    for (std::size_t i = 0; i < block.tensors.size(); ++i) {
        if (block.tensors[i].name == name) return text(sharding.layouts[i]);
    }
    return "no such tensor";
}

/// Megatron's layer with sequence parallelism: column-parallel, row-parallel, partial sums in between.
TEST(Sharding, PropagatesThroughALayer) {
    SmallTemplate small(mlp_template);
    const Block block = small.block("layer");
    const Sharding sharding = small.shard(block, tp | dp);
    EXPECT_EQ(small.diagnostics.text(), "");
    EXPECT_EQ(layout_of(block, sharding, "x"), "dp tp -");
    EXPECT_EQ(layout_of(block, sharding, "a"), "dp tp -");
    EXPECT_EQ(layout_of(block, sharding, "u"), "dp - tp");
    EXPECT_EQ(layout_of(block, sharding, "g"), "dp - tp");
    EXPECT_EQ(layout_of(block, sharding, "z"), "dp - - | tp") << "summed over f, which tp splits";
    EXPECT_EQ(layout_of(block, sharding, "y"), "dp tp -");
    EXPECT_EQ(text(sharding.entry), "dp tp -");
    EXPECT_EQ(text(sharding.exit), "dp tp -");
}

TEST(Sharding, AxesOfOneDeviceVanish) {
    SmallTemplate small(mlp_template);
    const Block block = small.block("layer");
    const Sharding none = small.shard(block, {});
    for (const Layout& layout : none.layouts)
        EXPECT_TRUE(layout.split_axes().empty() && layout.partial.empty());
    EXPECT_EQ(layout_of(block, small.shard(block, dp), "z"), "dp - -");
}

TEST(Sharding, FollowsConditions) {
    SmallTemplate small(mlp_template);
    small.options.sequence_parallel = false;
    const Block block = small.block("layer");
    const Sharding sharding = small.shard(block, tp | dp);
    EXPECT_EQ(layout_of(block, sharding, "x"), "dp - -");
    EXPECT_EQ(layout_of(block, sharding, "a"), "dp - -");
    EXPECT_EQ(layout_of(block, sharding, "y"), "dp - -");
}

TEST(Sharding, ParametersDecideBeforeActivations) {
    // x is split over tp along h, but the weight has tp along f: x is what has to move.
    SmallTemplate small(R"(
symbols: [h, f, v]
boundary: {shape: [b, s, h], split: {2: tp}}
blocks:
  layer:
    parameters:
      w: {shape: [h, f], split: {1: tp}}
      v_: {shape: [f, h]}
    operators:
      - u = einsum("bsh,hf->bsf", x, w)
      - y = einsum("bsf,fh->bsh", u, v_)
    output: y
)");
    const Block block = small.block("layer");
    const Sharding sharding = small.shard(block, tp);
    EXPECT_EQ(small.diagnostics.text(), "");
    EXPECT_EQ(layout_of(block, sharding, "u"), "- - tp");
    EXPECT_EQ(layout_of(block, sharding, "y"), "- - - | tp") << "no parameter has tp: u keeps its split";
    EXPECT_EQ(sharding.letters[0].of('h'), AxisSet{});
    EXPECT_EQ(sharding.letters[0].of('f'), tp);
    EXPECT_EQ(sharding.letters[1].partial("bsh"), tp);
}

TEST(Sharding, RefusesAParameterThatCannotBeUsedWhereItLies) {
    SmallTemplate small(R"(
symbols: [h, f, v]
boundary: {shape: [b, s, h], split: {0: dp}}
blocks:
  layer:
    parameters:
      w_norm: {shape: [h], split: {0: tp}}
    operators:
      - y = rms_norm(x, w_norm)
    output: y
)");
    const Block block = small.block("layer");
    small.shard(block, tp);
    EXPECT_NE(small.diagnostics.text().find("parameter 'w_norm' is split so that rms_norm cannot use it"),
              std::string::npos)
        << small.diagnostics.text();
}

TEST(Sharding, AddsBiasesToPartialSumsBehindTheirReduction) {
    SmallTemplate small(R"(
symbols: [h, f, v]
boundary: {shape: [b, s, h], split: {0: dp, 1: tp if sequence_parallel}}
blocks:
  layer:
    parameters:
      w_up: {shape: [h, f], split: {1: tp}}
      w_down: {shape: [f, h], split: {0: tp}}
      c1: {shape: [h]}
      c2: {shape: [h]}
    operators:
      - u = einsum("bsh,hf->bsf", x, w_up)
      - z0 = einsum("bsf,fh->bsh", u, w_down)
      - z1 = bias(z0, c1)
      - z = bias(z1, c2)
      - y = add(x, z)
    output: y
)");
    for (const bool sequence_parallel : {false, true}) {
        small.options.sequence_parallel = sequence_parallel;
        const Block block = small.block("layer");
        const Sharding sharding = small.shard(block, tp | dp);
        EXPECT_EQ(layout_of(block, sharding, "z0"), "dp - - | tp");
        const std::string behind = sequence_parallel ? "dp tp -" : "dp - -";
        EXPECT_EQ(layout_of(block, sharding, "z1"), behind);
        EXPECT_EQ(layout_of(block, sharding, "z"), behind);
        EXPECT_TRUE(sharding.unreduced[2].empty() && sharding.unreduced[3].empty());
    }
    EXPECT_EQ(small.diagnostics.text(), "");
}

/// Of readers that need different parts each derives its own from one sum.
TEST(Sharding, ReducesASumWithABiasOnceForAllItsReaders) {
    SmallTemplate small(R"(
symbols: [h, f, v]
boundary: {shape: [b, s, h], split: {0: dp, 1: tp}}
blocks:
  layer:
    parameters:
      w_up: {shape: [h, f], split: {1: tp}}
      w_down: {shape: [f, h], split: {0: tp}}
      w_more: {shape: [h, f], split: {1: tp}}
      c: {shape: [h]}
    operators:
      - u = einsum("bsh,hf->bsf", x, w_up)
      - z0 = einsum("bsf,fh->bsh", u, w_down)
      - z = bias(z0, c)
      - x1 = add(x, z)
      - t = einsum("bsh,hf->bsf", z, w_more)
      - t1 = einsum("bsf,fh->bsh", t, w_down)
      - y = add(x1, t1)
    output: y
)");
    const Block block = small.block("layer");
    EXPECT_EQ(layout_of(block, small.shard(block, tp), "z"), "- - -");
    EXPECT_EQ(SmallTemplate::steps(small.plan(block, tp).forward),
              "all_gather x, u, z0, all_reduce z0, z, slice z, x1, t, t1, reduce_scatter t1, y");
    EXPECT_EQ(small.diagnostics.text(), "");
}

}  // namespace
}  // namespace dse::frontend
