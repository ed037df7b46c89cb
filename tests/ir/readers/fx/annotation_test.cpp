#include "ir/readers/fx/annotation.hpp"

#include <string>

#include <gtest/gtest.h>

#include "support/error_message.hpp"

namespace dse::ir::fx {
namespace {

std::string read(const std::string& text) {
    const Source source = Source::text(text, "x.fx");
    TypeTable types;
    Annotations annotations{source, types};
    return types.text(annotations.type(source.text()));
}

TEST(Annotations, ReadsTypes) {
    EXPECT_EQ(read("bf16[8, 2048][2048, 1]cuda:0"), "bf16[8,2048]");
    EXPECT_EQ(read("f32[]"), "f32[]");
    EXPECT_EQ(read("i64[4][1]cpu"), "s64[4]");
    EXPECT_EQ(read("b8[2, 1, 3]"), "pred[2,1,3]");
    EXPECT_EQ(read("f8e4m3fn[16]"), "f8e4m3fn[16]");
    EXPECT_EQ(read("Sym(s0 + 1)"), "s64[]");
}

TEST(Annotations, LeavesSymbolicSizesOpen) {
    EXPECT_EQ(read("f32[2*((s77//2)), s27, 4]"), "f32[?,?,4]");
}

TEST(Annotations, KeepsATypeOnce) {
    const Source source = Source::text("f32[2]", "x.fx");
    TypeTable types;
    Annotations annotations{source, types};
    EXPECT_EQ(annotations.type(source.text()), annotations.type(source.text()));
    EXPECT_EQ(types[annotations.untyped()].kind, Type::Kind::untyped);
    EXPECT_EQ(types.size(), 2U);
}

TEST(Annotations, RefusesWhatIsNoType) {
    EXPECT_EQ(test::error_message([] { read("x32[2]"); }),
              "x.fx:1:1: 'x32' is not an element type of PyTorch");
    EXPECT_EQ(test::error_message([] { read("f32[2"); }), "x.fx:1:1: expected sizes, as in 'f32[8, 16]'");
    EXPECT_EQ(test::error_message([] { read("f32[2,, 3]"); }), "x.fx:1:7: expected a size");
    EXPECT_EQ(test::error_message([] { read("f32[-2]"); }), "x.fx:1:5: expected a size");
    EXPECT_EQ(test::error_message([] { read("f32[99999999999999999999]"); }),
              "x.fx:1:5: the size is too large");
}

}  // namespace
}  // namespace dse::ir::fx
