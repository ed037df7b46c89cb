#include "dse/workload/training_stack.hpp"

#include <array>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::workload {
namespace {

void require_share(const char* name, double value) {
    if (!(value >= 0.0 && value <= 1.0))
        throw ModelError(fmt::format("{} is {}: a share lies in [0, 1]", name, value));
}

}  // namespace

std::span<const std::string_view> choice_names(Recompute) {
    static constexpr std::array<std::string_view, 3> names{"none", "selective", "full"};
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

TrainingStack forward_part(TrainingStack stack) {
    const TrainingStack usual;
    stack.zero = 0;
    stack.prefetch = usual.prefetch;
    stack.gather_unit = usual.gather_unit;
    stack.reshard_after_forward = usual.reshard_after_forward;
    stack.merge_input_gradients = usual.merge_input_gradients;
    stack.regather_inputs = usual.regather_inputs;
    stack.recompute = usual.recompute;
    stack.gradient_precision = usual.gradient_precision;
    stack.loss = usual.loss;
    return stack;
}

void require_valid(const TrainingStack& stack) {
    if (stack.zero < 0 || stack.zero > 3)
        throw ModelError(fmt::format("zero is {}: ZeRO has stages 0 to 3", stack.zero));
    if (stack.prefetch < 0 || stack.prefetch > 64) {
        throw ModelError(fmt::format("prefetch is {}: it lies in [0, 64]", stack.prefetch));
    }
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

}  // namespace dse::workload
