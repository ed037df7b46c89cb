#include "frontend/lowering/gemm_shape.hpp"

#include <algorithm>
#include <span>

namespace dse::frontend {
namespace {

using graph::GemmShape;
using ir::Opcode;
using ir::Sizes;

double product(const Sizes& sizes, const Sizes& dimensions) {
    double result = 1.0;
    for (const std::int64_t dimension : dimensions)
        result *= static_cast<double>(sizes[static_cast<std::size_t>(dimension)]);
    return result;
}

double product(const Sizes& sizes) {
    double result = 1.0;
    for (const std::int64_t size : sizes) result *= static_cast<double>(size);
    return result;
}

bool fit(const Sizes& dimensions, const Sizes& sizes) {
    return std::all_of(dimensions.begin(), dimensions.end(), [&](std::int64_t dimension) {
        return dimension >= 0 && static_cast<std::size_t>(dimension) < sizes.size();
    });
}

std::optional<GemmShape> by_dimensions(const Sizes& lhs, const Sizes& rhs, const ir::DotDimensions& dot) {
    if (!fit(dot.lhs_batch, lhs) || !fit(dot.lhs_contracting, lhs) || !fit(dot.rhs_batch, rhs) ||
        !fit(dot.rhs_contracting, rhs))
        return std::nullopt;
    GemmShape shape;
    shape.batch = product(lhs, dot.lhs_batch);
    shape.k = product(lhs, dot.lhs_contracting);
    shape.m = product(lhs) / (shape.batch * shape.k);
    shape.n = product(rhs) / (shape.batch * shape.k);
    return shape;
}

/// Matrix products of frameworks, which have no dimension numbers: mm, bmm, addmm, mv, dot.
std::optional<GemmShape> by_rank(const Sizes& lhs, const Sizes& rhs) {
    if (lhs.empty() || rhs.empty()) return std::nullopt;
    GemmShape shape{1, 1, 1, static_cast<double>(lhs.back())};
    const bool batched = lhs.size() > 2 && rhs.size() > 2;
    if (batched) shape.batch = product(Sizes(lhs.begin(), lhs.end() - 2));
    if (lhs.size() > 1) shape.m = product(lhs) / (shape.batch * shape.k);
    if (rhs.size() > 1) shape.n = static_cast<double>(rhs.back());
    return shape;
}

std::optional<GemmShape> of_convolution(const Sizes& kernel, const Sizes& output,
                                        const ir::ConvolutionDimensions& convolution) {
    if (!fit({convolution.kernel_input_feature, convolution.kernel_output_feature}, kernel) ||
        !fit(convolution.kernel_spatial, kernel) || !fit({convolution.output_feature}, output))
        return std::nullopt;
    const auto groups = static_cast<double>(convolution.feature_groups * convolution.batch_groups);
    const double features = product(output, {convolution.output_feature});
    GemmShape shape;
    shape.batch = groups;
    shape.n = features / groups;
    shape.m = product(output) / features;
    shape.k =
        product(kernel, convolution.kernel_spatial) * product(kernel, {convolution.kernel_input_feature});
    return shape;
}

}  // namespace

std::optional<GemmShape> gemm_shape(const ir::Program& program, const ir::Operation& operation) {
    const auto operands = program.operands(operation);
    const bool contracts = ir::opcode_class(operation.opcode) == ir::OpcodeClass::contraction;
    if (!contracts || operands.size() < 2 || operation.results.count == 0) return std::nullopt;
    const auto sizes = [&](ir::ValueId value) -> const Sizes& {
        return program.types[program.type_of(value)].sizes;
    };
    const Sizes& output = sizes(ir::Program::result(operation));
    std::optional<GemmShape> shape;
    if (const auto* convolution = program.attribute_if<ir::ConvolutionDimensions>(operation)) {
        shape = of_convolution(sizes(operands[1]), output, *convolution);
    } else if (const auto* dot = program.attribute_if<ir::DotDimensions>(operation)) {
        shape = by_dimensions(sizes(operands[0]), sizes(operands[1]), *dot);
    } else if (operation.opcode == Opcode::dot) {
        shape = by_rank(sizes(operands[0]), sizes(operands[1]));
    }
    // Dynamic sizes and empty arrays have no shape.
    if (shape && !(shape->batch > 0 && shape->m > 0 && shape->n > 0 && shape->k > 0)) return std::nullopt;
    return shape;
}

}  // namespace dse::frontend
