#include "ir/partition/foreign_factors.hpp"

#include <algorithm>
#include <array>

#include "ir/partition/attention_factors.hpp"
#include "ir/partition/movement_factors.hpp"
#include "ir/program/fused_attention.hpp"

namespace dse::ir::partition {
namespace {

using Factor = FactorRule::Factor;

constexpr std::array<std::string_view, 14> in_place{"annotate_device_placement",
                                                    "Cholesky",
                                                    "CompactWyHelper",
                                                    "InspectSharding",
                                                    "InvertDiagBlocksLowerTriangular",
                                                    "InvertDiagBlocksUpperTriangular",
                                                    "LayoutConstraint",
                                                    "mhlo.erf",
                                                    "MoveToDevice",
                                                    "MoveToHost",
                                                    "X64Combine",
                                                    "X64SplitHigh",
                                                    "X64SplitLow",
                                                    "xla.megascale.provide_metadata"};

}  // namespace

std::optional<FactorRule> foreign_rule(const Subject& subject) {
    const auto* call = subject.attribute<ForeignCall>();
    if (call == nullptr || subject.operands() == 0) return std::nullopt;
    const std::string_view target = subject.program.text(call->target);
    if (const auto attention = fused_attention(subject.program, subject.operation))
        return attention_rule(subject, *attention);
    const bool same_rank = subject.operand(0).sizes.size() == subject.result().sizes.size();
    // Dimensions that get shorter are the searched ones.
    if (target == "mhlo.topk" && same_rank) return dynamic_slice_rule(subject);
    if (!keeps_places(target)) return std::nullopt;
    return alike_with(subject, subject.result(),
                      [&](std::size_t d) { return Factor{subject.result().sizes[d]}; });
}

bool keeps_places(std::string_view target) {
    return std::find(in_place.begin(), in_place.end(), target) != in_place.end();
}

}  // namespace dse::ir::partition
