#include "shared_expert.hpp"

#include <algorithm>
#include <set>

#include "narrow_products.hpp"

namespace dse::frontend {

bool is_in_shared_expert(const Operation& operation, const Block& block) {
    const std::vector<bool> of_rows = rows_of_experts(block);
    std::set<TensorId> before;    // the tokens that are sent, and what they are made from
    std::set<TensorId> combined;  // the experts' results
    for (const Operation& exchange : block.operations) {
        if (!exchange.refolding) continue;
        const TensorId result = exchange.results.front().tensor;
        if (!of_rows[result.index()]) {
            combined.insert(result);
            continue;
        }
        for (const Operation::Operand& operand : exchange.operands) before.insert(operand.tensor);
    }
    const auto is_result_of = [](const Operation& maker, const std::set<TensorId>& wanted) {
        return std::ranges::any_of(
            maker.results, [&](const Operation::Operand& result) { return wanted.contains(result.tensor); });
    };
    const auto& all = block.operations;
    for (auto earlier = all.rbegin(); earlier != all.rend(); ++earlier) {
        if (!is_result_of(*earlier, before)) continue;
        for (const Operation::Operand& operand : earlier->operands) before.insert(operand.tensor);
    }
    std::set<TensorId> shared;
    for (auto each = all.rbegin(); each != all.rend(); ++each) {
        const Operation& later = *each;
        const auto reads_combined = [&](const Operation::Operand& operand) {
            return combined.contains(operand.tensor);
        };
        const auto may_be_shared = [&](const Operation::Operand& operand) {
            const TensorRole role = block.tensor(operand.tensor).role;
            const bool is_given =
                role == TensorRole::parameter || role == TensorRole::input || role == TensorRole::cache;
            return !is_given && !combined.contains(operand.tensor) && !before.contains(operand.tensor);
        };
        const bool adds = later.kind == "add" && std::ranges::any_of(later.operands, reads_combined) &&
                          std::ranges::any_of(later.operands, may_be_shared);
        if (!adds && !is_result_of(later, shared)) continue;
        if (&later == &operation) return true;
        for (const Operation::Operand& operand : later.operands)
            if (may_be_shared(operand)) shared.insert(operand.tensor);
    }
    return false;
}

bool have_shared_expert(const std::vector<Block>& blocks) {
    return std::ranges::any_of(blocks, [](const Block& block) {
        return std::ranges::any_of(block.operations, [&](const Operation& operation) {
            return is_in_shared_expert(operation, block);
        });
    });
}

}  // namespace dse::frontend
