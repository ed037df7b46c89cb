#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "dse/ir/program/cost/kernel_shapes.hpp"
#include "ir/program/cost/flop_rules.hpp"

namespace dse::ir::flops {
namespace {

/// FLOPs of two products, query × key and weights × value. If the kernel does not state which dimension the
/// heads are, the second-to-last dimension is that of the keys.
/// \param query  index of the query operand; the keys are the next one
double attention_flops(const Counted& of, std::size_t query) {
    if (const auto shape = attention_shape(of.program(), of.operation())) return shape->flops();
    const Type* queries = of.operand(query);
    const Type* keys = of.operand(query + 1);
    if (queries == nullptr || keys == nullptr || queries->sizes.size() < 2 || keys->sizes.size() < 2)
        return 0;
    return 4 * of.elements(query) * static_cast<double>(keys->sizes[keys->sizes.size() - 2]);
}

}  // namespace

Cost attention(const Counted& of) {
    Cost cost;
    cost.dot = cost.flops = attention_flops(of, 0);
    return cost;
}

// Five products, the forward pass has two; the first operand is the gradient.
Cost attention_backward(const Counted& of) {
    Cost cost;
    cost.dot = cost.flops = 2.5 * attention_flops(of, 1);
    return cost;
}

Cost sort(const Counted& of) {
    Cost cost;
    const double elements = of.elements(0);
    if (elements > 1) cost.flops = elements * std::ceil(std::log2(elements));
    return cost;
}

Cost fft(const Counted& of) {
    Cost cost;
    const auto* fft = of.attribute<FftLengths>();
    if (fft == nullptr) return cost;
    double factor = 1;
    for (const std::int64_t length : fft->lengths)
        factor *=
            length <= 0 ? 0 : static_cast<double>(std::bit_width(static_cast<std::uint64_t>(length)) - 1);
    cost.flops = 8 * of.elements(0) * factor;
    return cost;
}

}  // namespace dse::ir::flops
