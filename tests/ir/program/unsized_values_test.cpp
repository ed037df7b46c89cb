#include "dse/ir/program/unsized_values.hpp"

#include <gtest/gtest.h>

#include "dse/ir/readers/read_program.hpp"

namespace dse::ir {
namespace {

std::vector<UnsizedValues> found_in(const std::string& text, const std::string& file) {
    return unsized_values(read_program(Source::text(text, file)));
}

TEST(UnsizedValues, OfHloAreThoseWithoutABound) {
    const auto found = found_in(
        "HloModule m\n\nENTRY e {\n  x = f32[<=64,8] parameter(0)\n  y = f32[?,8] negate(x)\n"
        "  z = f32[?,8] negate(y)\n  ROOT t = (f32[?,8], f32[?,8]) tuple(z, y)\n}\n",
        "t.hlo");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].line, 5U);
    EXPECT_EQ(found[0].count, 3) << "y, z and the tuple that holds them";
    EXPECT_EQ(found[0].reason,
              "'y' (f32[?,8]) has a dimension of unknown size; such values, which are not counted: 3");
}

TEST(UnsizedValues, OfMlirAreArgumentsToo) {
    const auto found = found_in(
        "module @m {\n  func.func public @main(%a: tensor<4xf32>, %b: tensor<?x8xf32>) -> tensor<?x8xf32> {\n"
        "    %0 = stablehlo.negate %b : tensor<?x8xf32>\n    return %0 : tensor<?x8xf32>\n  }\n}\n",
        "t.mlir");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].line, 2U);
    EXPECT_EQ(found[0].count, 2);
    EXPECT_EQ(found[0].reason.substr(0, 24), "'argument 1' (f32[?,8]) ");
}

TEST(UnsizedValues, OfFxAreSymbolsAndMissingAnnotations) {
    const auto found = found_in(
        "class GraphModule(torch.nn.Module):\n"
        "    def forward(self, a: \"f32[s0, 64]\", b: \"f32[64, 64]\"):\n"
        "        mm = torch.ops.aten.mm.default(a, b)\n"
        "        relu: \"f32[s0, 64]\" = torch.ops.aten.relu.default(mm)\n"
        "        split = torch.ops.aten.split.Tensor(b, 32)\n"
        "        getitem: \"f32[32, 64]\" = split[0]\n"
        "        return (relu, getitem)\n",
        "t.fx");
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].line, 1U);
    EXPECT_EQ(found[0].count, 2);
    EXPECT_EQ(found[1].line, 3U);
    EXPECT_EQ(found[1].count, 1) << "parts of a split have their own annotations";
    EXPECT_EQ(found[1].reason, "'mm' (?) has no type annotation; such values, which are not counted: 1");
}

TEST(UnsizedValues, NoneWhereAllIsStated) {
    EXPECT_TRUE(
        found_in("ENTRY e {\n  x = f32[8] parameter(0)\n  ROOT y = f32[8] negate(x)\n}\n", "t.hlo").empty());
}

}  // namespace
}  // namespace dse::ir
