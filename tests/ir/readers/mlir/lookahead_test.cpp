#include "ir/readers/mlir/lookahead.hpp"

#include <gtest/gtest.h>

namespace dse::ir::mlir {
namespace {

bool sees(bool (*what)(Tokens&), const std::string& text) {
    const Source source = Source::text(text, "t.mlir");
    Tokens tokens{source};
    const bool seen = what(tokens);
    EXPECT_EQ(tokens.position(), 0U);
    return seen;
}

TEST(MlirLookahead, Operations) {
    EXPECT_TRUE(sees(at_operation, "stablehlo.add %x"));
    EXPECT_TRUE(sees(at_operation, "return"));
    EXPECT_FALSE(sees(at_operation, "cond {"));
    EXPECT_FALSE(sees(at_operation, "dim_numbers = [b]"));
}

TEST(MlirLookahead, RegionsAndDictionaries) {
    for (const std::string text : {"{ %0 = d.op", "{\n^bb0(%x: f32):", "{ \"d.op\"() : () -> ()", "{ d.op %x",
                                   "{ stablehlo.return }", "{ // comment\n return\n}"})
        EXPECT_TRUE(sees(at_region, text)) << text;
    for (const std::string text : {"{}", "{a = 1}", "{a, b}", "{unit}", "{\"a b\" = 1}", "{a.b = 1}"})
        EXPECT_FALSE(sees(at_region, text)) << text;
}

TEST(MlirLookahead, Axes) {
    EXPECT_TRUE(sees(at_axes, "{\"x\"} %a"));
    EXPECT_TRUE(sees(at_axes, "{\"x\":(1)2}"));
    EXPECT_FALSE(sees(at_axes, "{\"x\" = 1}"));
    EXPECT_FALSE(sees(at_axes, "{}"));
}

}  // namespace
}  // namespace dse::ir::mlir
