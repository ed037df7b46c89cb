#include "dse/graph/software_stack.hpp"

#include <fmt/format.h>

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

}  // namespace

SoftwareStack forward_part(SoftwareStack stack, bool prompts) {
    const SoftwareStack usual;
    if (prompts && stack.prompt_expert_rate > 0.0) stack.expert_rate = stack.prompt_expert_rate;
    stack.prompt_expert_rate = usual.prompt_expert_rate;
    // The rate of prompts contains their tiles.
    if (prompts && stack.few_expert_rows > 0) stack.expert_tile = usual.expert_tile;
    if (stack.expert_tile == usual.expert_tile) stack.few_expert_rows = usual.few_expert_rows;
    if (!prompts) {
        stack.prompt_dense_rate = usual.prompt_dense_rate;
        stack.sparse_heads = usual.sparse_heads;
    }
    if (stack.weight_bits == 0.0) stack.widening_rate = usual.widening_rate;
    stack.zero = 0;
    stack.prefetch = usual.prefetch;
    stack.backward_prefetch = usual.backward_prefetch;
    stack.gather_unit = usual.gather_unit;
    stack.reshard_after_forward = usual.reshard_after_forward;
    stack.accumulate_whole = usual.accumulate_whole;
    stack.reduce_whole = usual.reduce_whole;
    stack.merge_input_gradients = usual.merge_input_gradients;
    stack.regather_inputs = usual.regather_inputs;
    stack.collective_copies = usual.collective_copies;
    stack.recompute = usual.recompute;
    stack.recompute_layers = usual.recompute_layers;
    stack.recompute_unread = usual.recompute_unread;
    stack.offload = usual.offload;
    stack.offload_layers = usual.offload_layers;
    stack.offload_prefetch = usual.offload_prefetch;
    stack.gradient_precision = usual.gradient_precision;
    stack.master_precision = usual.master_precision;
    stack.optimizer_precision = usual.optimizer_precision;
    stack.fused_accumulation = usual.fused_accumulation;
    stack.fused_optimizer = usual.fused_optimizer;
    stack.primary_weights = usual.primary_weights;
    stack.fp8_attention = usual.fp8_attention;
    stack.copied_rows = usual.copied_rows;
    stack.expert_training_rate = usual.expert_training_rate;
    stack.scan_backward = usual.scan_backward;
    stack.narrow_head = usual.narrow_head;
    stack.gather_casts = usual.gather_casts;
    stack.gather_activation_casts = usual.gather_activation_casts;
    stack.keep_weight_casts = usual.keep_weight_casts;
    stack.keep_activation_casts = usual.keep_activation_casts;
    stack.loss = usual.loss;
    stack.delayed_scaling = usual.delayed_scaling;
    stack.eager_squared_relu = usual.eager_squared_relu;
    stack.adapter_launch_factor = usual.adapter_launch_factor;
    stack.backward_launches = usual.backward_launches;
    stack.keeps_narrow_gradients = usual.keeps_narrow_gradients;
    stack.flat_update = usual.flat_update;
    stack.reduce_bucket = usual.reduce_bucket;
    stack.keeps_outputs = usual.keeps_outputs;
    stack.runtime_memory = usual.runtime_memory;
    stack.communicator_memory = usual.communicator_memory;
    stack.cached_layers = usual.cached_layers;
    stack.keeps_logits = usual.keeps_logits;
    return stack;
}

bool attends_in_fp8(const SoftwareStack& stack) {
    return stack.fp8_attention && bytes_of(stack.precision) < Bytes{2};
}

void require_valid(const SoftwareStack& stack) {
    require_in_range(stack);
    require_ports(stack);
    require_narrow(stack);
}

}  // namespace dse::graph
