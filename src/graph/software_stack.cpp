#include "dse/graph/software_stack.hpp"

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "graph/require_in_range.hpp"

namespace dse::graph {
namespace {

/// Each block gathered ahead and each block fetched back takes a port, of which a region has at most 64.
void require_ports(const SoftwareStack& stack) {
    constexpr std::int64_t most = 16;
    if (stack.offload == Offload::none || stack.prefetch <= most) return;
    throw ModelError(fmt::format("prefetch is {}: with offload it is at most {}", stack.prefetch, most));
}

/// Options that only exist for eight- and four-bit products.
void require_narrow(const SoftwareStack& stack) {
    if (stack.primary_weights == PrimaryWeights::fp8 && stack.precision != Precision::fp8)
        throw ModelError("primary_weights fp8 needs precision fp8: other products do not read such weights");
}

void require_bits(const SoftwareStack& stack) {
    if (stack.weight_bits > 0.0 && stack.weight_bits < 1.0)
        throw ModelError(
            fmt::format("weight_bits is {:g}: a weight has one bit at least (0: as many as the precision of "
                        "products)",
                        stack.weight_bits));
}

}  // namespace

SoftwareStack forward_part(SoftwareStack stack, Mode mode) {
    DSE_EXPECT(is_inference(mode));
    const bool prompts = mode == Mode::prefill;
    const SoftwareStack usual;
    if (prompts && stack.prompt_expert_rate > 0.0) stack.expert_rate = stack.prompt_expert_rate;
    stack.prompt_expert_rate = usual.prompt_expert_rate;
    // The rate of prompts contains their tiles.
    if (prompts && stack.few_expert_rows > 0) stack.expert_tile = usual.expert_tile;
    if (stack.expert_tile == usual.expert_tile) stack.few_expert_rows = usual.few_expert_rows;
    if (prompts) stack.least_expert_tile = usual.least_expert_tile;
    if (stack.least_expert_tile == 0) {
        stack.expert_tile_margin = usual.expert_tile_margin;
        stack.tile_reading = usual.tile_reading;
    }
    if (!prompts) {
        stack.prompt_dense_rate = usual.prompt_dense_rate;
        stack.sparse_heads = usual.sparse_heads;
    }
    if (stack.weight_bits == 0.0) stack.widening_rate = usual.widening_rate;
#define DSE_TRAINING_FIELD(type, name, value, ...) stack.name = usual.name;
#include "dse/graph/software_stack.def"
    stack.zero = 0;
    return stack;
}

bool attends_in_fp8(const SoftwareStack& stack) {
    return stack.fp8_attention && bytes_of(stack.precision) < Bytes{2};
}

bool has_wide_layers(const SoftwareStack& stack) {
    return bytes_of(stack.precision) < Bytes{2} && stack.bf16_first_layers + stack.bf16_last_layers > 0;
}

Precision reduced_in(const SoftwareStack& stack) {
    switch (stack.reduction_precision) {
        case ReductionPrecision::kept:
            return stack.gradient_precision;
        case ReductionPrecision::fp32:
            return Precision::fp32;
        case ReductionPrecision::bf16:
            return Precision::bf16;
        case ReductionPrecision::fp16:
            return Precision::fp16;
    }
    DSE_REQUIRE(false && "a reduction without a precision");
    return stack.gradient_precision;
}

void require_valid(const SoftwareStack& stack) {
    require_in_range(stack);
    require_ports(stack);
    require_narrow(stack);
    require_bits(stack);
}

}  // namespace dse::graph
