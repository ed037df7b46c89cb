#include "dse/graph/stack_choices.hpp"

#include <array>

namespace dse::graph {

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
    static constexpr std::array<std::string_view, 7> names{"unfused", "narrow",   "compiled", "staged",
                                                           "fused",   "in_place", "shifted"};
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

std::span<const std::string_view> choice_names(BackwardPrefetch) {
    static constexpr std::array<std::string_view, 2> names{"pre", "post"};
    return names;
}

std::span<const std::string_view> choice_names(GatherUnit) {
    static constexpr std::array<std::string_view, 2> names{"block", "parameter"};
    return names;
}

std::span<const std::string_view> choice_names(ReductionPrecision) {
    static constexpr std::array<std::string_view, 4> names{"kept", "fp32", "bf16", "fp16"};
    return names;
}

std::span<const std::string_view> choice_names(Queues) {
    static constexpr std::array<std::string_view, 2> names{"communicator", "one"};
    return names;
}

std::span<const std::string_view> choice_names(Dispatcher) {
    static constexpr std::array<std::string_view, 2> names{"all_to_all", "deduplicated"};
    return names;
}

std::span<const std::string_view> choice_names(Permutation) {
    static constexpr std::array<std::string_view, 5> names{"fused", "copied", "indexed", "gathered",
                                                           "weighted"};
    return names;
}

}  // namespace dse::graph
