#include "ir/readers/mlir/tokens.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::ir::mlir {
namespace {

TEST(MlirTokens, CommentsAreBlanks) {
    const Source source = Source::text("  // one\n // two\n  x = 1", "t.mlir");
    Tokens tokens{source};
    EXPECT_TRUE(tokens.skip_lines());
    EXPECT_EQ(tokens.identifier(), "x");
    EXPECT_FALSE(tokens.skip_lines());
    EXPECT_TRUE(tokens.accept('='));
    EXPECT_EQ(tokens.integer(), 1);
}

TEST(MlirTokens, StopsWhereAFileIsSplit) {
    const Source source = Source::text("// a\n// -----\nx", "t.mlir");
    Tokens tokens{source};
    tokens.skip();
    EXPECT_TRUE(tokens.at_split());
    EXPECT_TRUE(tokens.at_stop());
    EXPECT_FALSE(tokens.at_end());
}

TEST(MlirTokens, WordsAreWhole) {
    const Source source = Source::text("location loc", "t.mlir");
    Tokens tokens{source};
    EXPECT_FALSE(tokens.accept_word("loc"));
    EXPECT_TRUE(tokens.accept_word("location"));
    EXPECT_TRUE(tokens.accept_word("loc"));
}

TEST(MlirTokens, SymbolsMayBeQuotedAndNested) {
    const Source source = Source::text("@f @\"f.1\" @a::@b @", "t.mlir");
    Tokens tokens{source};
    EXPECT_EQ(tokens.symbol(), "f");
    EXPECT_EQ(tokens.symbol(), "f.1");
    EXPECT_EQ(tokens.symbol(), "a::@b");
    EXPECT_THROW(tokens.symbol(), InputError);
}

TEST(MlirTokens, NamesEndBeforeAnArrow) {
    const Source source = Source::text("%a-b->c", "t.mlir");
    Tokens tokens{source};
    tokens.expect('%');
    EXPECT_EQ(tokens.suffix(), "a-b");
}

TEST(MlirTokens, ValuesOfAllKinds) {
    for (const std::string text : {"[1, [2, 3]]",
                                   "{a = \"}\", b}",
                                   "\"x\\\" y\"",
                                   "@f::@g",
                                   "#a.b<c<1>>",
                                   "!t.u<[2],f32>",
                                   "#alias",
                                   "dense<[[1, 2], [3, 4]]>",
                                   "dense<\"0x01>\">",
                                   "array<i64: 1, 2>",
                                   "1",
                                   "-3",
                                   "1.5e-05",
                                   "0xFF80",
                                   "true",
                                   "[0] x [1]",
                                   "[b, 0, f]x[0, i, o]->[b, 0, f]",
                                   "(i32) -> (f32, f32)",
                                   "(i32) -> f32",
                                   "loc(\"f.py\":1:2)",
                                   "affine_map<(d0) -> (d0)>",
                                   "<mesh, [{\"x\"}]>"}) {
        const Source source = Source::text(text + " , next", "t.mlir");
        Tokens tokens{source};
        EXPECT_EQ(tokens.value(), text);
    }
}

TEST(MlirTokens, ATypeBehindAValueBelongsToIt) {
    const Source source = Source::text("dense<1> : tensor<2xi64>, x", "t.mlir");
    Tokens tokens{source};
    EXPECT_EQ(tokens.typed_value(), "dense<1> : tensor<2xi64>");
    EXPECT_EQ(tokens.peek(), ',');
}

TEST(MlirTokens, AnUnclosedLiteralIsRefused) {
    for (const std::string text : {"dense<[1, 2", "\"abc", "[1, (2]"}) {
        const Source source = Source::text(text, "t.mlir");
        Tokens tokens{source};
        EXPECT_THROW(tokens.value(), InputError) << text;
    }
}

}  // namespace
}  // namespace dse::ir::mlir
