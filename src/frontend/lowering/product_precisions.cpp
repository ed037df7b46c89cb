#include "frontend/lowering/product_precisions.hpp"

#include <algorithm>

namespace dse::frontend {

using graph::Fp32Products;
using graph::Precision;
using ir::NumberKind;
using ir::Opcode;
using ir::Operation;
using ir::ProductPrecision;
using ir::Program;

namespace {

ProductPrecision asked_for(const Program& program, const Operation& operation) {
    if (const auto* dot = program.attribute_if<ir::DotDimensions>(operation)) return dot->precision;
    if (const auto* convolution = program.attribute_if<ir::ConvolutionDimensions>(operation))
        return convolution->precision;
    const auto* call = program.attribute_if<ir::ForeignCall>(operation);
    if (call == nullptr) return ProductPrecision::standard;
    const ProductPrecision configured = ir::product_precision(program.text(call->configuration));
    return call->convolution ? std::max(call->convolution->precision, configured) : configured;
}

/// Integers of at most 8 bits; narrower ones are widened to 8.
bool is_narrow_integer(ir::ElementType type) {
    return ir::number_kind(type) == NumberKind::integer && ir::bits(type) <= 8;
}

}  // namespace

Precision precision_of(ir::ElementType type) {
    switch (type) {
        case ir::ElementType::f64:
        case ir::ElementType::c128:
            return Precision::fp64;
        case ir::ElementType::tf32:
            return Precision::tf32;
        case ir::ElementType::bf16:
            return Precision::bf16;
        case ir::ElementType::f16:
            return Precision::fp16;
        default:
            break;
    }
    if (ir::number_kind(type) != NumberKind::floating) return Precision::fp32;
    if (ir::bits(type) == 8) return Precision::fp8;
    return ir::bits(type) < 8 ? Precision::fp4 : Precision::fp32;
}

bool ProductPrecisions::rounds(const Operation& operation) const {
    if (choice_ == Fp32Products::fp32) return false;
    if (choice_ == Fp32Products::automatic && program_.language == ir::Language::fx)
        return operation.opcode == Opcode::convolution || operation.opcode == Opcode::convolution_backward;
    return asked_for(program_, operation) != ProductPrecision::highest;
}

Precision ProductPrecisions::of_product(const Operation& operation) const {
    const auto operands = program_.operands(operation);
    const auto element_of = [&](std::size_t i) {
        return program_.types[program_.type_of(operands[i])].element;
    };
    ir::ElementType element = element_of(operands.size() > 1 ? 1 : 0);
    if (is_narrow_integer(element)) {
        if (is_narrow_integer(element_of(0))) return Precision::int8;
        element = element_of(0);  // integer weights that are widened as the product reads them
    }
    const bool is_single = element == ir::ElementType::f32 || element == ir::ElementType::c64;
    return is_single && rounds(operation) ? Precision::tf32 : precision_of(element);
}

}  // namespace dse::frontend
