#include "dse/graph/training_stack.hpp"

#include <array>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::graph {
namespace {

void require_share(const char* name, double value) {
    if (!(value >= 0.0 && value <= 1.0))
        throw ModelError(fmt::format("{} is {}: a share lies in [0, 1]", name, value));
}

void require_between(const char* name, std::int64_t value, std::int64_t least, std::int64_t most) {
    if (value < least || value > most)
        throw ModelError(fmt::format("{} is {}: it lies in [{}, {}]", name, value, least, most));
}

/// What only eight- and four-bit products have.
void require_narrow(const TrainingStack& stack) {
    if (stack.primary_weights == PrimaryWeights::fp8 && stack.precision != Precision::fp8)
        throw ModelError("primary_weights fp8 needs precision fp8: other products do not read such weights");
}

}  // namespace

std::span<const std::string_view> choice_names(Recompute) {
    static constexpr std::array<std::string_view, 3> names{"none", "selective", "full"};
    return names;
}

std::span<const std::string_view> choice_names(Offload) {
    static constexpr std::array<std::string_view, 4> names{"none", "activations", "optimizer", "both"};
    return names;
}

std::span<const std::string_view> choice_names(PrimaryWeights) {
    static constexpr std::array<std::string_view, 3> names{"compute", "master", "fp8"};
    return names;
}

std::span<const std::string_view> choice_names(Attention) {
    static constexpr std::array<std::string_view, 2> names{"unfused", "flash"};
    return names;
}

std::span<const std::string_view> choice_names(LossKernel) {
    static constexpr std::array<std::string_view, 3> names{"unfused", "compiled", "fused"};
    return names;
}

std::span<const std::string_view> choice_names(CastRecipe) {
    static constexpr std::array<std::string_view, 3> names{"tensor", "block", "row"};
    return names;
}

std::span<const std::string_view> choice_names(ContextAttention) {
    static constexpr std::array<std::string_view, 3> names{"all_gather", "ring", "ulysses"};
    return names;
}

std::span<const std::string_view> choice_names(GatherUnit) {
    static constexpr std::array<std::string_view, 2> names{"block", "parameter"};
    return names;
}

std::span<const std::string_view> choice_names(Queues) {
    static constexpr std::array<std::string_view, 2> names{"communicator", "one"};
    return names;
}

TrainingStack forward_part(TrainingStack stack) {
    const TrainingStack usual;
    stack.zero = 0;
    stack.prefetch = usual.prefetch;
    stack.gather_unit = usual.gather_unit;
    stack.reshard_after_forward = usual.reshard_after_forward;
    stack.merge_input_gradients = usual.merge_input_gradients;
    stack.regather_inputs = usual.regather_inputs;
    stack.recompute = usual.recompute;
    stack.recompute_layers = usual.recompute_layers;
    stack.recompute_unread = usual.recompute_unread;
    stack.offload = usual.offload;
    stack.offload_layers = usual.offload_layers;
    stack.offload_prefetch = usual.offload_prefetch;
    stack.gradient_precision = usual.gradient_precision;
    stack.master_precision = usual.master_precision;
    stack.optimizer_precision = usual.optimizer_precision;
    stack.primary_weights = usual.primary_weights;
    stack.gather_casts = usual.gather_casts;
    stack.keep_weight_casts = usual.keep_weight_casts;
    stack.keep_activation_casts = usual.keep_activation_casts;
    stack.loss = usual.loss;
    return stack;
}

void require_valid(const TrainingStack& stack) {
    if (stack.zero < 0 || stack.zero > 3)
        throw ModelError(fmt::format("zero is {}: ZeRO has stages 0 to 3", stack.zero));
    // Ports of a region are fewer than 64: what is gathered ahead and what is called back have one each.
    require_between("prefetch", stack.prefetch, 0, stack.offload == Offload::none ? 64 : 16);
    require_between("recompute_layers", stack.recompute_layers, 0, 1'000'000);
    require_between("offload_layers", stack.offload_layers, 0, 1'000'000);
    require_between("offload_prefetch", stack.offload_prefetch, 1, 16);
    require_narrow(stack);
    if (!(stack.launch_factor >= 0.0 && stack.launch_factor <= 100.0)) {
        throw ModelError(fmt::format("launch_factor is {}: it lies in [0, 100]", stack.launch_factor));
    }
    require_share("overlap_tp", stack.overlap_tp);
    require_share("overlap_cp", stack.overlap_cp);
    require_share("overlap_ep", stack.overlap_ep);
    require_share("overlap_dp", stack.overlap_dp);
    require_share("overlap_pp", stack.overlap_pp);
    require_share("allocator_overhead", stack.allocator_overhead);
}

}  // namespace dse::graph
