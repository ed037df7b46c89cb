#include <cmath>
#include <cstddef>
#include <vector>

#include "ir/program/cost/contraction_cost.hpp"
#include "ir/program/cost/flop_rules.hpp"

namespace dse::ir::flops {

Cost product(const Counted& of) {
    Cost cost;
    const auto* dot = of.attribute<DotDimensions>();
    if (dot == nullptr || of.operand(1) == nullptr || !of.has_results()) return cost;
    cost.dot = cost.flops = product_flops(*of.operand(0), *of.operand(1), of.result(), *dot);
    return cost;
}

Cost convolution(const Counted& of) {
    Cost cost;
    const auto* dimensions = of.attribute<ConvolutionDimensions>();
    if (dimensions == nullptr || of.operand(1) == nullptr || !of.has_results()) return cost;
    const ConvolutionFlops flops =
        convolution_flops(*of.operand(0), *of.operand(1), of.result(), *dimensions);
    cost.convolution = cost.flops = flops.valid;
    cost.convolution_full = flops.full;
    return cost;
}

// aten's operator: (gradient, input, weight) to a tuple of the gradients of input, weight and bias, which are
// untyped if unused. The first two each take a convolution of the forward pass' size.
Cost convolution_backward(const Counted& of) {
    Cost cost;
    const Type* weight = of.operand(2);
    if (weight == nullptr || weight->sizes.empty() || weight->sizes[0] <= 0 || !of.has_results()) return cost;
    const double forward = 2 * of.elements(0) * of.elements(2) / static_cast<double>(weight->sizes[0]);
    const std::vector<TypeId>& made = of.result().members;
    for (std::size_t i = 0; i < 2 && i < made.size(); ++i)
        if (of.program().types.elements(made[i]) > 0) cost.flops += forward;
    cost.convolution = cost.convolution_full = cost.flops;
    return cost;
}

Cost triangular_solve(const Counted& of) {
    Cost cost;
    cost.flops = 2 * of.elements(1) * of.last_size(0);
    return cost;
}

Cost cholesky(const Counted& of) {
    Cost cost;
    cost.flops = std::floor(of.elements(0) * of.last_size(0) / 3);
    return cost;
}

}  // namespace dse::ir::flops
