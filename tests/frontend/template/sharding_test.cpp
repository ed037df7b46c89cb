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

}  // namespace
}  // namespace dse::frontend
