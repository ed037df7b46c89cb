#include "frontend/lowering/product_precisions.hpp"

#include <gtest/gtest.h>

#include "frontend/lowering/kernel.hpp"
#include "support/program_maker.hpp"

namespace dse::frontend {
namespace {

using graph::Fp32Products;
using graph::Precision;
using ir::ElementType;
using ir::Language;
using ir::Opcode;
using ir::ProductPrecision;
using test::ProgramMaker;

/// What a product of such operands runs at.
struct Product {
    Language language{Language::hlo};
    ProductPrecision asked{ProductPrecision::standard};
    ElementType element{ElementType::f32};
    Opcode opcode{Opcode::dot};
    ElementType left{element};

    [[nodiscard]] Precision under(Fp32Products choice) const {
        ProgramMaker maker;
        maker.program.language = language;
        maker.open_entry();
        const auto type = maker.array(element, {8, 8});
        const auto x = maker.argument(maker.array(left, {8, 8}));
        const auto y = maker.argument(type);
        ir::Attribute attribute;
        if (opcode == Opcode::dot) attribute = ir::DotDimensions{{}, {}, {1}, {0}, asked};
        if (opcode == Opcode::convolution) {
            ir::ConvolutionDimensions convolution;
            convolution.precision = asked;
            attribute = convolution;
        }
        maker.op(opcode, type, {x, y}, attribute);
        return ProductPrecisions{maker.program, choice}.of_product(
            maker.program[maker.current].operations.back());
    }
};

// XLA: TF32 up to precision HIGH. PyTorch: allow_tf32 is false for products, true for cuDNN.
TEST(ProductPrecisions, AreTheCompilersByDefault) {
    constexpr auto automatic = Fp32Products::automatic;
    EXPECT_EQ(Product{}.under(automatic), Precision::tf32);
    EXPECT_EQ((Product{.language = Language::mlir, .asked = ProductPrecision::high}.under(automatic)),
              Precision::tf32);
    EXPECT_EQ((Product{.asked = ProductPrecision::highest}.under(automatic)), Precision::fp32);
    EXPECT_EQ((Product{.asked = ProductPrecision::highest, .opcode = Opcode::convolution}.under(automatic)),
              Precision::fp32);
    EXPECT_EQ((Product{.language = Language::fx}.under(automatic)), Precision::fp32);
    EXPECT_EQ((Product{.language = Language::fx, .opcode = Opcode::convolution}.under(automatic)),
              Precision::tf32);
}

TEST(ProductPrecisions, MayBeStated) {
    EXPECT_EQ(Product{}.under(Fp32Products::fp32), Precision::fp32);
    EXPECT_EQ((Product{.language = Language::fx, .opcode = Opcode::convolution}.under(Fp32Products::fp32)),
              Precision::fp32);
    EXPECT_EQ((Product{.language = Language::fx}.under(Fp32Products::tf32)), Precision::tf32);
    EXPECT_EQ((Product{.asked = ProductPrecision::highest}.under(Fp32Products::tf32)), Precision::fp32);
}

TEST(ProductPrecisions, OfOtherElementsAreTheirOwn) {
    EXPECT_EQ((Product{.element = ElementType::bf16}.under(Fp32Products::tf32)), Precision::bf16);
    EXPECT_EQ((Product{.element = ElementType::f64}.under(Fp32Products::tf32)), Precision::fp64);
    EXPECT_EQ((Product{.element = ElementType::s16}.under(Fp32Products::tf32)), Precision::fp32);
    EXPECT_EQ((Product{.element = ElementType::c64}.under(Fp32Products::tf32)), Precision::tf32);
}

// Of 4 bits and of 8, of either sign; pred is no number.
TEST(ProductPrecisions, OfNarrowIntegersAreInt8) {
    constexpr auto automatic = Fp32Products::automatic;
    for (const ElementType element : {ElementType::s4, ElementType::s8, ElementType::u4, ElementType::u8})
        EXPECT_EQ((Product{.element = element}.under(automatic)), Precision::int8) << name(element);
    EXPECT_EQ((Product{.element = ElementType::s8, .left = ElementType::u8}.under(automatic)),
              Precision::int8);
    EXPECT_EQ((Product{.element = ElementType::s8, .opcode = Opcode::convolution}.under(automatic)),
              Precision::int8);
    EXPECT_EQ((Product{.element = ElementType::pred}.under(automatic)), Precision::fp32);
}

// Weights of 8 bits beside activations of 16, or of 32: W8A16.
TEST(ProductPrecisions, OfWidenedWeightsAreThatOfTheActivations) {
    const auto beside = [](ElementType left, Fp32Products choice) {
        return Product{.element = ElementType::s8, .left = left}.under(choice);
    };
    EXPECT_EQ(beside(ElementType::bf16, Fp32Products::automatic), Precision::bf16);
    EXPECT_EQ(beside(ElementType::f32, Fp32Products::automatic), Precision::tf32);
    EXPECT_EQ(beside(ElementType::f32, Fp32Products::fp32), Precision::fp32);
    EXPECT_EQ((Product{.element = ElementType::bf16, .left = ElementType::s8}.under(Fp32Products::automatic)),
              Precision::bf16);
}

}  // namespace
}  // namespace dse::frontend
