#include "ir/readers/mlir/type_reader.hpp"

#include <list>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::ir::mlir {
namespace {

class MlirTypes : public testing::Test {
  protected:
    const Type& read(const std::string& text) {
        // The reader remembers types by their text, which must stay.
        Tokens tokens{sources_.emplace_back(Source::text(text, "t.mlir"))};
        last_ = reader_.read(tokens);
        EXPECT_TRUE(tokens.at_end()) << text;
        return table_[last_];
    }
    std::string text(const std::string& mlir) {
        read(mlir);
        return table_.text(last_);
    }

    TypeTable table_;
    Aliases aliases_;
    TypeReader reader_{table_, aliases_};
    std::list<Source> sources_;
    TypeId last_;
};

TEST_F(MlirTypes, ElementsByHlosNames) {
    EXPECT_EQ(text("tensor<2x3xf32>"), "f32[2,3]");
    EXPECT_EQ(text("tensor<i1>"), "pred[]");
    EXPECT_EQ(text("tensor <2x3xf32>"), "f32[2,3]");
    EXPECT_EQ(text("tensor<4xui64>"), "u64[4]");
    EXPECT_EQ(text("tensor<4xi4>"), "s4[4]");
    EXPECT_EQ(text("tensor<1xf8E4M3FNUZ>"), "f8e4m3fnuz[1]");
    EXPECT_EQ(text("tensor<1xf8E4M3B11FNUZ>"), "f8e4m3b11fnuz[1]");
    EXPECT_EQ(text("tensor<1xf4E2M1FN>"), "f4e2m1fn[1]");
    EXPECT_EQ(text("tensor<2xcomplex<f64>>"), "c128[2]");
    EXPECT_EQ(text("tensor<0x2xindex>"), "s64[0,2]");
    EXPECT_EQ(text("bf16"), "bf16[]");
    EXPECT_EQ(text("memref<2x2xtf32, 1>"), "tf32[2,2]");
    EXPECT_EQ(text("vector<[4]x2xf16>"), "f16[4,2]");
}

TEST_F(MlirTypes, QuantisedElementsAreWhatIsStored) {
    EXPECT_EQ(text("tensor<1x4x!quant.uniform<i8:f32, 2.000000e+00:15>>"), "s8[1,4]");
    EXPECT_EQ(text("tensor<2x!quant.uniform<ui8<1:255>:f32:0, {0.1:30, 0.2}>>"), "u8[2]");
}

TEST_F(MlirTypes, DynamicSizesAndTheirBounds) {
    const Type open = read("tensor<2x?xf32>");
    EXPECT_TRUE(open.dynamic);
    EXPECT_EQ(open.sizes, (std::vector<std::int64_t>{2, unknown_size}));
    EXPECT_EQ(read("tensor<?x?x3xf32, #stablehlo.bounds<4, ?, ?>>").sizes,
              (std::vector<std::int64_t>{4, unknown_size, 3}));
    EXPECT_EQ(read("tensor<?xf32, #stablehlo.type_extensions<bounds = [128]>>").sizes,
              std::vector<std::int64_t>{128});
    EXPECT_FALSE(read("tensor<*xf32>").ranked);
}

TEST_F(MlirTypes, TuplesTokensAndForeignOnes) {
    EXPECT_EQ(text("tuple<tensor<2xf32>, tuple<tensor<i32>>>"), "(f32[2], (s32[]))");
    EXPECT_EQ(read("!stablehlo.token").kind, Type::Kind::token);
    EXPECT_EQ(read("!torch.int").kind, Type::Kind::opaque);
    EXPECT_EQ(read("!hal.buffer<a, b<c>>").kind, Type::Kind::opaque);
    EXPECT_EQ(text("!torch.vtensor<[2,?],f32>"), "f32[2,?]");
    EXPECT_EQ(read("(tensor<2xf32>) -> (i32, i32)").kind, Type::Kind::opaque);
}

TEST_F(MlirTypes, AliasesStandForTypes) {
    // An alias is text of the same file.
    const Source both = Source::text("tensor<7xf32> !mine", "t.mlir");
    aliases_["!mine"] = both.text().substr(0, 13);
    Tokens tokens{both};
    tokens.move_to(14);
    EXPECT_EQ(table_.text(reader_.read(tokens)), "f32[7]");
}

TEST_F(MlirTypes, RefusesWhatIsNoType) {
    for (const std::string text : {"tensor<2x3xg32>", "tensor<2xf31>", "tensor<2x>", "tensor<2f32>",
                                   "tensor<-2xf32>", "tensor<99999999999999999999xf32>", "tensor<2xf32", "7"})
        EXPECT_THROW(read(text), InputError) << text;
    try {
        read("tensor<2xfp16>");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string{error.what()}.find("t.mlir:1:10: 'fp16' is not an element type"),
                  std::string::npos)
            << error.what();
    }
}

TEST_F(MlirTypes, DeepNestingIsRefused) {
    std::string deep;
    for (int i = 0; i < 100'000; ++i) deep += "tuple<";
    EXPECT_THROW(read(deep + std::string(100'000, '>')), InputError);
}

}  // namespace
}  // namespace dse::ir::mlir
