#include "dse/ir/program/product_precision.hpp"

#include <gtest/gtest.h>

#include "dse/ir/readers/hlo/read_hlo.hpp"
#include "dse/ir/readers/mlir/read_mlir.hpp"

namespace dse::ir {
namespace {

TEST(ProductPrecision, IsTheHighestThatIsNamed) {
    EXPECT_EQ(product_precision("{default,default}"), ProductPrecision::standard);
    EXPECT_EQ(product_precision("[DEFAULT, HIGH]"), ProductPrecision::high);
    EXPECT_EQ(product_precision("{high,highest}"), ProductPrecision::highest);
    EXPECT_EQ(product_precision("[#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]"),
              ProductPrecision::highest);
    EXPECT_EQ(product_precision(""), ProductPrecision::standard);
}

// XLA computes these in: f32 TF32AsF32, x3 F32, f32 F32, bf16 BF16AsF32.
TEST(ProductPrecision, OfAnAlgorithmIsWhatItIsComputedIn) {
    EXPECT_EQ(algorithm_precision("dot_tf32_tf32_f32"), ProductPrecision::high);
    EXPECT_EQ(algorithm_precision("dot_tf32_tf32_f32_x3"), ProductPrecision::highest);
    EXPECT_EQ(algorithm_precision("dot_f32_f32_f32"), ProductPrecision::highest);
    EXPECT_EQ(algorithm_precision("dot_bf16_bf16_f32"), ProductPrecision::standard);
    EXPECT_EQ(algorithm_precision("dot_bf16_bf16_f32_x6"), ProductPrecision::highest);
    EXPECT_EQ(algorithm_precision("<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type "
                                  "= f32, num_primitive_operations = 1>"),
              ProductPrecision::high);
    EXPECT_EQ(algorithm_precision("<lhs_precision_type = tf32, num_primitive_operations = 3>"),
              ProductPrecision::highest);
    EXPECT_EQ(algorithm_precision("<lhs_precision_type = f32, num_primitive_operations = 1>"),
              ProductPrecision::highest);
}

template <class Attribute>
ProductPrecision of_last_but(const Program& program, std::size_t behind) {
    const auto& operations = program[program.entry].operations;
    const auto* attribute = program.attribute_if<Attribute>(operations[operations.size() - 1 - behind]);
    return attribute == nullptr ? throw std::runtime_error("no product") : attribute->precision;
}

TEST(ProductPrecision, IsReadFromHlo) {
    const auto of = [](const std::string& more) {
        return of_last_but<DotDimensions>(
            read_hlo(
                Source::text("HloModule m\n\nENTRY e {\n  x = f32[4,4] parameter(0)\n  ROOT d = f32[4,4] "
                             "dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}" +
                                 more + "\n}\n",
                             "t")),
            0);
    };
    EXPECT_EQ(of(""), ProductPrecision::standard);
    EXPECT_EQ(of(", operand_precision={high,default}"), ProductPrecision::high);
    EXPECT_EQ(of(", operand_precision={highest,highest}"), ProductPrecision::highest);
    EXPECT_EQ(of(", algorithm=dot_tf32_tf32_f32"), ProductPrecision::high);
    EXPECT_EQ(of(", algorithm=dot_f32_f32_f32"), ProductPrecision::highest);
}

TEST(ProductPrecision, IsReadFromMlir) {
    const auto of = [](const std::string& more) {
        return of_last_but<DotDimensions>(
            read_mlir(Source::text("func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {\n  %0 = "
                                   "stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]" +
                                       more +
                                       " : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>\n"
                                       "  return %0 : tensor<4x4xf32>\n}\n",
                                   "t")),
            1);
    };
    EXPECT_EQ(of(""), ProductPrecision::standard);
    EXPECT_EQ(of(", precision = [DEFAULT, DEFAULT]"), ProductPrecision::standard);
    EXPECT_EQ(of(", precision = [HIGHEST, DEFAULT]"), ProductPrecision::highest);
    EXPECT_EQ(
        of(", precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = "
           "tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, "
           "num_primitive_operations = 1, allow_imprecise_accumulation = false>"),
        ProductPrecision::high);
}

}  // namespace
}  // namespace dse::ir
