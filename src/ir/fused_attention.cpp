#include "dse/ir/fused_attention.hpp"

#include <algorithm>
#include <array>

namespace dse::ir {
namespace {

struct Kernel {
    std::string_view begins;  ///< of the target
    FusedAttention::Order order;
};

constexpr std::array kernels{
    Kernel{"dse.flash_attention", FusedAttention::Order::sequence_first},
    Kernel{"odml.scaled_dot_product_attention", FusedAttention::Order::sequence_first},
    Kernel{"aten.scaled_dot_product_attention", FusedAttention::Order::heads_first},
    Kernel{"__cudnn$fmha", FusedAttention::Order::heads_first},
};

}  // namespace

std::optional<FusedAttention> fused_attention(std::string_view target) {
    const auto* kernel = std::find_if(kernels.begin(), kernels.end(),
                                      [target](const Kernel& row) { return target.starts_with(row.begins); });
    if (kernel == kernels.end()) return std::nullopt;
    const bool backward = target.find("ackward") != std::string_view::npos;
    return FusedAttention{backward ? FusedAttention::Pass::backward : FusedAttention::Pass::forward,
                          kernel->order};
}

bool is_attention_composite(const Program& program, const Operation& operation) {
    const auto* call = program.attribute_if<ForeignCall>(operation);
    return operation.opcode == Opcode::composite && call != nullptr &&
           fused_attention(program.text(call->target)).has_value();
}

bool hides_later_keys(std::string_view configuration) {
    constexpr std::array said{std::string_view{"CAUSAL"}, std::string_view{"causal = true"}};
    return std::any_of(said.begin(), said.end(), [configuration](std::string_view words) {
        return configuration.find(words) != std::string_view::npos;
    });
}

}  // namespace dse::ir
