#include <gtest/gtest.h>

#include "frontend/template/small_template.hpp"

namespace dse::frontend {
namespace {

using graph::AxisSet;
using graph::MeshAxis;
using test::SmallTemplate;

std::string block_with(const std::string& line) {
    return "name: t\nsymbols: [h, f, v]\nboundary: {shape: [b, s, h], split: {0: dp}}\nblocks:\n  layer:\n"
           "    parameters:\n      w: {shape: [h, h]}\n    operators:\n      - " +
           line + "\n      - y = einsum(\"bsh,hf->bsf\", z, w)\n    output: y\n";
}

/// From a whole tensor each device takes its part; back, the parts of the gradient are gathered.
TEST(Redistribute, LaysAnAxisOnADimension) {
    SmallTemplate small(block_with("z = redistribute(\"tp->1\", x)"));
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, AxisSet{MeshAxis::tensor});
    EXPECT_EQ(SmallTemplate::steps(plans.forward), "slice x, y, all_gather y");
    EXPECT_EQ(SmallTemplate::steps(plans.backward), "slice d_y, d_z, d_w, all_gather d_z");
    EXPECT_EQ(small.diagnostics.text(), "");
}

/// On one device it is another name for the same tensor.
TEST(Redistribute, IsNothingWithoutTheAxis) {
    SmallTemplate small(block_with("z = redistribute(\"tp->1\", x)"));
    const Block block = small.block("layer");
    const BlockPlans plans = small.plan(block, {});
    EXPECT_EQ(SmallTemplate::steps(plans.forward), "y");
    EXPECT_EQ(SmallTemplate::steps(plans.backward), "d_z, d_w");
    EXPECT_EQ(SmallTemplate::saved(block, plans.forward), "x");
}

/// From a dimension that is split the whole is gathered; back, each device keeps its part of the gradient.
TEST(Redistribute, MakesADimensionWhole) {
    SmallTemplate small(
        "name: t\nsymbols: [h, f, v]\nboundary: {shape: [b, s, h], split: {0: dp}}\nblocks:\n  layer:\n"
        "    parameters:\n      w: {shape: [h, h], split: {1: tp}}\n    operators:\n"
        "      - z = einsum(\"bsh,hf->bsf\", x, w)\n      - g = redistribute(\"2->whole\", z)\n"
        "      - y = gelu(g)\n    output: y\n");
    const Block block = small.block("layer");
    ASSERT_EQ(small.diagnostics.text(), "");
    const BlockPlans plans = small.plan(block, AxisSet{MeshAxis::tensor});
    EXPECT_EQ(SmallTemplate::steps(plans.forward), "z, all_gather z, y");
    EXPECT_EQ(SmallTemplate::steps(plans.backward), "d_g, slice d_g, d_x, all_reduce d_x, d_w");
}

TEST(Redistribute, RefusesWhatNamesNoDimensionOrAxis) {
    for (const std::string text : {"tp->3", "dp->1", "1", "tp->", "tp->1x", "->1", "3->whole", "1->all"}) {
        SmallTemplate small(block_with("z = redistribute(\"" + text + "\", x)"));
        small.block("layer");
        EXPECT_NE(small.diagnostics.text().find("does not map tp or cp to a dimension of 'x'"),
                  std::string::npos)
            << text << ": " << small.diagnostics.text();
    }
}

TEST(Redistribute, RefusesToGatherTheSamplesOfAllReplicas) {
    SmallTemplate small(block_with("z = redistribute(\"0->whole\", x)"));
    small.block("layer");
    EXPECT_NE(small.diagnostics.text().find("dimension 0 of 'x' is b, the samples that dp splits"),
              std::string::npos)
        << small.diagnostics.text();
}

}  // namespace
}  // namespace dse::frontend
