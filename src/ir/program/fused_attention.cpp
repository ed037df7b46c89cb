#include "ir/program/fused_attention.hpp"

#include <algorithm>
#include <array>

#include "ir/program/cost/foreign_call.hpp"
#include "ir/program/foreign_target.hpp"

namespace dse::ir {
namespace {

using Order = FusedAttention::Order;
using Pass = FusedAttention::Pass;

/// The order follows from the batch dimensions (batch and heads) of two products described by cuDNN's calls:
/// of queries and keys in the forward pass, and of the one that computes the gradient of the keys in the
/// backward pass.
Order stated_order(std::string_view configuration, Pass pass, Order otherwise) {
    const Sizes batch =
        pass == Pass::forward
            ? configured_numbers(configuration, "\"bmm1_dot_dimension_numbers\"", "\"lhs_batch_dimensions\"")
            : configured_numbers(configuration, "\"bmm1_grad_gemm1_dot_dimension_numbers\"",
                                 "\"rhs_batch_dimensions\"");
    if (batch == Sizes{0, 2}) return Order::sequence_first;
    if (batch == Sizes{0, 1}) return Order::heads_first;
    return otherwise;
}

}  // namespace

std::optional<FusedAttention> fused_attention(std::string_view target, std::string_view configuration) {
    const ForeignTarget named = foreign_target(target);
    if (named.kind != ForeignKind::attention) return std::nullopt;
    const Pass pass = target.find("ackward") != std::string_view::npos ? Pass::backward : Pass::forward;
    return FusedAttention{pass, stated_order(configuration, pass, named.order), named.order};
}

std::optional<FusedAttention> fused_attention(const Program& program, const Operation& operation) {
    const auto* call = program.attribute_if<ForeignCall>(operation);
    if (call == nullptr) return std::nullopt;
    return fused_attention(program.text(call->target), program.text(call->configuration));
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
